#include "mesh/mesh_file_checks.hpp"

#include <set>

#include "mesh/mesh_file.hpp"

namespace tetrawave {

using store::ElementKind;
using store::File;

GlobalIndex count_rows(const File& file, const std::string& path, ElementKind kind, std::int64_t width) {
  if (!file.has(path)) refuse(file, "dataset {} is missing", path);
  const store::DatasetInfo info = file.info(path);
  if (info.kind != kind)
    refuse(file, "dataset {} does not hold {}", path,
           kind == ElementKind::real ? "real numbers" : (kind == ElementKind::integer ? "whole numbers" : "texts"));
  const bool list = width == 1 && info.extents.size() == 1;
  if (!list && !(info.extents.size() == 2 && info.extents[1] == width))
    refuse(file, "dataset {} must have the shape {}", path, width == 1 ? "[n]" : tetrawave::format("[n, {}]", width));
  if (!info.is_plain())
    refuse(file,
           "dataset {} is chunked, compressed or outside the file; write it contiguous (h5repack -l CONTI -f NONE)",
           path);
  const std::int64_t claimed = info.claimed_bytes();
  if (claimed < 0 || claimed > info.stored_bytes)
    refuse(file, "dataset {} claims {} rows, but the file holds only {} bytes of it (is it cut off?)", path,
           info.extents[0], info.stored_bytes);
  return info.extents[0];
}

void check_header(const File& file) {
  if (!file.has_attribute("/", "format") || file.attribute<std::string>("/", "format") != "tetrawave-mesh")
    refuse(file, "the attribute format = \"tetrawave-mesh\" is missing; make a mesh with 'tetrawave mesh'");
  if (!file.has_attribute("/", "version")) refuse(file, "the attribute version is missing");
  const auto version = file.attribute<std::int64_t>("/", "version");
  if (version != mesh_format_version)
    refuse(file, "format version {} is not known (this program reads version {}); make the mesh anew", version,
           mesh_format_version);
  if (!file.has_attribute("/", "units") || file.attribute<std::string>("/", "units") != "m")
    refuse(file, "the attribute units = \"m\" is missing");
}

std::vector<std::string> read_names(const File& file, const std::string& path) {
  const GlobalIndex count = count_rows(file, path, ElementKind::text, 1);
  std::vector<std::string> names;
  if (count > 0) names = file.read<std::string>(path);
  std::set<std::string> seen;
  for (const std::string& name : names) {
    if (!is_group_name(name))
      refuse(file,
             "the name '{}' in {} is not allowed: letters, digits, '.', '_', '-', no leading dot or dash, at most "
             "128 characters",
             name.substr(0, 128), path);
    if (!seen.insert(name).second) refuse(file, "the name '{}' stands twice in {}", name, path);
  }
  return names;
}

void check_indices(const File& file, const char* what, GlobalIndex first, const std::vector<std::int64_t>& indices,
                   const std::vector<std::string>& names, const char* list) {
  const auto limit = static_cast<std::int64_t>(names.size());
  for (std::size_t i = 0; i < indices.size(); ++i)
    if (indices[i] < 0 || indices[i] >= limit)
      refuse(file, "{} {} has the index {} into {}, which has {} names", what, first + static_cast<GlobalIndex>(i),
             indices[i], list, limit);
}

}  // namespace tetrawave
