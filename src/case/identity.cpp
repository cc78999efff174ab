#include "case/identity.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "base/text/format.hpp"

namespace tetrawave {

namespace {

const std::set<std::string>& left_out() {
  static const std::set<std::string> paths{"title",
                                           "run",
                                           "mesh.file",
                                           "array.unit_cells",
                                           "array.explicit",
                                           "outputs.s_parameters.start",
                                           "outputs.s_parameters.stop",
                                           "outputs.s_parameters.points",
                                           "outputs.far_field.theta",
                                           "outputs.far_field.phi",
                                           "outputs.far_field.ground",
                                           "outputs.far_field.symmetry",
                                           "outputs.s_parameters.impedance",
                                           "outputs.rational_model"};
  return paths;
}

bool is_table_file(const std::string& path) { return path.rfind("waveforms.", 0) == 0 && path.ends_with(".file"); }

/// A loss tangent is fitted over the band of S-parameters (case/spec/requested_band.hpp).
bool has_loss_tangent(const Node& resolved) {
  const Node* materials = resolved.find("materials");
  return materials != nullptr &&
         std::any_of(materials->children.begin(), materials->children.end(), [](const Node& material) {
           return material.find("loss_tangent") != nullptr || material.find("eps_complex") != nullptr;
         });
}

void add_lines(const Node& node, const std::string& path, const std::set<std::string>& ignored,
               std::vector<std::string>& lines) {
  if (ignored.count(path) != 0 || is_table_file(path) || path.ends_with(".reference_plane")) return;
  if (node.kind == Node::Kind::scalar) lines.push_back(path + ": " + node.text);
  if (node.children.empty() && node.kind != Node::Kind::scalar && !path.empty()) lines.push_back(path + ": none");
  for (std::size_t i = 0; i < node.children.size(); ++i) {
    const std::string key = node.kind == Node::Kind::list ? std::to_string(i) : node.children[i].key;
    add_lines(node.children[i], path.empty() ? key : path + "." + key, ignored, lines);
  }
}

std::map<std::string, std::string> by_path(const std::vector<std::string>& lines) {
  std::map<std::string, std::string> values;
  for (const std::string& line : lines) {
    const auto colon = line.find(": ");
    values[line.substr(0, colon)] = line.substr(std::min(line.size(), colon + 2));
  }
  return values;
}

}  // namespace

std::vector<std::string> list_identity(const Node& resolved) {
  std::vector<std::string> lines;
  std::set<std::string> ignored = left_out();
  if (has_loss_tangent(resolved))
    for (const char* key : {"start", "stop"}) ignored.erase(tetrawave::format("outputs.s_parameters.{}", key));
  add_lines(resolved, "", ignored, lines);
  std::sort(lines.begin(), lines.end());
  return lines;
}

bool differ_in_time_alone(const std::vector<std::string>& before, const std::vector<std::string>& now) {
  const auto without_time = [](const std::vector<std::string>& lines) {
    std::vector<std::string> rest;
    for (const std::string& line : lines)
      if (!line.starts_with("time.end: ") && !line.starts_with("time.steps: ")) rest.push_back(line);
    return rest;
  };
  return before != now && without_time(before) == without_time(now);
}

std::vector<std::string> compare_identities(const std::vector<std::string>& before,
                                            const std::vector<std::string>& now) {
  constexpr std::size_t most = 10;
  auto old_values = by_path(before);
  std::vector<std::string> differences;
  for (const auto& [path, value] : by_path(now)) {
    const auto found = old_values.find(path);
    if (found == old_values.end())
      differences.push_back(tetrawave::format("{}: {} (was not there)", path, value));
    else if (found->second != value)
      differences.push_back(tetrawave::format("{}: {} (was {})", path, value, found->second));
    if (found != old_values.end()) old_values.erase(found);
  }
  for (const auto& [path, value] : old_values)
    differences.push_back(tetrawave::format("{}: is gone (was {})", path, value));
  if (differences.size() <= most) return differences;
  const std::size_t left = differences.size() - most;
  differences.resize(most);
  differences.push_back(tetrawave::format("and {} more", left));
  return differences;
}

}  // namespace tetrawave
