#include "case/read_case.hpp"

#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "base/constants.hpp"
#include "base/error.hpp"
#include "catch.hpp"

namespace fs = std::filesystem;
using namespace tetrawave;
using tetrawave_tests::Approx;
using tetrawave_tests::ContainsSubstring;

namespace {

// A directory of its own with a case in it and the files it names.
class Workplace {
 public:
  explicit Workplace(const std::string& yaml) {
    directory_ = fs::temp_directory_path() / ("tetrawave_case_" + std::to_string(counter_++) + "_" + unique());
    fs::create_directories(directory_ / "in");
    write("in/case.yaml", yaml);
    write("line.geo", "// geometry\n");
    write("in/drive.txt", "0 0\n1e-9 1\n");
  }
  ~Workplace() { fs::remove_all(directory_); }
  Workplace(const Workplace&) = delete;
  Workplace& operator=(const Workplace&) = delete;

  [[nodiscard]] fs::path file() const { return directory_ / "in/case.yaml"; }
  [[nodiscard]] fs::path directory() const { return directory_; }
  void write(const std::string& name, const std::string& text) const {
    std::ofstream(directory_ / name, std::ios::binary) << text;
  }
  [[nodiscard]] Case read(const std::vector<std::string>& overrides = {}) const { return read_case(file(), overrides); }

 private:
  static std::string unique() { return std::to_string(getpid()); }
  static inline int counter_ = 0;
  fs::path directory_;
};

const std::string minimal = R"(mesh: {box: {size: [10, 10 mm, 2], cells: [8, 8, 16]}}
units: cm
materials: {air: {}}
regions: {box: air}
time: {steps: 40000}
)";

const std::string full = R"yaml(title: "Line: \"a\" & b"
mode: time-domain
units: mm
mesh:
  file: ../line.geo
  parameters: {gap: 1.0, "Parameters/n": -3, width: 0.3, long: 2.5 cm}
  size: 0.5
materials:
  air:
  substrate: {eps_r: 3.64, mu_r: 2, sigma: 6.29e-3 S/m, sigma_m: 4 kohm/m, electric_dispersion: [], kerr: {chi3: 0}}
regions: {line: substrate, feed1: air}
boundaries: {pec: [plates, walls], pmc: [], absorbing: [outside], default: pmc}
ports:
  - {name: p1, boundary: a, type: coaxial, excite: {waveform: pulse, amplitude: 2 V, delay: 3 ps}}
  - name: p2
    boundary: b
    type: coaxial
    centre: [0, 1.5, 2 cm]
    axis: [0, 0, 2]
    inner_radius: 1
    outer_radius: 2.3 mm
    excite: {waveform: drive}
waveforms:
  pulse: {type: modulated-gaussian, frequency: 5 GHz, bandwidth: 10 GHz}
  bell: {type: gaussian, width: 0.2 ps}
  step: {type: derivative-gaussian, width: 1e-10, delay: 1 ns}
  tone: {type: sine, frequency: 2e9, rise: 0}
  own: {type: expression, expression: "sin(t), t"}
  drive: {type: table, file: drive.txt}
initial_fields:
  E: ["0", "sin(pi*x/0.02)", 1e-3]
method: {basis: mixed-1, precision: single, time_step: 0.2 ps, allow_unstable: true}
time: {end: 8 ns}
outputs:
  probes:
    - {name: centre, point: [0, 0, 5], fields: [H], every: 3}
  s_parameters: {start: 0.1 GHz, stop: 10 GHz, points: 496, drive: each}
  energy: {every: 100}
run: {threads: 3}
)yaml";

}  // namespace

TEST_CASE("a case with nothing but the needed keys gets every default of the contract") {
  const Workplace place(minimal);
  const Case given = place.read();
  CHECK(given.title.empty());
  CHECK(given.file == place.file());
  CHECK(given.unit_m == 0.01);
  const auto& box = std::get<BoxMesh>(given.mesh);
  CHECK(box.size_m == Vec3{0.1, 0.01, 0.02});
  CHECK(box.cells == std::array<std::int64_t, 3>{8, 8, 16});
  CHECK(box.jitter == 0);
  CHECK(box.seed == 1);
  REQUIRE(given.materials.size() == 1);
  CHECK(given.materials[0].eps_r == 1);
  CHECK(given.materials[0].mu_r == 1);
  CHECK(given.materials[0].sigma_s_per_m == 0);
  CHECK(given.materials[0].sigma_m_ohm_per_m == 0);
  CHECK(given.boundaries.empty());
  CHECK_FALSE(given.default_boundary);
  CHECK(given.ports.empty());
  CHECK_FALSE(given.initial_fields);
  CHECK(given.method.scheme == Scheme::dgtd_central);
  CHECK(given.method.basis == Space::full_1);
  CHECK(given.method.precision == Precision::double_precision);
  CHECK(given.method.cfl == 0.9);
  CHECK_FALSE(given.method.time_step_s);
  CHECK_FALSE(given.method.allow_unstable);
  CHECK(given.time.steps == 40000);
  CHECK_FALSE(given.time.end_s);
  CHECK_FALSE(given.outputs.s_parameters);
  CHECK_FALSE(given.outputs.energy_every);
  CHECK(given.run.threads == 0);
}

TEST_CASE("lengths, frequencies and other quantities arrive in SI units") {
  const Workplace place(full);
  const Case given = place.read();
  const auto& mesh = std::get<MeshInput>(given.mesh);
  CHECK(mesh.file == place.directory() / "line.geo");
  CHECK(mesh.parameters ==
        std::map<std::string, double>{{"gap", 1.0}, {"Parameters/n", -3.0}, {"width", 0.3}, {"long", 25.0}});
  CHECK(mesh.size_m == 0.5e-3);
  CHECK(mesh.order == 0);
  CHECK(given.materials[1].name == "substrate");
  CHECK(given.materials[1].eps_r == 3.64);
  CHECK(given.materials[1].sigma_s_per_m == 6.29e-3);
  CHECK(given.materials[1].sigma_m_ohm_per_m == 4000);
  CHECK(given.method.time_step_s == 0.2e-12);
  CHECK(given.time.end_s == 8e-9);
  CHECK(given.outputs.probes[0].point_m == Vec3{0, 0, 5e-3});
  CHECK(given.outputs.probes[0].every == 3);
  CHECK_FALSE(given.outputs.probes[0].electric);
  CHECK(given.outputs.probes[0].magnetic);
  REQUIRE(given.outputs.s_parameters);
  CHECK(given.outputs.s_parameters->start_hz == 0.1e9);
  CHECK(given.outputs.s_parameters->stop_hz == 10e9);
  CHECK(given.outputs.s_parameters->points == 496);
  CHECK(given.outputs.s_parameters->drive_each);
  CHECK(given.outputs.energy_every == 100);
}

TEST_CASE("regions, boundaries and ports are read in the order written") {
  const Case given = Workplace(full).read();
  REQUIRE(given.regions.size() == 2);
  CHECK(given.regions[0].volume == "line");
  CHECK(given.regions[0].material == "substrate");
  REQUIRE(given.boundaries.size() == 3);
  CHECK(given.boundaries[1].group == "walls");
  CHECK(given.boundaries[1].kind == BoundaryKind::pec);
  CHECK(given.boundaries[2].kind == BoundaryKind::absorbing);
  CHECK(given.default_boundary == BoundaryKind::pmc);
  REQUIRE(given.ports.size() == 2);
  CHECK(given.ports[0].excite->amplitude == 2);
  CHECK(given.ports[0].excite->delay_s == 3e-12);
  CHECK_FALSE(given.ports[0].centre_m);
  CHECK(given.ports[1].centre_m == Vec3{0, 1.5e-3, 2e-2});
  CHECK(given.ports[1].axis == Vec3{0, 0, 2});
  CHECK(given.ports[1].inner_radius_m == 1e-3);
  CHECK(given.ports[1].outer_radius_m == 2.3e-3);
  CHECK(given.ports[1].excite->amplitude == 1);
}

TEST_CASE("waveforms get their default delays, and tables absolute names") {
  const Workplace place(full);
  const std::vector<WaveformShape> waveforms = place.read().waveforms;
  REQUIRE(waveforms.size() == 6);
  CHECK(waveforms[0].delay_s.value() == Approx(6 * std::sqrt(2 * std::log(10.0)) / (pi * 10e9)).epsilon(1e-14));
  CHECK(waveforms[1].width_s == 0.2e-12);
  CHECK(waveforms[1].delay_s == 6 * 0.2e-12);
  CHECK(waveforms[2].delay_s == 1e-9);
  CHECK(waveforms[3].type == WaveformType::sine);
  CHECK_FALSE(waveforms[3].delay_s);
  CHECK(waveforms[4].expression == "sin(t), t");
  CHECK(waveforms[5].table == place.directory() / "in/drive.txt");
}

TEST_CASE("initial fields are expressions, absent ones zero") {
  const Case given = Workplace(full).read();
  REQUIRE(given.initial_fields);
  CHECK(given.initial_fields->electric == std::array<std::string, 3>{"0", "sin(pi*x/0.02)", "1e-3"});
  CHECK(given.initial_fields->magnetic == std::array<std::string, 3>{"0", "0", "0"});
}

TEST_CASE("every part knows its place in the file as it was typed") {
  const Workplace place(full);
  const Case given = place.read({"method.time_step=1 ps", "regions.feed1=substrate"});
  const std::string file = place.file().string();
  CHECK(given.materials[1].place.text == file + ":10:3");
  CHECK(given.regions[0].place.text == file + ":11:11");
  CHECK(given.regions[1].place.text == "--set regions.feed1");
  CHECK(given.boundaries[1].place.text == file + ":12:28");
  CHECK(given.ports[0].place.text == file + ":14:5");
  CHECK(given.ports[1].boundary_place.text == file + ":16:15");
  CHECK(given.waveforms[4].value_place.text == file + ":28:39");
  CHECK(given.initial_fields->electric_places[1].text == file + ":31:12");
  CHECK(given.method.step_place.text == "--set method.time_step");
  CHECK(given.outputs.probes[0].point_place.text == file + ":36:29");
}

TEST_CASE("a value of the command line wins over the file") {
  const Workplace place(full);
  const Case given =
      place.read({"ports.0.excite.amplitude=7", "run.threads=1", "run.threads=2", "units=m", "ports.1.outer_radius=3",
                  "materials.air={eps_r: 2}", "outputs.probes.0.point=[1, 2 mm, 3]", "mesh.size=1 cm",
                  "title='a b: c=d'", "outputs.energy.every=5"});
  CHECK(given.ports[0].excite->amplitude == 7);
  CHECK(given.run.threads == 2);
  CHECK(given.title == "a b: c=d");
  CHECK(given.ports[1].outer_radius_m == 3.0);
  CHECK(given.unit_m == 1);
  CHECK(given.materials[0].eps_r == 2);
  CHECK(given.outputs.probes[0].point_m == Vec3{1, 2e-3, 3});
  CHECK(std::get<MeshInput>(given.mesh).size_m == 0.01);
  CHECK(given.outputs.energy_every == 5);
}

TEST_CASE("a value of the command line may add keys that the file leaves out") {
  const Case given =
      Workplace(minimal).read({"method.basis=mixed-1", "outputs.energy.every=5", "materials.fr4.eps_r=4"});
  CHECK(given.method.basis == Space::mixed_1);
  CHECK(given.outputs.energy_every == 5);
  CHECK(given.materials[1].name == "fr4");
}

TEST_CASE("a key with dots is found by the path of a command-line value") {
  const Workplace place(minimal + "waveforms: {v1.0: {type: gaussian, width: 1 ns}}\n");
  CHECK(place.read({"waveforms.v1.0.width=2 ns"}).waveforms[0].width_s == 2e-9);
}

TEST_CASE("a byte order mark, Windows line ends and a document marker are accepted") {
  std::string text = "\xEF\xBB\xBF---\n" + minimal + "...\n";
  for (std::size_t at = 0; (at = text.find('\n', at)) != std::string::npos; at += 2) text.replace(at, 1, "\r\n");
  CHECK(Workplace(text).read().time.steps == 40000);
}

TEST_CASE("parts to come are accepted where they say what is done anyway") {
  const Workplace place(minimal + R"(ports: []
sources: []
boundaries: {impedance: {}}
method: {local_time_stepping: {max_classes: 1}, kerr: {iteration: newton, tolerance: 1.0e-10, max_iterations: 30}}
)");
  CHECK(place.read().method.cfl == 0.9);
}

TEST_CASE("a step above the stable one is taken where it is allowed") {
  CHECK(Workplace(minimal + "method: {cfl: 1.2, allow_unstable: true}\n").read().method.cfl == 1.2);
}

TEST_CASE("the resolved case reads back as the same case and resolves to itself") {
  for (const std::string& text : {minimal, full}) {
    const Workplace place(text);
    const Case first = place.read({"run.threads=5"});
    CHECK_THAT(first.resolved_yaml, ContainsSubstring("threads: 5"));
    const Workplace elsewhere(first.resolved_yaml);
    const Case again = elsewhere.read();
    CHECK(again.resolved_yaml == first.resolved_yaml);
    CHECK(again.title == first.title);
    CHECK(again.run.threads == 5);
    CHECK(again.waveforms.size() == first.waveforms.size());
    for (std::size_t i = 0; i < first.waveforms.size(); ++i) {
      CHECK(again.waveforms[i].delay_s == first.waveforms[i].delay_s);
      CHECK(again.waveforms[i].table == first.waveforms[i].table);
    }
  }
}

TEST_CASE("the resolved case writes defaults, absolute names and shortest numbers") {
  const Workplace place(full);
  const std::string text = place.read({"mesh.size=5.00e-1", "method.time_step=0.100e1 ps"}).resolved_yaml;
  CHECK_THAT(text, ContainsSubstring("file: " + (place.directory() / "line.geo").string() + "\n"));
  CHECK_THAT(text, ContainsSubstring("  size: 0.5\n"));
  CHECK_THAT(text, ContainsSubstring("  time_step: \"1 ps\"\n"));
  CHECK_THAT(text, ContainsSubstring("  scheme: dgtd-central\n"));
  CHECK_THAT(text, ContainsSubstring("    delay: 1.2000000000000001e-12\n"));
  CHECK(text.find("cfl") == std::string::npos);
}

TEST_CASE("missing files alone give exit code 66, a bad override path 64, anything else 78") {
  const auto code = [](const std::string& text, const std::vector<std::string>& overrides) {
    try {
      (void)Workplace(text).read(overrides);
    } catch (const UserError& error) {
      return static_cast<int>(error.code());
    }
    return 0;
  };
  CHECK(code(full, {"mesh.file=gone.msh"}) == 66);
  CHECK(code(full, {"mesh.file=gone.msh", "run.threads=-1"}) == 78);
  CHECK(code(full, {"mesh.file=gone.msh", "run.thread=1"}) == 64);
}

TEST_CASE("a key given by --set replaces its alternatives in the file, and what needs them") {
  const Case given =
      Workplace(full).read({"time.steps=12", "method.time_step=1 ps", "mesh.box={size: [1, 2, 3], cells: [1, 1, 1]}"});
  CHECK(given.time.steps == 12);
  CHECK_FALSE(given.time.end_s);
  CHECK(given.method.time_step_s == 1e-12);
  CHECK(std::holds_alternative<BoxMesh>(given.mesh));
  CHECK(Workplace(minimal).read({"time.end=3 ns"}).time.end_s == 3e-9);
  CHECK_THROWS_AS(Workplace(minimal).read({"time.end=3 ns", "time.steps=4"}), UserError);
}

TEST_CASE("ends of a band given by --set keep the number of its points, and a list replaces all three") {
  const Workplace place(R"(mode: frequency-domain
mesh: {box: {size: [1, 1, 1], cells: [2, 2, 2]}}
materials: {air: {}}
regions: {box: air}
boundaries: {absorbing: [x0, x1, y0, y1, z0, z1]}
plane_waves: [{theta: 0, phi: 0, polarization: theta}]
frequency: {start: 1 GHz, stop: 2 GHz, points: 3}
)");
  const auto hz = [&](const std::vector<std::string>& overrides) { return place.read(overrides).frequency.values_hz; };
  CHECK(hz({"frequency.start=1.2 GHz", "frequency.stop=2.2 GHz"}) == std::vector<double>{1.2e9, 1.7e9, 2.2e9});
  CHECK(hz({"frequency.stop=3 GHz"}) == std::vector<double>{1e9, 2e9, 3e9});
  CHECK(hz({"frequency.values=[4 GHz]"}) == std::vector<double>{4e9});
}

TEST_CASE("a key of the iteration selects it, or is ignored") {
  const std::string head = R"(mode: frequency-domain
mesh: {box: {size: [1, 1, 1], cells: [2, 2, 2]}}
materials: {air: {}}
regions: {box: air}
boundaries: {pec: [x0, x1], absorbing: [y0, y1, z0, z1]}
plane_waves: [{theta: 0, phi: 0, polarization: theta}]
frequency: {values: [1 GHz]}
)";
  using Keys = std::vector<std::string>;
  const auto read = [&](const std::string& solver, const Keys& overrides = {}) {
    return Workplace(head + solver).read(overrides).solver;
  };
  CHECK(read("").method == SolverMethod::direct);
  CHECK(read("solver: {assembly: by-row}\n").method == SolverMethod::direct);
  CHECK(read("solver: {relaxation: 0.42}\n").method == SolverMethod::bicgstab);
  CHECK(read("", {"solver.relaxation=0.42"}).method == SolverMethod::bicgstab);
  for (const SolverOptions& spec :
       {read(""), read("solver: {relaxation: 0.42}\n"),
        read("solver: {method: direct, assembly: atomic, tolerance: 1.0e-3}\n"), read("", {"solver.method=direct"}),
        read("solver: {method: bicgstab, relaxation: 1}\n")})
    CHECK(spec.idle_keys.empty());
  CHECK(read("solver: {matrix_format: csr, method: direct, diagonal_scaling: true}\n").idle_keys ==
        Keys{"diagonal_scaling", "matrix_format"});
  CHECK(read("solver: {preconditioner: ilu, max_iterations: 7}\n", {"solver.method=direct"}).idle_keys ==
        Keys{"preconditioner", "max_iterations"});
  CHECK(read("", {"solver.relaxation=0.5", "solver.method=direct"}).idle_keys == Keys{"relaxation"});
  CHECK(read("solver: {preconditioner: ilu, relaxation: 0.5}\n").idle_keys == Keys{"relaxation"});
  CHECK(read("solver: {preconditioner: ssor, relaxation: 0.5}\n").idle_keys.empty());
  CHECK(read("solver: {preconditioner: ilu, drop_tolerance: 0}\n").idle_keys == Keys{"drop_tolerance"});
  const SolverOptions fills = read("solver: {preconditioner: ilut, fill: 7}\n");
  CHECK(fills.idle_keys.empty());
  CHECK(fills.preconditioner == Preconditioner::ilut);
  CHECK(fills.fill_in.per_side == 7);
  CHECK(fills.fill_in.drop_tolerance == 1e-2);
}

TEST_CASE("preconditioner and relaxation have the defaults that were measured for the mode") {
  const std::string head = R"(
mesh: {box: {size: [1, 1, 1], cells: [2, 2, 2]}}
materials: {air: {}}
regions: {box: air}
boundaries: {absorbing: [x0, x1, y0, y1, z0, z1]}
)";
  const std::string harmonic = head + R"(mode: frequency-domain
plane_waves: [{theta: 0, phi: 0, polarization: theta}]
frequency: {values: [1 GHz]}
)";
  const std::string implicit = head + "mode: fetd\ntime: {steps: 1}\nmethod: {basis: mixed-1, time_step: 1 ps}\n";
  const auto check = [](const std::string& text, Preconditioner preconditioner, double relaxation) {
    INFO(text);
    const SolverOptions spec = Workplace(text).read().solver;
    CHECK(spec.preconditioner == preconditioner);
    CHECK(spec.relaxation == relaxation);
    CHECK(spec.format == MatrixFormat::csr);
    CHECK(spec.idle_keys.empty());
  };
  for (const char* rest : {"", "solver: {method: direct}\n", "solver: {method: bicgstab}\n"}) {
    check(harmonic + rest, Preconditioner::ssor, 1);
    check(implicit + rest, Preconditioner::jacobi, 1);
  }
  for (const std::string& text : {harmonic, implicit}) {
    check(text + "solver: {preconditioner: ssor}\n", Preconditioner::ssor, 1);
    check(text + "solver: {preconditioner: ilu}\n", Preconditioner::ilu, 1);
    check(text + "solver: {preconditioner: ssor-ai, relaxation: 0.5}\n", Preconditioner::ssor_ai, 0.5);
  }
  check(harmonic + "solver: {preconditioner: ssor-ai}\n", Preconditioner::ssor_ai, 0.42);
  check(implicit + "solver: {preconditioner: ssor-ai}\n", Preconditioner::ssor_ai, 0.3);
}

TEST_CASE("inches and mils are lengths, and units of a case") {
  const Workplace place(
      "mesh: {box: {size: [10, 2 inch, 3 mm], cells: [1, 1, 1]}}\nunits: mil\nmaterials: {air: {}}\n"
      "regions: {box: air}\ntime: {steps: 1}\n");
  const Case given = place.read();
  CHECK(given.unit_m == Approx(25.4e-6));
  const auto& box = std::get<BoxMesh>(given.mesh);
  CHECK(box.size_m[0] == Approx(254e-6));
  CHECK(box.size_m[1] == Approx(50.8e-3));
  CHECK(box.size_m[2] == Approx(3e-3));
  CHECK(place.read({"units=inch"}).unit_m == Approx(25.4e-3));
}

TEST_CASE("in the frequency domain several driven ports have a right-hand side each, unless the case says otherwise") {
  const std::string ports =
      "mesh: {box: {size: [1, 1, 1], cells: [1, 1, 1]}}\nmaterials: {air: {}}\nregions: {box: air}\n"
      "mode: frequency-domain\nports: [{name: a, boundary: x0, type: coaxial, excite: {}}, "
      "{name: b, boundary: x1, type: coaxial, excite: {}}]\nfrequency: {values: [1 GHz]}\n"
      "outputs: {s_parameters: {}}\n";
  CHECK(Workplace(ports).read().outputs.s_parameters->drive_each);
  CHECK_FALSE(
      Workplace(ports).read({"ports.1={name: b, boundary: x1, type: coaxial}"}).outputs.s_parameters->drive_each);
  CHECK_THROWS_AS(Workplace(ports).read({"outputs.s_parameters.drive=together"}), UserError);
}
