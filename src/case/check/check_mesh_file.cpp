#include "case/check/check_mesh_file.hpp"

#include <filesystem>

#include "base/text/format.hpp"

namespace tetrawave {

void check_mesh_file(const Node& given, const char* key, Errors& errors) {
  const Node* file = given.find(key);
  if (file == nullptr || file->invalid) return;
  const std::filesystem::path path(file->text);
  const std::string ending = path.extension().string();
  if (ending != ".h5" && ending != ".msh") return;
  const Node* parameters = given.find("parameters");
  if (parameters != nullptr && !parameters->invalid && !parameters->children.empty())
    errors.add(parameters->children.front().key_spot,
               tetrawave::format("{} is a mesh already, and only a .geo file has parameters: leave them out, or give "
                                 "the geometry",
                                 quote(path.filename().string())));
  if (const Node* size = given.find("size"); size != nullptr && given.key == "mesh")
    errors.add(size->key_spot, tetrawave::format("{} is a mesh already, whose elements have their sizes: leave 'size' "
                                                 "out, or give the geometry",
                                                 quote(path.filename().string())));
}

}  // namespace tetrawave
