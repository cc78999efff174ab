#include "case/support.hpp"

#include <utility>

#include "case/check/refusals.hpp"
#include "case/read_case.hpp"

namespace tetrawave {

namespace {

/// A method of the matrix. `text`: what its cases have in common; `drive` and `port`: what stands for $drive and $port
/// in features; `one_rank`: why it runs on one rank alone.
struct Method {
  std::string name;
  std::string text;
  std::string drive = ", excite: {waveform: pulse}";
  std::string port =
      "{name: p1, boundary: z0, type: lumped, resistance: 50, direction: [1, 0, 0], excite: {waveform: pulse}}";
  const LateRefusal* one_rank = nullptr;
};

const std::string space = "materials: {m: {}}\nregions: {box: m}\nboundaries: {default: pec}\n";
const std::string pulse = "waveforms: {pulse: {type: gaussian, width: 1 ns}}\n";
const std::string harmonic =
    "frequency: {values: [0.1 GHz]}\nsources: [{type: dipole, position: [0.3, 0.4, 0], direction: [0, 0, 1]}]\n";
const std::string marched = "time: {steps: 2}\noutputs: {fields: {frequencies: [0.1 GHz]}}\n" + pulse;

std::vector<Method> make_methods() {
  std::vector<Method> methods;
  for (const std::string& scheme : values_of({"method", "scheme"}))
    for (const std::string& layout : values_of({"method", "layout"}))
      methods.push_back({scheme + (layout == "stored" ? " stored" : ""),
                         space + marched + "method: {scheme: " + scheme + ", layout: " + layout + "}\n"});
  methods.push_back({"fetd", "mode: fetd\n" + space + marched});
  methods.push_back({"frequency-domain", "mode: frequency-domain\n" + space + harmonic + pulse});
  methods.push_back({"fe-iiee", "mode: fe-iiee\n" + space + harmonic + pulse + "iiee: {outer: x1, inner: x0}\n"});
  methods.push_back({"eigenmode", "mode: eigenmode\n" + space + "eigenmode: {target: 0.1 GHz, count: 1}\n", "",
                     "{name: p1, boundary: z0, type: lumped, resistance: 50, direction: [1, 0, 0]}"});
  methods.push_back({"dimension: 2",
                     "mode: frequency-domain\ndimension: 2\nplanar: {field: E_z}\nmaterials: {m: {}}\nregions: "
                     "{rectangle: m}\nboundaries: {default: pec}\n" +
                         harmonic + pulse,
                     ", excite: {}", "{name: p1, boundary: x0, type: parallel-plate, half_waves: 1, excite: {}}",
                     &ranks_of_planes});
  methods.push_back({"assembly-2d",
                     "mode: assembly-2d\nmaterials: {m: {}}\nregions: {rectangle: m}\nassembly_2d: {equation: "
                     "electrostatic, potentials: {x0: 0}}\n",
                     "", "{}", &ranks_of_statics});
  return methods;
}

const std::vector<Method>& methods() {
  static const std::vector<Method> all = make_methods();
  return all;
}

/// A feature: settings in the form of --set, and the mesh that it needs.
struct Feature {
  std::string group;
  std::string name;
  std::vector<std::string> settings;
  std::string mesh{};
};

bool is_of_plane(const Method& method) { return method.text.find("rectangle") != std::string::npos; }

const std::vector<Feature> named_features{
    {"mesh", "curved elements (order: 2)", {}, "mesh: {file: mesh.h5, order: 2}\n"},
    {"mesh", "finite array", {}, "array: {unit_cells: cells.h5, size: [2, 2]}\n"},
    {"mesh", "periodic faces", {"boundaries.periodic=[[x0, x1]]"}},
    {"steps", "local time stepping", {"method.local_time_stepping.max_classes=2"}},
    {"steps", "single precision", {"method.precision=single"}},
    {"steps", "fourth order in time", {"method.time_order=4"}},
    {"steps", "penalty on jumps", {"method.penalty=0.1"}},
    {"media", "losses (sigma)", {"materials.m.sigma=0.01"}},
    {"media", "axes (eps_r a list)", {"materials.m.eps_r=[2, 3, 4]"}},
    {"media", "loss tangent", {"materials.m.eps_r=2", "materials.m.loss_tangent=0.01"}},
    {"media", "dispersion of eps", {"materials.m.electric_dispersion=[{model: debye, delta: 1, tau: 1 ns}]"}},
    {"media", "dispersion of mu", {"materials.m.magnetic_dispersion=[{model: debye, delta: 1, tau: 1 ns}]"}},
    {"media",
     "published recursions",
     {"method.dispersion=published", "materials.m.electric_dispersion=[{model: debye, delta: 1, tau: 1 ns}]"}},
    {"media", "Kerr effect", {"materials.m.kerr.chi3=1e-18"}},
    {"walls", "pec", {"boundaries.pec=[$face]"}},
    {"walls", "pmc", {"boundaries.pmc=[$face]"}},
    {"walls", "absorbing", {"boundaries.absorbing=[$face]"}},
    {"walls", "impedance", {"boundaries.impedance={$face: 50 ohm}"}},
    {"walls", "conductor", {"boundaries.conductor={$face: 5.8e7 S/m}"}},
    {"walls", "pml added to faces", {"boundaries.pml={faces: [z1], thickness: 0.2, cells: 2}"}},
    {"walls", "pml that is meshed", {"boundaries.pml={regions: [layer]}", "regions.layer=m"}},
    {"ports", "coaxial", {"ports=[{name: p1, boundary: z0, type: coaxial$drive}]"}},
    {"ports",
     "tem",
     {"boundaries.default=pmc", "boundaries.pec=[x0, x1]",
      "ports=[{name: p1, boundary: z0, type: tem, signal: x0$drive}]"}},
    {"ports", "rectangular-waveguide", {"ports=[{name: p1, boundary: z0, type: rectangular-waveguide$drive}]"}},
    {"ports", "lumped", {"ports=[{name: p1, boundary: z0, type: lumped, resistance: 50, direction: [1, 0, 0]$drive}]"}},
    {"ports",
     "lumped with an inductance",
     {"ports=[{name: p1, boundary: z0, type: lumped, resistance: 50, inductance: 1 nH, direction: [1, 0, "
      "0]$drive}]"}},
    {"ports", "parallel-plate", {"ports=[{name: p1, boundary: x0, type: parallel-plate, half_waves: 1$drive}]"}},
    {"ports",
     "other_modes: reflect",
     {"ports=[{name: p1, boundary: z0, type: rectangular-waveguide, other_modes: reflect$drive}]"}},
    {"sources", "dipole", {"sources=[{type: dipole, position: [0.3, 0.4, 0], direction: [0, 0, 1], waveform: pulse}]"}},
    {"sources", "current", {"sources=[{type: current, region: box, density: [0, 0, 1], waveform: pulse}]"}},
    {"sources",
     "plane-wave (total field)",
     {"sources=[{type: plane-wave, direction: [0, 0, 1], polarization: [1, 0, 0], waveform: pulse, region: box}]"}},
    {"sources",
     "plane_waves",
     {"plane_waves=[{theta: 90, phi: 0, polarization: theta}]", "boundaries.default=absorbing"}},
    {"sources", "initial_fields", {"initial_fields={E: [0, 0, 1], H: [0, 0, 0]}"}},
    {"outputs", "probes", {"outputs.probes=[{name: a, point: [0.3, 0.4, 0]}]"}},
    {"outputs",
     "s_parameters",
     {"outputs.s_parameters={start: 0.1 GHz, stop: 0.2 GHz, points: 2}", "sources=[]", "ports=[$port]"}},
    {"outputs",
     "rational_model",
     {"outputs.rational_model={}", "outputs.s_parameters={start: 0.1 GHz, stop: 0.2 GHz, points: 9}", "sources=[]",
      "ports=[$port]"}},
    {"outputs",
     "far_field",
     {"outputs.far_field={frequencies: [0.1 GHz], theta: [90], phi: [0, 90]}", "boundaries.default=absorbing"}},
    {"outputs",
     "monostatic far_field",
     {"outputs.far_field={frequencies: [0.1 GHz], monostatic: true}",
      "plane_waves=[{theta: 90, phi: 0, polarization: theta}]", "boundaries.default=absorbing"}},
    {"outputs",
     "near_field",
     {"outputs.near_field=[{name: n, frequencies: [0.1 GHz], points: [[3, 0, 0]]}]",
      "outputs.far_field={frequencies: [0.1 GHz], theta: [90], phi: [0]}", "boundaries.default=absorbing"}},
    {"outputs", "fields over time", {"outputs.fields.every=1"}},
    {"outputs", "fields at frequencies", {"outputs.fields.frequencies=[0.1 GHz]"}},
    {"outputs",
     "cuts through fields",
     {"outputs.fields.cuts=[{name: c, point: [0.5, 0.5, 0.5], normal: [0, 0, 1]}]",
      "outputs.fields.frequencies=[0.1 GHz]"}},
    {"outputs", "energy", {"outputs.energy.every=1"}},
    {"outputs", "checkpoints", {"run.checkpoint.every=10 min"}},
};

const std::vector<Feature>& features() {
  static const std::vector<Feature> all = [] {
    std::vector<Feature> list;
    for (const std::string& basis : values_of({"method", "basis"}))
      list.push_back({"spaces", basis, {"method.basis=" + basis}});
    list.insert(list.end(), named_features.begin(), named_features.end());
    return list;
  }();
  return all;
}

std::string mesh_of(const Feature& feature, const Method& method) {
  if (!feature.mesh.empty()) return feature.mesh;
  return is_of_plane(method) ? "mesh: {rectangle: {size: [1, 1], cells: [4, 4]}}\n"
                             : "mesh: {box: {size: [1, 1, 1], cells: [2, 2, 2]}}\n";
}

void replace(std::string& text, const std::string& name, const std::string& by) {
  if (const std::size_t at = text.find(name); at != std::string::npos) text.replace(at, name.size(), by);
}

SupportCell ask(const Feature& feature, const Method& method) {
  SupportCell cell{method.text + mesh_of(feature, method), feature.settings, ""};
  for (std::string& setting : cell.settings) {
    replace(setting, "$drive", method.drive);
    replace(setting, "$port", method.port);
    replace(setting, "$face", is_of_plane(method) ? "x1" : "z1");
    if (is_of_plane(method)) replace(setting, "region: box", "region: rectangle");
  }
  cell.why_not = first_fault(cell.case_text, cell.settings);
  return cell;
}

void replace_all(std::string& text, const std::string& name, const std::string& by) {
  for (std::size_t at = 0; (at = text.find(name, at)) != std::string::npos; at += by.size())
    text.replace(at, name.size(), by);
}

/// A message without the place before it; what it is filled with as `..`.
std::string plain(const LateRefusal& refusal) {
  std::string message = refusal.text;
  const std::string mark = "error: ";
  message.erase(0, message.find(mark) + mark.size());
  replace_all(message, "{}", "..");
  return message;
}

std::string plain(const Refusal& refusal) {
  std::string message(refusal.text);
  replace_all(message, "{path}", std::string(refusal.first.path));
  replace_all(message, "{*}", "*");
  replace_all(message, "{value}", refusal.first.test == Test::is ? std::string(refusal.first.values.front()) : "..");
  for (std::size_t open = 0; (open = message.find('{')) != std::string::npos;)
    message.replace(open, message.find('}', open) + 1 - open, "..");
  return message;
}

}  // namespace

SupportTable support_table() {
  SupportTable table;
  SupportRow ranks{"machine", "several ranks", {}};
  for (const Method& method : methods()) {
    table.methods.push_back(method.name);
    ranks.cells.push_back({"", {}, method.one_rank == nullptr ? "" : plain(*method.one_rank)});
  }
  for (const Feature& feature : features()) {
    table.rows.push_back({feature.group, feature.name, {}});
    for (const Method& method : methods()) table.rows.back().cells.push_back(ask(feature, method));
  }
  table.rows.push_back(std::move(ranks));
  table.rows.push_back({"machine", "GPUs", std::vector<SupportCell>(methods().size())});
  return table;
}

std::vector<RefusedTogether> refused_together() {
  std::vector<RefusedTogether> list;
  for (const Refusal& refusal : refusals()) list.push_back({describe(refusal), plain(refusal)});
  for (const LateRefusal& refusal : late_refusals) list.push_back({refusal.between, plain(refusal)});
  return list;
}

}  // namespace tetrawave
