#include "case/build/build_case.hpp"

#include <array>
#include <cmath>
#include <numbers>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include "base/constants.hpp"
#include "base/error.hpp"
#include "case/build/build_assembly_2d.hpp"
#include "case/build/build_far_field.hpp"
#include "case/build/build_frequency.hpp"
#include "case/build/build_material.hpp"
#include "case/build/build_sources.hpp"
#include "case/check/other_modes.hpp"
#include "case/spec/requested_band.hpp"
#include "case/yaml/dump.hpp"
#include "case/yaml/node_values.hpp"
#include "case/yaml/number.hpp"

namespace tetrawave {

namespace {

class Builder {
 public:
  Builder(const Node& root, double unit_m, const Errors& errors) : root_(root), unit_m_(unit_m), errors_(errors) {}

  Case run() {
    Case result;
    result.unit_m = unit_m_;
    result.mode = choose<Mode>(child(root_, "mode"), {{"time-domain", Mode::time_domain},
                                                      {"frequency-domain", Mode::frequency_domain},
                                                      {"fetd", Mode::fetd},
                                                      {"fe-iiee", Mode::fe_iiee},
                                                      {"eigenmode", Mode::eigenmode},
                                                      {"assembly-2d", Mode::assembly_2d}});
    result.title = text(root_, "title");
    if (const Node* given = root_.find("array")) {
      result.mesh = mesh_file(*given, "unit_cells");
      result.array = array(*given);
      result.array->has_port_tags = result.array->is_explicit || is_harmonic(result.mode);
    } else {
      result.mesh = mesh();
    }
    for (const Node& node : child(root_, "materials").children)
      result.materials.push_back(build_material(node, errors_));
    for (const Node& node : child(root_, "regions").children) {
      result.regions.push_back({node.key, node.text, key_place(node)});
    }
    result.run = run_spec();
    if (const Node* study = root_.find("study")) add_study(*study, result);
    if (result.mode == Mode::assembly_2d)
      add_assembly_2d(root_, errors_, result);
    else
      add_fields(result);
    // Cells are too large to be shared out evenly.
    if (result.array && is_harmonic(result.mode) && result.solver.shares_system) result.array->is_explicit = true;
    return result;
  }

 private:
  void add_study(const Node& node, Case& result) const {
    for (const Node& axis : child(node, "vary").children) {
      StudyAxis& added = result.study.emplace_back();
      added.path = axis.key;
      added.place = key_place(axis);
      for (const Node& value : axis.children) added.values.push_back(dump_flow(value));
    }
  }

  void add_fields(Case& result) const {
    add_boundaries(result);
    for (const Node& node : child(root_, "ports").children) result.ports.push_back(port(node));
    if (const Node* sources = root_.find("sources")) result.sources = build_sources(*sources, errors_);
    for (const Node& node : children(root_, "waveforms")) result.waveforms.push_back(waveform(node));
    if (const Node* node = root_.find("initial_fields")) result.initial_fields = initial_fields(*node);
    result.method = method(result.mode);
    if (!is_harmonic(result.mode)) result.time = time();
    result.outputs = outputs();
    if (is_harmonic(result.mode)) add_frequency(root_, errors_, result);
    if (result.mode == Mode::fetd) add_newmark(root_, errors_, result);
    if (result.mode == Mode::fe_iiee) share_mirrors(result);
    if (!is_harmonic(result.mode))
      for (Material& material : result.materials) fit_loss_tangent(material, requested_band(result));
  }

  /// Those of iiee and of the far field are the same; the case gives them in one of the two.
  static void share_mirrors(Case& result) {
    if (!result.outputs.far_field) return;
    std::vector<MirrorPlane>& of_far_field = result.outputs.far_field->mirrors;
    if (result.iiee.mirrors.empty())
      result.iiee.mirrors = of_far_field;
    else
      of_far_field = result.iiee.mirrors;
  }

  /// Of a key that not every mode has.
  static std::span<const Node> children(const Node& node, const char* key) {
    const Node* found = node.find(key);
    return found == nullptr ? std::span<const Node>() : std::span<const Node>(found->children);
  }

  [[nodiscard]] Place place(const Node& node) const { return {errors_.place(node.spot)}; }
  [[nodiscard]] Place key_place(const Node& node) const { return {errors_.place(node.key_spot)}; }

  [[nodiscard]] std::variant<MeshInput, BoxMesh, RectangleMesh> mesh() const {
    const Node& node = child(root_, "mesh");
    if (const Node* given = node.find("box")) return box(*given);
    if (const Node* given = node.find("rectangle")) return rectangle(*given);
    MeshInput spec = mesh_file(node, "file");
    spec.size_m = optional_number(node, "size");
    if (const Node* order = node.find("order")) spec.order = static_cast<int>(whole(*order));
    return spec;
  }

  [[nodiscard]] MeshInput mesh_file(const Node& node, const char* key) const {
    MeshInput spec;
    spec.order = 0;
    spec.file = text(node, key);
    for (const Node& parameter : child(node, "parameters").children) {
      const bool has_unit = parameter.quoted;
      spec.parameters[parameter.key] =
          has_unit ? parameter.number / unit_m_ : parse_number(parameter.text).value_or(parameter.number);
    }
    spec.place = place(child(node, key));
    return spec;
  }

  [[nodiscard]] ArrayDescription array(const Node& node) const {
    ArrayDescription spec;
    for (std::size_t axis = 0; axis < 2; ++axis) spec.size[axis] = whole(child(node, "size").children[axis]);
    spec.is_explicit = text(node, "explicit") == "true";
    if (const Node* excitation = node.find("excitation")) {
      spec.amplitude = numbers(excitation->find("amplitude"));
      spec.phase_deg = numbers(excitation->find("phase"));
      spec.frequency_hz = optional_number(*excitation, "frequency").value_or(0);
    }
    if (const Node* scan = node.find("scan")) spec.scan_deg = {number(*scan, "theta"), number(*scan, "phi")};
    spec.place = key_place(node);
    return spec;
  }

  static std::vector<double> numbers(const Node* list) {
    std::vector<double> values;
    for (std::size_t i = 0; list != nullptr && i < list->children.size(); ++i)
      values.push_back(list->children[i].number);
    return values;
  }

  [[nodiscard]] BoxMesh box(const Node& node) const {
    BoxMesh spec;
    spec.size_m = vector(child(node, "size"));
    for (std::size_t i = 0; i < 3; ++i) spec.cells[i] = whole(child(node, "cells").children[i]);
    spec.jitter = number(node, "jitter");
    spec.seed = static_cast<std::uint64_t>(whole(child(node, "seed")));
    spec.place = key_place(node);
    return spec;
  }

  [[nodiscard]] RectangleMesh rectangle(const Node& node) const {
    RectangleMesh spec;
    for (std::size_t i = 0; i < 2; ++i) {
      spec.size_m[i] = child(node, "size").children[i].number;
      spec.cells[i] = whole(child(node, "cells").children[i]);
    }
    spec.jitter = number(node, "jitter");
    spec.seed = static_cast<std::uint64_t>(whole(child(node, "seed")));
    spec.place = key_place(node);
    return spec;
  }

  [[nodiscard]] static BoundaryKind boundary_kind(const Node& node) {
    return choose<BoundaryKind>(
        node, {{"pec", BoundaryKind::pec}, {"pmc", BoundaryKind::pmc}, {"absorbing", BoundaryKind::absorbing}});
  }

  void add_boundaries(Case& result) const {
    const Node& node = child(root_, "boundaries");
    result.boundaries_place = key_place(node);
    const std::array<std::pair<const char*, BoundaryKind>, 3> lists = {
        {{"pec", BoundaryKind::pec}, {"pmc", BoundaryKind::pmc}, {"absorbing", BoundaryKind::absorbing}}};
    for (const auto& [key, kind] : lists) {
      for (const Node& group : child(node, key).children) result.boundaries.push_back({group.text, kind, place(group)});
    }
    for (const Node& group : child(node, "impedance").children)
      result.boundaries.push_back({group.key, BoundaryKind::impedance, key_place(group), group.number});
    for (const Node& group : child(node, "conductor").children) {
      BoundarySpec spec{group.key, BoundaryKind::conductor, key_place(group)};
      const bool is_map = group.kind == Node::Kind::map;
      spec.sigma_s_per_m = is_map ? number(group, "conductivity") : group.number;
      if (is_map) spec.roughness_m = number(group, "roughness");
      result.boundaries.push_back(spec);
    }
    if (const Node* given = node.find("default")) result.default_boundary = boundary_kind(*given);
    if (const Node* given = node.find("pml")) add_pml(*given, result);
    for (const Node& pair : child(node, "periodic").children)
      result.periodic.push_back(
          {{pair.children[0].text, pair.children[1].text}, {place(pair.children[0]), place(pair.children[1])}});
  }

  void add_pml(const Node& node, Case& result) const {
    PmlLayers spec;
    for (const char* key : {"faces", "regions"}) {
      const Node* names = node.find(key);
      for (std::size_t i = 0; names != nullptr && i < names->children.size(); ++i) {
        (key[0] == 'f' ? spec.faces : spec.regions).push_back(names->children[i].text);
        spec.name_places.push_back(place(names->children[i]));
      }
    }
    spec.thickness_m = optional_number(node, "thickness").value_or(0);
    if (const Node* cells = node.find("cells")) spec.cells = whole(*cells);
    spec.reflection = number(node, "reflection");
    spec.place = key_place(node);
    if (auto* given = std::get_if<BoxMesh>(&result.mesh)) {
      given->layer_m = spec.thickness_m;
      for (const std::string& face : spec.faces)
        if (const auto side = std::string_view("x0x1y0y1z0z1").find(face); face.size() == 2 && side % 2 == 0)
          given->layer_cells[side / 4][side / 2 % 2] = spec.cells;
    }
    result.pml = std::move(spec);
  }

  [[nodiscard]] PortDescription port(const Node& node) const {
    PortDescription spec;
    spec.name = text(node, "name");
    spec.boundary = text(node, "boundary");
    spec.type = choose<PortType>(child(node, "type"), {{"coaxial", PortType::coaxial},
                                                       {"tem", PortType::tem},
                                                       {"rectangular-waveguide", PortType::rectangular_waveguide},
                                                       {"lumped", PortType::lumped},
                                                       {"parallel-plate", PortType::parallel_plate}});
    if (const Node* centre = node.find("centre")) spec.centre_m = vector(*centre);
    if (const Node* axis = node.find("axis")) spec.axis = vector(*axis);
    spec.inner_radius_m = optional_number(node, "inner_radius");
    spec.outer_radius_m = optional_number(node, "outer_radius");
    if (const Node* signal = node.find("signal")) {
      spec.signal = signal->text;
      spec.signal_place = place(*signal);
    }
    if (const Node* mode = node.find("mode")) spec.mode = *read_waveguide_mode(mode->text);
    if (const Node* half_waves = node.find("half_waves")) spec.half_waves = static_cast<int>(whole(*half_waves));
    spec.resistance_ohm = optional_number(node, "resistance").value_or(0);
    spec.inductance_h = optional_number(node, "inductance").value_or(0);
    spec.capacitance_f = optional_number(node, "capacitance").value_or(0);
    if (const Node* direction = node.find("direction")) spec.direction = vector(*direction);
    spec.reference_plane_m = optional_number(node, "reference_plane").value_or(0);
    if (const Node* planes = node.find("symmetry"))
      for (const Node& plane : planes->children) ++(plane.text == "pec" ? spec.electric_planes : spec.magnetic_planes);
    if (const Node* others = node.find("other_modes")) {
      spec.takes_one_mode = others->text == "reflect";
      spec.may_take_one_mode = others->text == "auto";
    }
    if (const Node* excite = node.find("excite")) {
      spec.excite = NamedExcitation{optional_text(*excite, "waveform"), number(*excite, "amplitude"),
                                    number(*excite, "delay"), key_place(*excite)};
    }
    spec.boundary_place = place(child(node, "boundary"));
    spec.place = place(node);
    return spec;
  }

  [[nodiscard]] WaveformShape waveform(const Node& node) const {
    WaveformShape spec;
    spec.name = node.key;
    spec.type = choose<WaveformType>(child(node, "type"), {{"gaussian", WaveformType::gaussian},
                                                           {"derivative-gaussian", WaveformType::derivative_gaussian},
                                                           {"modulated-gaussian", WaveformType::modulated_gaussian},
                                                           {"sine", WaveformType::sine},
                                                           {"expression", WaveformType::expression},
                                                           {"table", WaveformType::table}});
    spec.width_s = optional_number(node, "width").value_or(0);
    spec.delay_s = optional_number(node, "delay");
    spec.frequency_hz = optional_number(node, "frequency").value_or(0);
    spec.bandwidth_hz = optional_number(node, "bandwidth").value_or(0);
    spec.rise_s = optional_number(node, "rise").value_or(0);
    spec.place = spec.value_place = key_place(node);
    if (spec.type == WaveformType::expression) {
      spec.expression = text(node, "expression");
      spec.value_place = place(child(node, "expression"));
    } else if (spec.type == WaveformType::table) {
      spec.table = text(node, "file");
      spec.value_place = place(child(node, "file"));
    }
    return spec;
  }

  [[nodiscard]] InitialFieldsSpec initial_fields(const Node& node) const {
    InitialFieldsSpec spec;
    for (std::size_t i = 0; i < 3; ++i) {
      const Node& electric = child(node, "E").children[i];
      const Node& magnetic = child(node, "H").children[i];
      spec.electric[i] = electric.text;
      spec.magnetic[i] = magnetic.text;
      spec.electric_places[i] = place(electric);
      spec.magnetic_places[i] = place(magnetic);
    }
    spec.place = key_place(node);
    return spec;
  }

  [[nodiscard]] MethodSpec method(Mode mode) const {
    const Node& node = child(root_, "method");
    MethodSpec spec;
    spec.place = key_place(node);
    spec.basis = choose<Space>(child(node, "basis"), {{"mixed-1", Space::mixed_1},
                                                      {"full-1", Space::full_1},
                                                      {"mixed-2", Space::mixed_2},
                                                      {"full-2", Space::full_2},
                                                      {"mixed-3", Space::mixed_3},
                                                      {"full-3", Space::full_3},
                                                      {"full-4", Space::full_4}});
    spec.precision = choose<Precision>(
        child(node, "precision"), {{"double", Precision::double_precision}, {"single", Precision::single_precision}});
    spec.edge_factor = optional_number(node, "edge_factor");
    if (mode == Mode::time_domain) add_march_method(node, spec);
    if (!is_harmonic(mode)) add_step(node, spec);
    return spec;
  }

  void add_march_method(const Node& node, MethodSpec& spec) const {
    spec.scheme = choose<Scheme>(
        child(node, "scheme"),
        {{"dgtd-central", Scheme::dgtd_central}, {"dgtd-upwind", Scheme::dgtd_upwind}, {"dfdd-eld", Scheme::dfdd_eld}});
    spec.layout = choose<Layout>(child(node, "layout"), {{"factored", Layout::factored}, {"stored", Layout::stored}});
    spec.dispersion = choose<Dispersion>(child(node, "dispersion"),
                                         {{"passive", Dispersion::passive}, {"published", Dispersion::published}});
    const Node& kerr = child(node, "kerr");
    spec.kerr = {text(kerr, "iteration") == "newton", text(kerr, "residual") == "averaged", number(kerr, "tolerance"),
                 static_cast<int>(whole(child(kerr, "max_iterations")))};
    const Node& local = child(node, "local_time_stepping");
    spec.max_classes = static_cast<int>(whole(child(local, "max_classes")));
    spec.keep_inside = text(local, "keep_inside") == "true";
    if (text(node, "pec") != "auto") spec.holds_metal = text(node, "pec") == "strong";
    spec.penalty = number(node, "penalty");
    spec.time_order = static_cast<int>(whole(child(node, "time_order")));
    spec.allow_unstable = text(node, "allow_unstable") == "true";
  }

  void add_step(const Node& node, MethodSpec& spec) const {
    spec.time_step_s = optional_number(node, "time_step");
    if (const Node* cfl = node.find("cfl")) spec.cfl = cfl->number;
    spec.step_place = key_place(child(node, spec.time_step_s ? "time_step" : "cfl"));
  }

  [[nodiscard]] TimeSpec time() const {
    const Node& node = child(root_, "time");
    TimeSpec spec;
    spec.end_s = optional_number(node, "end");
    if (const Node* steps = node.find("steps")) spec.steps = whole(*steps);
    spec.energy_decay_db = optional_number(node, "energy_decay");
    spec.place = key_place(child(node, spec.steps ? "steps" : "end"));
    return spec;
  }

  [[nodiscard]] ProbePoint probe(const Node& node) const {
    ProbePoint spec;
    spec.name = text(node, "name");
    spec.point_m = vector(child(node, "point"));
    spec.electric = spec.magnetic = false;
    for (const Node& field : child(node, "fields").children) {
      (field.text == "E" ? spec.electric : spec.magnetic) = true;
    }
    if (const Node* every = node.find("every")) spec.every = whole(*every);
    spec.point_place = place(child(node, "point"));
    spec.place = place(node);
    return spec;
  }

  [[nodiscard]] FieldsRequest fields(const Node& node) const {
    FieldsRequest spec;
    if (const Node* every = node.find("every")) spec.every = whole(*every);
    if (const Node* list = node.find("frequencies"))
      for (const Node& frequency : list->children) spec.frequencies_hz.push_back(frequency.number);
    if (const Node* list = node.find("regions"))
      for (const Node& region : list->children) spec.regions.push_back(region.text);
    if (const Node* list = node.find("cuts"))
      for (const Node& cut : list->children)
        spec.cuts.push_back({text(cut, "name"), vector(child(cut, "point")), vector(child(cut, "normal")), place(cut)});
    spec.volumes = !spec.regions.empty() || spec.cuts.empty();
    return spec;
  }

  [[nodiscard]] static std::vector<double> impedances(const Node& s_parameters) {
    const Node* node = s_parameters.find("impedance");
    if (node == nullptr) return {};
    if (node->children.empty()) return {node->number};
    std::vector<double> list;
    for (const Node& item : node->children) list.push_back(item.number);
    return list;
  }

  [[nodiscard]] OutputRequests outputs() const {
    const Node& node = child(root_, "outputs");
    OutputRequests spec;
    for (const Node& given : children(node, "probes")) spec.probes.push_back(probe(given));
    if (const Node* s = node.find("s_parameters")) {
      const bool band = s->find("start") != nullptr;
      spec.s_parameters =
          SParameterRequest{band ? number(*s, "start") : 0, band ? number(*s, "stop") : 0,
                            band ? whole(child(*s, "points")) : 0, text(*s, "drive") == "each", key_place(*s)};
      spec.s_parameters->impedance_ohm = impedances(*s);
    }
    if (const Node* model = node.find("rational_model"))
      spec.rational_model = RationalModelRequest{number(*model, "tolerance"), whole(child(*model, "max_poles")),
                                                 child(*model, "passive").text == "true"};
    if (const Node* far_field = node.find("far_field")) spec.far_field = build_far_field(*far_field, errors_);
    for (const Node& given : children(node, "near_field")) spec.near_fields.push_back(build_near_field(given, errors_));
    if (const Node* energy = node.find("energy")) spec.energy_every = whole(child(*energy, "every"));
    if (const Node* given = node.find("fields")) spec.fields = fields(*given);
    return spec;
  }

  [[nodiscard]] RunSpec run_spec() const {
    const Node& node = child(root_, "run");
    RunSpec spec;
    spec.threads = static_cast<int>(whole(child(node, "threads")));
    if (const Node* ordering = node.find("ordering"))
      spec.ordering = choose<Ordering>(*ordering, {{"blocks", Ordering::blocks},
                                                   {"parts", Ordering::parts},
                                                   {"curve", Ordering::curve},
                                                   {"none", Ordering::none}});
    if (const Node* transport = node.find("transport"))
      for (const auto& [name, value] : transport_names())
        if (transport->text == name) spec.transport = value;
    if (const Node* checkpoint = node.find("checkpoint")) {
      spec.checkpoint.every_s = optional_number(*checkpoint, "every");
      spec.checkpoint.keep = whole(child(*checkpoint, "keep"));
    }
    return spec;
  }

  const Node& root_;
  double unit_m_;
  const Errors& errors_;
};

// Delay after which a Gaussian starts from almost zero: 6 width, or 6 s with s = sqrt(2 ln 10)/(pi bandwidth).
std::optional<double> default_delay(const Node& waveform) {
  const std::string type = text(waveform, "type");
  if (type == "gaussian" || type == "derivative-gaussian") return 6 * number(waveform, "width");
  if (type == "modulated-gaussian") return 6 * std::sqrt(2 * std::numbers::ln10) / (pi * number(waveform, "bandwidth"));
  return std::nullopt;
}

}  // namespace

const char* name_of(Mode mode) {
  switch (mode) {
    case Mode::time_domain:
      return "time-domain";
    case Mode::frequency_domain:
      return "frequency-domain";
    case Mode::fetd:
      return "fetd";
    case Mode::fe_iiee:
      return "fe-iiee";
    case Mode::eigenmode:
      return "eigenmode";
    case Mode::assembly_2d:
      return "assembly-2d";
  }
  throw InternalError("an unknown mode");
}

void fill_computed_defaults(Node& resolved) {
  fill_coloring(resolved);
  fill_solver(resolved);
  fill_drive(resolved);
  fill_other_modes(resolved);
  Node* waveforms = resolved.find("waveforms");
  if (waveforms == nullptr) return;
  for (Node& waveform : waveforms->children) {
    const std::optional<double> delay = default_delay(waveform);
    if (!delay || waveform.find("delay") != nullptr) continue;
    Node node = make_scalar(shortest(*delay), false, waveform);
    node.key = "delay";
    node.number = *delay;
    waveform.children.push_back(std::move(node));
  }
}

Case build_case(const Node& resolved, double unit_m, const Errors& errors) {
  return Builder(resolved, unit_m, errors).run();
}

}  // namespace tetrawave
