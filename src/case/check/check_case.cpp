#include "case/check/check_case.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/text/format.hpp"
#include "base/text/suggest.hpp"
#include "case/check/check_frequency.hpp"
#include "case/check/check_materials.hpp"
#include "case/check/check_mesh_file.hpp"
#include "case/check/check_mirrors.hpp"
#include "case/check/refusals.hpp"
#include "sources/ports/port_description.hpp"

namespace tetrawave {

namespace {

// The valid children of root.a, or of root.a.b; empty if absent.
std::vector<const Node*> children_of(const Node* node) {
  std::vector<const Node*> children;
  if (node == nullptr) return children;
  for (const Node& child : node->children)
    if (child.kind != Node::Kind::null) children.push_back(&child);
  return children;
}

class CaseChecker {
 public:
  CaseChecker(const Node& root, Errors& errors) : root_(root), errors_(errors) {}

  void run() {
    if (const Node* mesh = root_.find("mesh")) check_mesh_file(*mesh, "file", errors_);
    if (const Node* array = root_.find("array")) check_mesh_file(*array, "unit_cells", errors_);
    check_materials(root_, errors_);
    check_frequency(root_, errors_);
    check_refusals(root_, errors_);
    check_mirrors(root_, errors_);
    check_regions();
    check_excitations();
    check_groups();
    const Node* outputs = root_.find("outputs");
    check_unique_names(root_.find("ports"), "ports");
    check_unique_names(outputs == nullptr ? nullptr : outputs->find("probes"), "outputs.probes");
    check_unique_names(outputs == nullptr ? nullptr : outputs->find("near_field"), "outputs.near_field");
    check_radii();
    check_step();
    check_signals();
    check_sources();
    check_far_field();
    check_modes();
    check_s_parameters();
    if (outputs != nullptr) check_fields(outputs->find("fields"));
    check_pml();
    if (const Node* array = root_.find("array")) check_array(*array);
  }

 private:
  // A step above the stable one requires allow_unstable.
  void check_step() {
    const Node* method = root_.find("method");
    const Node* cfl = method == nullptr ? nullptr : method->find("cfl");
    if (cfl == nullptr || cfl->invalid || cfl->number <= 1 || mode_of(root_) == "fetd") return;
    const Node* allowed = method->find("allow_unstable");
    if (allowed != nullptr && (allowed->invalid || allowed->text == "true")) return;
    errors_.add(cfl->spot, tetrawave::format("method.cfl: {} is out of range; allowed: above 0 and at most 1, or more "
                                             "with method.allow_unstable: true",
                                             describe(*cfl)));
  }

  // One factor per cell, and at least one excitation.
  void check_array(const Node& array) {
    const Node* size = array.find("size");
    const Node* excitation = array.find("excitation");
    if (size != nullptr && !size->invalid && excitation != nullptr) {
      const double cells = size->children[0].number * size->children[1].number;
      for (const char* key : {"amplitude", "phase"}) {
        const Node* list = excitation->find(key);
        if (list != nullptr && !list->invalid && static_cast<double>(list->children.size()) != cells)
          errors_.add(list->spot,
                      tetrawave::format("array.excitation.{}: {} values for an array of {:g} cells; give one "
                                        "per cell, in the order (0, 0), (0, 1), ..",
                                        key, list->children.size(), cells));
      }
    }
    for (const char* key : {"excitation", "scan"})
      if (const Node* given = array.find(key); given != nullptr && count_driven() == 0)
        errors_.add(given->key_spot,
                    tetrawave::format("array.{}: no port has 'excite'; there is nothing to drive", key));
  }

  /// Skipped if a port is invalid, as it may have `excite`.
  std::optional<std::size_t> count_driven() {
    const auto wrong = [](const Node& child) { return child.key == "ports" && child.invalid; };
    if (std::any_of(root_.children.begin(), root_.children.end(), wrong)) return {};
    std::size_t driven = 0;
    for (const Node* port : children_of(root_.find("ports")))
      if (port->find("excite") != nullptr) ++driven;
    return driven;
  }

  void check_regions() {
    const Node* materials = root_.find("materials");
    if (materials == nullptr) return;
    const std::vector<std::string> known = materials->keys();
    for (const Node* region : children_of(root_.find("regions"))) {
      if (region->invalid) continue;
      check_reference(*region, tetrawave::format("regions.{}", region->key), "material", known);
    }
  }

  void check_excitations() {
    const Node* waveforms = root_.find("waveforms");
    if (waveforms == nullptr) return;
    const std::vector<std::string> known = waveforms->keys();
    const std::vector<const Node*> ports = children_of(root_.find("ports"));
    for (std::size_t i = 0; i < ports.size(); ++i) {
      const Node* excite = ports[i]->find("excite");
      const Node* waveform = excite == nullptr ? nullptr : excite->find("waveform");
      if (waveform != nullptr)
        check_reference(*waveform, tetrawave::format("ports.{}.excite.waveform", i), "waveform", known);
    }
    const std::vector<const Node*> sources = children_of(root_.find("sources"));
    for (std::size_t i = 0; i < sources.size(); ++i)
      if (const Node* waveform = sources[i]->find("waveform"))
        check_reference(*waveform, tetrawave::format("sources.{}.waveform", i), "waveform", known);
  }

  // Regions of sources, and transversality of waves.
  void check_sources() {
    const Node* regions = root_.find("regions");
    if (regions == nullptr) return;
    const std::vector<std::string> known = regions->keys();
    const std::vector<const Node*> sources = children_of(root_.find("sources"));
    for (std::size_t i = 0; i < sources.size(); ++i) {
      if (sources[i]->invalid) continue;
      if (const Node* region = sources[i]->find("region"))
        check_names(*region, tetrawave::format("sources.{}.region", i), known);
      if (const Node* polarization = sources[i]->find("polarization"))
        check_transverse(*polarization, *sources[i], tetrawave::format("sources.{}.polarization", i));
    }
  }

  // A region, or a list of them.
  void check_names(const Node& given, const std::string& path, const std::vector<std::string>& known) {
    std::vector<const Node*> names = children_of(&given);
    if (given.kind == Node::Kind::scalar) names.push_back(&given);
    for (const Node* name : names) check_reference(*name, path, "region", known);
  }

  // Regions of its surface, integer hertz that name the groups of the results.
  void check_far_field() {
    const Node* outputs = root_.find("outputs");
    const Node* wanted = outputs == nullptr ? nullptr : outputs->find("far_field");
    if (wanted == nullptr || wanted->invalid) return;
    const Node* surface = wanted->find("surface");
    if (const Node* regions = root_.find("regions"); regions != nullptr && surface != nullptr)
      check_names(*surface, "outputs.far_field.surface", regions->keys());
    const Node* monostatic = wanted->find("monostatic");
    const bool is_monostatic = monostatic != nullptr && monostatic->text == "true";
    for (const char* key : {"theta", "phi"}) {
      const auto is_given = [&](const char* name) {
        return std::any_of(wanted->children.begin(), wanted->children.end(),
                           [&](const Node& child) { return child.key == name; });
      };
      if (!is_given(key) && (!is_monostatic || is_given("theta") || is_given("phi")))
        errors_.add(wanted->key_spot, tetrawave::format("outputs.far_field: the key '{}' is missing", key));
    }
    check_directions(*wanted);
    std::map<long long, const Node*> hertz;
    for (const Node* frequency : children_of(wanted->find("frequencies")))
      if (!hertz.emplace(std::llround(frequency->number), frequency).second)
        errors_.add(frequency->spot, "outputs.far_field.frequencies: two of them are the same integer number of hertz");
  }

  // Sizes of what rank 0 stores and writes.
  void check_directions(const Node& wanted) {
    double patterns = static_cast<double>(children_of(wanted.find("frequencies")).size());
    for (const char* key : {"theta", "phi"}) {
      const Node* angles = wanted.find(key);
      if (angles == nullptr || angles->invalid) return;
      const Node* points = angles->find("points");
      patterns *= points != nullptr ? points->number : static_cast<double>(angles->children.size());
    }
    constexpr double most = 1e8;
    if (patterns > most)
      errors_.add(wanted.key_spot,
                  tetrawave::format("outputs.far_field: {:.4g} values (theta by phi by frequencies) are too many; "
                                    "allowed: at most {:g}, a sphere at a tenth of a degree for 15 frequencies",
                                    patterns, most));
  }

  void check_transverse(const Node& polarization, const Node& source, const std::string& path) {
    const Node* direction = source.find("direction");
    if (direction == nullptr || direction->invalid || polarization.invalid) return;
    const auto product = [](const Node& a, const Node& b) {
      double sum = 0;
      for (std::size_t axis = 0; axis < 3; ++axis) sum += a.children[axis].number * b.children[axis].number;
      return sum;
    };
    const double along = product(polarization, *direction);
    if (along * along <= 1e-12 * product(polarization, polarization) * product(*direction, *direction)) return;
    errors_.add(polarization.spot,
                tetrawave::format("{}: not perpendicular to direction; a plane wave is transverse", path));
  }

  void check_reference(const Node& name, const std::string& path, const std::string& what,
                       const std::vector<std::string>& known) {
    if (std::find(known.begin(), known.end(), name.text) != known.end()) return;
    errors_.add(name.spot, tetrawave::format("{}: there is no {} {}{}; defined: {}", path, what, quote(name.text),
                                             did_you_mean(name.text, known), list_names(known)));
  }

  // Every physical surface has one use: one boundary list, or one port.
  void check_groups() {
    struct Use {
      const Node* name;
      std::string where;
      bool is_key = false;  ///< the name is the node's key
    };
    std::vector<Use> uses;
    const Node* boundaries = root_.find("boundaries");
    for (const char* list : {"pec", "pmc", "absorbing"}) {
      if (boundaries == nullptr) break;
      for (const Node* name : children_of(boundaries->find(list)))
        uses.push_back({name, tetrawave::format("boundaries.{}", list)});
    }
    const Node* pml = boundaries == nullptr ? nullptr : boundaries->find("pml");
    for (const Node* name : children_of(pml == nullptr ? nullptr : pml->find("faces")))
      uses.push_back({name, "boundaries.pml.faces"});
    for (const Node* pair : children_of(boundaries == nullptr ? nullptr : boundaries->find("periodic")))
      for (const Node* name : children_of(pair)) uses.push_back({name, "boundaries.periodic"});
    if (boundaries != nullptr) {
      for (const Node* sheet : children_of(boundaries->find("impedance")))
        uses.push_back({sheet, "boundaries.impedance", true});
      for (const Node* wall : children_of(boundaries->find("conductor")))
        uses.push_back({wall, "boundaries.conductor", true});
    }
    const std::vector<const Node*> ports = children_of(root_.find("ports"));
    for (std::size_t i = 0; i < ports.size(); ++i) {
      if (const Node* name = ports[i]->find("boundary"))
        uses.push_back({name, tetrawave::format("ports.{}.boundary", i)});
    }
    std::map<std::string, std::string> first_use;
    for (const Use& use : uses) {
      if (use.name->invalid) continue;
      const std::string& group = use.is_key ? use.name->key : use.name->text;
      const auto [first, is_new] = first_use.emplace(group, use.where);
      if (is_new) continue;
      errors_.add(use.is_key ? use.name->key_spot : use.name->spot,
                  tetrawave::format("{}: the surface {} is already in {}; a surface has one condition", use.where,
                                    quote(group), first->second));
    }
  }

  void check_unique_names(const Node* list, const std::string& path) {
    std::map<std::string, std::size_t> first_use;
    const std::vector<const Node*> items = children_of(list);
    for (std::size_t i = 0; i < items.size(); ++i) {
      const Node* name = items[i]->find("name");
      if (name == nullptr) continue;
      const auto [first, is_new] = first_use.emplace(name->text, i);
      if (is_new) continue;
      errors_.add(name->spot, tetrawave::format("{}.{}.name: {} is already the name of {}.{}; names are unique", path,
                                                i, quote(name->text), path, first->second));
    }
  }

  void check_radii() {
    const std::vector<const Node*> ports = children_of(root_.find("ports"));
    for (std::size_t i = 0; i < ports.size(); ++i) {
      const Node* inner = ports[i]->find("inner_radius");
      const Node* outer = ports[i]->find("outer_radius");
      if (inner == nullptr || outer == nullptr || inner->number < outer->number) continue;
      errors_.add(outer->spot, tetrawave::format("ports.{}.outer_radius: {} is not above inner_radius, {}", i,
                                                 quote(outer->text), quote(inner->text)));
    }
  }

  // The conductor of a TEM port is of metal.
  void check_signals() {
    const Node* boundaries = root_.find("boundaries");
    const Node* pec = boundaries == nullptr ? nullptr : boundaries->find("pec");
    if (pec == nullptr) return;
    std::vector<std::string> metal;
    for (const Node* group : children_of(pec)) metal.push_back(group->text);
    for (const Node* group : children_of(boundaries->find("conductor"))) metal.push_back(group->key);
    const std::vector<const Node*> ports = children_of(root_.find("ports"));
    for (std::size_t i = 0; i < ports.size(); ++i) {
      const Node* signal = ports[i]->find("signal");
      if (signal == nullptr || std::find(metal.begin(), metal.end(), signal->text) != metal.end()) continue;
      errors_.add(signal->spot,
                  tetrawave::format("ports.{}.signal: {} is not in boundaries.pec or conductor{}; there: {}", i,
                                    quote(signal->text), did_you_mean(signal->text, metal), list_names(metal)));
    }
  }

  void check_modes() {
    const std::vector<const Node*> ports = children_of(root_.find("ports"));
    for (std::size_t i = 0; i < ports.size(); ++i) {
      const Node* mode = ports[i]->find("mode");
      if (mode == nullptr || mode->invalid || read_waveguide_mode(mode->text)) continue;
      errors_.add(
          mode->spot,
          tetrawave::format("ports.{}.mode: {} is not a mode of a rectangular waveguide; allowed: TEmn with m + n > "
                            "0, TMmn with m, n > 0, such as TE10, TM11 or TE12,0",
                            i, quote(mode->text)));
    }
  }

  void check_s_parameters() {
    const Node* outputs = root_.find("outputs");
    const Node* wanted = outputs == nullptr ? nullptr : outputs->find("s_parameters");
    check_rational_model(outputs, wanted);
    if (wanted == nullptr) return;
    check_band(*wanted);
    const std::optional<std::size_t> driven = count_driven();
    const bool array = root_.find("array") != nullptr;
    const Node* drive = wanted->find("drive");
    const bool harmonic = mode_of(root_) == "frequency-domain" || mode_of(root_) == "fe-iiee";
    const bool together = drive != nullptr && drive->text == "together" && !(drive->is_default && harmonic);
    if (driven == 0)
      errors_.add(wanted->key_spot, "outputs.s_parameters: no port has 'excite'; S-parameters need a driven port");
    else if (driven && *driven > 1 && together && !array)
      errors_.add(wanted->key_spot,
                  tetrawave::format("outputs.s_parameters: {} ports are driven together, so their waves cannot be "
                                    "separated; use 'drive: each' or keep one 'excite'",
                                    *driven));
    if (driven) check_impedances(*wanted, *driven);
    const Node* impedance = wanted->find("impedance");
    if (impedance == nullptr || impedance->invalid || !array) return;
    if (together)
      errors_.add(impedance->spot,
                  "outputs.s_parameters.impedance: active S-parameters of an array are of each port's own impedance; "
                  "leave it out, or use 'drive: each'");
    else if (!impedance->children.empty())
      errors_.add(impedance->spot,
                  "outputs.s_parameters.impedance: an array takes no list; give one impedance for all ports");
  }

  void check_rational_model(const Node* outputs, const Node* s) {
    const Node* model = outputs == nullptr ? nullptr : outputs->find("rational_model");
    if (model == nullptr) return;
    if (s == nullptr)
      errors_.add(model->key_spot, "outputs.rational_model: it is fitted to S-parameters; add outputs.s_parameters");
  }

  // Renormalising mixes the columns of S.
  void check_impedances(const Node& wanted, std::size_t driven) {
    const Node* impedance = wanted.find("impedance");
    if (impedance == nullptr || impedance->invalid) return;
    const std::size_t ports = children_of(root_.find("ports")).size();
    const std::size_t given = impedance->children.size();
    const bool array = root_.find("array") != nullptr;
    if (given > 1 && given != ports && !array)
      errors_.add(impedance->spot, tetrawave::format("outputs.s_parameters.impedance: {} impedances for {} ports; give "
                                                     "one for all, or one per port",
                                                     given, ports));
    if (driven < ports)
      errors_.add(impedance->spot,
                  tetrawave::format("outputs.s_parameters.impedance: {} of {} ports have 'excite'; S is renormalised "
                                    "when all are driven, with 'drive: each'",
                                    driven, ports));
  }

  void check_fields(const Node* fields) {
    if (fields == nullptr || fields->invalid) return;
    if (fields->find("every") == nullptr && fields->find("frequencies") == nullptr && mode_of(root_) != "eigenmode")
      errors_.add(fields->key_spot, mode_of(root_) != "time-domain" && mode_of(root_) != "fetd"
                                        ? "outputs.fields: nothing to write: give 'frequencies'"
                                        : "outputs.fields: nothing to write: give 'every' (steps between snapshots), "
                                          "'frequencies', or both");
    const Node* regions = root_.find("regions");
    const std::vector<const Node*> wanted = children_of(fields->find("regions"));
    for (std::size_t i = 0; i < wanted.size() && regions != nullptr; ++i)
      check_reference(*wanted[i], tetrawave::format("outputs.fields.regions.{}", i), "region", regions->keys());
    check_unique_names(fields->find("cuts"), "outputs.fields.cuts");
    const std::vector<const Node*> cuts = children_of(fields->find("cuts"));
    for (std::size_t i = 0; i < cuts.size(); ++i) {
      const Node* name = cuts[i]->find("name");
      if (name != nullptr && name->text == "regions")
        errors_.add(name->spot, tetrawave::format("outputs.fields.cuts.{}.name: 'regions' is the name of the file of "
                                                  "the regions; give the cut another",
                                                  i));
    }
  }

  // Regions of absorbing layers.
  void check_pml() {
    const Node* boundaries = root_.find("boundaries");
    const Node* pml = boundaries == nullptr ? nullptr : boundaries->find("pml");
    if (pml == nullptr) return;
    const Node* regions = root_.find("regions");
    if (regions == nullptr) return;
    const std::vector<std::string> known = regions->keys();
    for (const Node* name : children_of(pml->find("regions"))) {
      if (std::find(known.begin(), known.end(), name->text) != known.end()) continue;
      errors_.add(name->spot, tetrawave::format("boundaries.pml.regions: {} is not in regions{}; there: {}",
                                                quote(name->text), did_you_mean(name->text, known), list_names(known)));
    }
  }

  void check_band(const Node& wanted) {
    const Node* start = wanted.find("start");
    const Node* stop = wanted.find("stop");
    if (start == nullptr || stop == nullptr || start->number < stop->number) return;
    errors_.add(stop->spot, tetrawave::format("outputs.s_parameters.stop: {} is not above start, {}", quote(stop->text),
                                              quote(start->text)));
  }

  const Node& root_;
  Errors& errors_;
};

}  // namespace

void check_case(const Node& resolved, Errors& errors) { CaseChecker(resolved, errors).run(); }

}  // namespace tetrawave
