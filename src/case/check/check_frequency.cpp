#include "case/check/check_frequency.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "base/error.hpp"
#include "case/check/check_planar.hpp"

namespace tetrawave {

namespace {

class FrequencyChecker {
 public:
  FrequencyChecker(const Node& root, Errors& errors) : root_(root), errors_(errors) {}

  void check_frequency_domain() {
    const Node* s = s_parameters();
    const Node* frequency = root_.find("frequency");
    const bool band =
        s != nullptr && (s->find("start") != nullptr || s->find("stop") != nullptr || s->find("points") != nullptr);
    const bool wrong = std::any_of(root_.children.begin(), root_.children.end(),
                                   [](const Node& part) { return part.key == "frequency" && part.invalid; });
    if (frequency == nullptr && !wrong && !band)
      errors_.add(root_.key_spot,
                  tetrawave::format("the key 'frequency' is missing: mode {} needs it, or start, stop and points in "
                                    "outputs.s_parameters",
                                    mode_of(root_)));
    const auto gives_frequencies = [](const Node& key) { return key.key == "start" || key.key == "values"; };
    if (frequency != nullptr && !frequency->invalid && !band &&
        std::none_of(frequency->children.begin(), frequency->children.end(), gives_frequencies))
      errors_.add(frequency->key_spot,
                  "frequency: 'start', 'stop' and 'points', or 'values', are missing, here or in outputs.s_parameters");
    if (band) require_band(*s);
    if (frequency != nullptr && !frequency->invalid) check_values(*frequency);
    check_drive();
    check_plane_waves();
    check_monostatic();
    check_near_fields();
    check_iiee();
  }

  void check_implicit_march() {
    check_marches();
    check_newmark_step();
  }

  void check_marches() {
    check_drive_of_march();
    if (const Node* s = s_parameters()) require_band(*s);
    for (const char* list : {"ports", "sources"}) {
      const Node* items = root_.find(list);
      for (std::size_t i = 0; items != nullptr && i < items->children.size(); ++i) {
        const Node& item = items->children[i];
        if (item.invalid || item.kind != Node::Kind::map) continue;
        const bool port = std::string_view(list) == "ports";
        const Node* driven = port ? item.find("excite") : &item;
        if (driven == nullptr || driven->invalid) continue;
        require(*driven, "waveform", tetrawave::format("{}.{}{}", list, i, port ? ".excite" : ""));
      }
    }
  }

 private:
  [[nodiscard]] const Node* s_parameters() const {
    const Node* outputs = root_.find("outputs");
    const Node* s = outputs == nullptr ? nullptr : outputs->find("s_parameters");
    return s == nullptr || s->invalid || s->kind != Node::Kind::map ? nullptr : s;
  }

  void require(const Node& node, const char* key, const std::string& path) {
    for (const Node& child : node.children)
      if (child.key == key) return;
    errors_.add(node.key_spot, tetrawave::format("{}: the key '{}' is missing", path, key));
  }

  void require_band(const Node& s) {
    for (const char* key : {"start", "stop", "points"}) require(s, key, "outputs.s_parameters");
  }

  void check_values(const Node& frequency) {
    const Node* start = frequency.find("start");
    const Node* stop = frequency.find("stop");
    const Node* points = frequency.find("points");
    const bool many = points != nullptr && points->number > 1;
    if (start != nullptr && stop != nullptr && (many ? stop->number <= start->number : stop->number < start->number))
      errors_.add(stop->spot, tetrawave::format("frequency.stop: {} is not above start, {}", quote(stop->text),
                                                quote(start->text)));
    const Node* values = frequency.find("values");
    for (std::size_t i = 1; values != nullptr && i < values->children.size(); ++i)
      if (values->children[i].number <= values->children[i - 1].number)
        errors_.add(values->children[i].spot,
                    tetrawave::format("frequency.values.{}: {} is not above the one before it, {}; list them in "
                                      "ascending order",
                                      i, quote(values->children[i].text), quote(values->children[i - 1].text)));
  }

  // The trapezoidal rule is stable with every step.
  void check_newmark_step() {
    const Node* method = root_.find("method");
    const Node* cfl = method == nullptr ? nullptr : method->find("cfl");
    const Node* newmark = root_.find("newmark");
    const Node* beta = newmark == nullptr ? nullptr : newmark->find("beta");
    if (cfl == nullptr || cfl->invalid || beta == nullptr || beta->invalid || beta->number >= 0.25) return;
    const double most = 1 / std::sqrt(1 - 4 * beta->number);
    if (cfl->number > most)
      errors_.add(cfl->spot, tetrawave::format("method.cfl: {} is out of range; allowed with newmark.beta {}: above 0 "
                                               "and at most {:.4g}",
                                               quote(cfl->text), quote(beta->text), most));
  }

  static bool is_zero(const Node* amplitude) {
    return amplitude != nullptr && !amplitude->invalid && amplitude->number == 0;
  }

  /// The amplitudes of an array, if no cell is driven.
  const Node* array_amplitudes_of_zero() const {
    const Node* array = root_.find("array");
    const Node* excitation = array == nullptr ? nullptr : array->find("excitation");
    const Node* amplitude = excitation == nullptr ? nullptr : excitation->find("amplitude");
    const bool is_off =
        amplitude != nullptr && !amplitude->invalid && !amplitude->children.empty() &&
        std::all_of(amplitude->children.begin(), amplitude->children.end(), [](const Node& n) { return is_zero(&n); });
    return is_off ? amplitude : nullptr;
  }

  struct Drive {
    bool any = false;     ///< of a port or source; also if an invalid one may be it
    bool is_off = false;  ///< there are some, all of amplitude 0
    Spot place;           ///< of such an amplitude
    std::string path;
  };
  Drive find_drive() const {
    Drive drive;
    const Node* of_array = array_amplitudes_of_zero();
    for (const char* list : {"ports", "sources", "plane_waves"}) {
      for (const Node& part : root_.children)
        if (part.key == list && part.invalid) return {true, false, {}, {}};
      const Node* items = root_.find(list);
      for (std::size_t i = 0; items != nullptr && i < items->children.size(); ++i) {
        const bool port = std::string_view(list) == "ports";
        const Node* driven = port ? items->children[i].find("excite") : &items->children[i];
        if (driven == nullptr) continue;
        const Node* own = driven->find("amplitude");
        const Node* zero = is_zero(own) ? own : port ? of_array : nullptr;
        drive.any = true;
        if (zero == nullptr) return {true, false, {}, {}};
        if (drive.is_off) continue;
        drive.is_off = true;
        drive.place = zero->spot;
        drive.path = zero == of_array ? "array.excitation.amplitude"
                                      : tetrawave::format("{}.{}.{}amplitude", list, i, port ? "excite." : "");
      }
    }
    return drive;
  }

  void check_drive() {
    const Drive drive = find_drive();
    if (drive.is_off)
      refuse_zero(drive);
    else if (!drive.any)
      errors_.add(root_.key_spot, tetrawave::format("nothing is driven: mode {} needs a port with 'excite', one of "
                                                    "'sources' or of 'plane_waves'",
                                                    mode_of(root_)));
  }
  void refuse_zero(const Drive& drive) {
    errors_.add(drive.place, tetrawave::format("{}: nothing is driven, as all amplitudes are 0: give {} another",
                                               drive.path, drive.path[0] == 'a' ? "a cell" : "one"));
  }
  /// Given fields need no drive; S-parameters do.
  void check_drive_of_march() {
    const Drive drive = find_drive();
    if (drive.is_off && (root_.find("initial_fields") == nullptr || s_parameters() != nullptr)) refuse_zero(drive);
  }

  static std::size_t count_angles(const Node* angles) {
    if (angles == nullptr || angles->invalid || angles->kind == Node::Kind::scalar) return 1;
    if (angles->kind == Node::Kind::list) return angles->children.size();
    const Node* points = angles->find("points");
    return points == nullptr ? 1 : static_cast<std::size_t>(points->number);
  }

  static std::size_t count_waves(const Node* waves) {
    std::size_t count = 0;
    for (std::size_t w = 0; waves != nullptr && w < waves->children.size(); ++w)
      count += count_angles(waves->children[w].find("theta")) * count_angles(waves->children[w].find("phi"));
    return count;
  }

  void check_monostatic() {
    const Node* outputs = root_.find("outputs");
    const Node* far_field = outputs == nullptr ? nullptr : outputs->find("far_field");
    const Node* monostatic = far_field == nullptr ? nullptr : far_field->find("monostatic");
    const Node* waves = root_.find("plane_waves");
    if (monostatic == nullptr || monostatic->text != "true") return;
    if (waves == nullptr || (!waves->invalid && waves->children.empty()))
      errors_.add(monostatic->spot, "outputs.far_field.monostatic: it needs 'plane_waves', and there are none");
  }

  void check_near_fields() {
    const Node* outputs = root_.find("outputs");
    const Node* near = outputs == nullptr ? nullptr : outputs->find("near_field");
    for (std::size_t i = 0; near != nullptr && i < near->children.size(); ++i) {
      const Node& item = near->children[i];
      if (item.invalid || item.kind != Node::Kind::map) continue;
      if (outputs->find("far_field") == nullptr && mode_of(root_) != "fe-iiee")
        errors_.add(
            item.spot,
            tetrawave::format("outputs.near_field.{}: mode {} computes it from the surface of outputs.far_field, which "
                              "is missing",
                              i, mode_of(root_)));
      const auto is_place = [](const Node& key) {
        return key.key == "points" || key.key == "line" || key.key == "plane";
      };
      const auto places = std::count_if(item.children.begin(), item.children.end(), is_place);
      if (places != 1)
        errors_.add(
            item.spot,
            tetrawave::format("outputs.near_field.{}: {} of 'points', 'line' and 'plane' are given; give exactly one",
                              i, places));
      const Node* hz = item.find("frequencies");
      for (std::size_t k = 1; hz != nullptr && !hz->invalid && k < hz->children.size(); ++k)
        if (hz->children[k].number <= hz->children[k - 1].number)
          errors_.add(hz->children[k].spot,
                      tetrawave::format("outputs.near_field.{}.frequencies.{}: {} is not above the one before it, {}; "
                                        "list them in ascending order",
                                        i, k, quote(hz->children[k].text), quote(hz->children[k - 1].text)));
    }
  }

  // Right-hand sides are named after ports, those of waves wave-0, wave-1, ..
  void check_plane_waves() {
    const Node* waves = root_.find("plane_waves");
    const std::size_t count = count_waves(waves);
    constexpr std::size_t most = 10000;
    if (count > most)
      errors_.add(waves->key_spot, tetrawave::format("plane_waves: {} waves are too many right-hand sides; allowed: at "
                                                     "most {}",
                                                     count, most));
    const Node* ports = root_.find("ports");
    for (std::size_t p = 0; ports != nullptr && p < ports->children.size(); ++p) {
      const Node* name = ports->children[p].find("name");
      for (std::size_t w = 0; name != nullptr && w < count; ++w)
        if (name->text == tetrawave::format("wave-{}", w))
          errors_.add(name->spot, tetrawave::format("ports.{}.name: '{}' is the name of one of 'plane_waves' in the "
                                                    "results; give the port another",
                                                    p, name->text));
    }
  }

  void check_iiee() {
    const Node* iiee = root_.find("iiee");
    const Node* outer = iiee == nullptr ? nullptr : iiee->find("outer");
    const Node* inner = iiee == nullptr ? nullptr : iiee->find("inner");
    if (mode_of(root_) != "fe-iiee" || outer == nullptr) return;
    const auto check_inner = [&](const Node& name) {
      if (name.text == outer->text)
        errors_.add(name.spot, tetrawave::format("iiee.inner: {} is iiee.outer too; the currents lie on another "
                                                 "surface, inside of it",
                                                 quote(name.text)));
    };
    if (inner != nullptr && inner->kind == Node::Kind::scalar) check_inner(*inner);
    if (inner != nullptr)
      for (const Node& name : inner->children) check_inner(name);
    const Node* boundaries = root_.find("boundaries");
    for (const char* key : {"pec", "pmc", "impedance", "conductor"}) {
      const Node* groups = boundaries == nullptr ? nullptr : boundaries->find(key);
      for (std::size_t i = 0; groups != nullptr && i < groups->children.size(); ++i) {
        const Node& group = groups->children[i];
        if ((groups->kind == Node::Kind::map ? group.key : group.text) != outer->text) continue;
        errors_.add(outer->spot, tetrawave::format("iiee.outer: {} is the end of the mesh towards open space; leave it "
                                                   "out of boundaries.{}",
                                                   quote(outer->text), key));
      }
    }
  }

  const Node& root_;
  Errors& errors_;
};

}  // namespace

std::string_view mode_of(const Node& root) {
  const Node* mode = root.find("mode");
  return mode == nullptr || mode->invalid ? std::string_view() : std::string_view(mode->text);
}

void check_frequency(const Node& root, Errors& errors) {
  const std::string_view mode = mode_of(root);
  FrequencyChecker checker(root, errors);
  if (mode == "frequency-domain" || mode == "fe-iiee")
    checker.check_frequency_domain();
  else if (mode == "time-domain")
    checker.check_marches();
  else if (mode == "fetd")
    checker.check_implicit_march();
  check_planar(root, errors);
}

}  // namespace tetrawave
