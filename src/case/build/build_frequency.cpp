#include "case/build/build_frequency.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "case/build/build_far_field.hpp"
#include "case/yaml/node_values.hpp"

namespace tetrawave {

namespace {

/// Keys of `solver` that its method and preconditioner do not use.
std::vector<std::string> unused_keys(const Node& solver) {
  const std::string preconditioner = text(solver, "preconditioner");
  if (text(solver, "method") == "direct")
    return {"preconditioner", "diagonal_scaling", "relaxation", "max_iterations", "matrix_format",
            "fill",           "drop_tolerance",   "exchange"};
  std::vector<std::string> keys{"precision"};
  if (preconditioner != "ilut") keys.insert(keys.end(), {"fill", "drop_tolerance"});
  if (preconditioner != "ssor" && preconditioner != "ssor-ai" && preconditioner != "p-multigrid")
    keys.emplace_back("relaxation");
  return keys;
}

SolverOptions solver(const Node& node, const Errors& errors) {
  SolverOptions spec;
  spec.method = choose<SolverMethod>(
      child(node, "method"),
      {{"bicgstab", SolverMethod::bicgstab}, {"gmres", SolverMethod::gmres}, {"direct", SolverMethod::direct}});
  spec.preconditioner =
      choose<Preconditioner>(child(node, "preconditioner"), {{"none", Preconditioner::none},
                                                             {"jacobi", Preconditioner::jacobi},
                                                             {"ssor", Preconditioner::ssor},
                                                             {"ssor-ai", Preconditioner::ssor_ai},
                                                             {"ilu", Preconditioner::ilu},
                                                             {"ilut", Preconditioner::ilut},
                                                             {"p-multigrid", Preconditioner::p_multigrid},
                                                             {"oras", Preconditioner::oras}});
  spec.diagonal_scaling = text(node, "diagonal_scaling") == "true";
  spec.relaxation = number(node, "relaxation");
  spec.fill_in = {whole(child(node, "fill")), number(node, "drop_tolerance")};
  spec.tolerance = number(node, "tolerance");
  spec.max_iterations = whole(child(node, "max_iterations"));
  spec.assembly = choose<AssemblyMethod>(
      child(node, "assembly"),
      {{"atomic", AssemblyMethod::atomic}, {"by-dof", AssemblyMethod::by_dof}, {"by-row", AssemblyMethod::by_row}});
  spec.format =
      choose<MatrixFormat>(child(node, "matrix_format"), {{"csr", MatrixFormat::csr}, {"jad", MatrixFormat::jad}});
  for (const std::string& key : unused_keys(node))
    if (const Node* given = node.find(key); given != nullptr && !given->is_default) spec.idle_keys.push_back(key);
  if (const Node* ranks = node.find("ranks")) spec.shares_system = ranks->text == "system";
  if (const Node* exchange = node.find("exchange"))
    spec.exchange = exchange->text == "gather" ? VectorExchange::gather : VectorExchange::halo;
  spec.mixed_precision = text(node, "precision") == "mixed";
  spec.place = {errors.place(node.key_spot)};
  return spec;
}

/// An iteration if a key of it is given, else direct.
void fill_method(Node& given) {
  if (given.find("method") != nullptr) return;
  const bool iterates = std::any_of(given.children.begin(), given.children.end(), [](const Node& key) {
    return key.key != "assembly" && key.key != "precision" && key.key != "ranks" && !key.is_default;
  });
  const Node* preconditioner = given.find("preconditioner");
  const Node* ranks = given.find("ranks");
  const bool by_parts =
      preconditioner != nullptr && preconditioner->text == "oras" && ranks != nullptr && ranks->text == "system";
  Node node = make_scalar(by_parts ? "gmres" : iterates ? "bicgstab" : "direct", true, given);
  node.key = "method";
  given.children.push_back(std::move(node));
}

/// A name, or a list of names, as a list.
std::vector<std::string> texts(const Node& node) {
  if (node.kind == Node::Kind::scalar) return {node.text};
  std::vector<std::string> all;
  for (const Node& name : node.children) all.push_back(name.text);
  return all;
}

IieeSpec iiee_of(const Node& node, const Errors& errors) {
  IieeSpec spec;
  spec.outer = text(node, "outer");
  spec.inner = texts(child(node, "inner"));
  spec.method =
      choose<OuterMethod>(child(node, "method"), {{"gmres", OuterMethod::gmres}, {"plain", OuterMethod::plain}});
  spec.papers_kernel = text(node, "kernel") == "paper";
  spec.mixed_precision = text(node, "precision") == "mixed";
  spec.sums = choose<BoundarySums>(
      child(node, "sums"),
      {{"auto", BoundarySums::automatic}, {"pairs", BoundarySums::pairs}, {"compressed", BoundarySums::compressed}});
  spec.tolerance = number(node, "tolerance");
  spec.compression_tolerance = optional_number(node, "compression_tolerance").value_or(0.1 * spec.tolerance);
  spec.max_iterations = whole(child(node, "max_iterations"));
  if (const Node* iterations = node.find("iterations")) spec.iterations = whole(*iterations);
  spec.outer_place = {errors.place(child(node, "outer").spot)};
  spec.inner_place = {errors.place(child(node, "inner").spot)};
  spec.place = {errors.place(node.key_spot)};
  spec.mirrors = build_mirrors(node);
  return spec;
}

PlanarSpec planar_of(const Node& node, const Errors& errors) {
  return {choose<PlanarField>(child(node, "field"),
                              {{"E_z", PlanarField::e_z}, {"H_z", PlanarField::h_z}, {"E_xy", PlanarField::e_xy}}),
          static_cast<int>(whole(child(node, "order"))),
          {errors.place(node.key_spot)}};
}

/// What needs a frequency before the resonances are known takes the target, files of fields as often as there are
/// modes.
void add_eigenmode(const Node& node, const Errors& errors, Case& result) {
  EigenmodeSpec& spec = result.eigenmode;
  spec.target_hz = number(node, "target");
  spec.count = whole(child(node, "count"));
  spec.tolerance = number(node, "tolerance");
  spec.place = {errors.place(node.key_spot)};
  result.frequency.place = spec.place;
  result.frequency.values_hz = {spec.target_hz};
  if (result.outputs.fields)
    result.outputs.fields->frequencies_hz.assign(static_cast<std::size_t>(spec.count), spec.target_hz);
}

/// A default that depends on the mode or on other keys.
void fill_key(Node& given, const char* key, const std::string& text) {
  if (given.find(key) != nullptr) return;
  Node node = make_scalar(text, false, given);
  node.key = key;
  node.is_default = true;
  given.children.push_back(std::move(node));
}

void fill_number(Node& given, const char* key, const std::string& text) {
  fill_key(given, key, text);
  Node* node = given.find(key);
  if (node->is_default) node->number = std::stod(text);
}

}  // namespace

std::string IieeSpec::quoted_inner() const {
  std::string names;
  for (const std::string& name : inner) names += (names.empty() ? "'" : ", '") + name + "'";
  return names;
}

void add_frequency(const Node& root, const Errors& errors, Case& result) {
  if (const Node* iiee = root.find("iiee")) result.iiee = iiee_of(*iiee, errors);
  result.solver = solver(child(root, "solver"), errors);
  if (const Node* eigenmode = root.find("eigenmode")) return add_eigenmode(*eigenmode, errors, result);
  if (const Node* planar = root.find("planar")) {
    result.planar = planar_of(*planar, errors);
    result.assembly_2d.order = result.planar->order;  // of the triangles
  }
  for (const Node& wave : child(root, "plane_waves").children)
    for (const double theta : build_angles(child(wave, "theta")))
      for (const double phi : build_angles(child(wave, "phi")))
        result.plane_waves.push_back({theta, phi, text(wave, "polarization") == "theta", {errors.place(wave.spot)}});
  const Node* node = root.find("frequency");
  if (node == nullptr) return;
  result.frequency.place = {errors.place(node->key_spot)};
  if (const Node* sweep = node->find("sweep")) {
    if (const Node* fast = sweep->find("fast")) result.frequency.fast = fast->text == "true";
    result.frequency.sweep_tolerance = number(*sweep, "tolerance");
  }
  std::vector<double>& values = result.frequency.values_hz;
  if (const Node* list = node->find("values")) {
    for (const Node& value : list->children) values.push_back(value.number);
    return;
  }
  if (node->find("start") != nullptr)
    values = even_frequencies(number(*node, "start"), number(*node, "stop"), whole(child(*node, "points")));
}

void add_newmark(const Node& root, const Errors& errors, Case& result) {
  result.solver = solver(child(root, "solver"), errors);
  result.newmark_beta = number(child(root, "newmark"), "beta");
}

void fill_solver(Node& resolved) {
  Node* given = resolved.find("solver");
  if (given == nullptr || given->kind != Node::Kind::map) return;
  fill_method(*given);
  const Node* mode = resolved.find("mode");
  const bool marches = mode != nullptr && mode->text == "fetd";
  const bool projects = given->find("method")->text == "gmres";
  fill_key(*given, "preconditioner", marches ? "jacobi" : projects ? "oras" : "ssor");
  const std::string preconditioner = given->find("preconditioner")->text;
  const bool approximates = preconditioner == "ssor-ai";
  fill_key(*given, "diagonal_scaling",
           projects || preconditioner == "p-multigrid" || preconditioner == "oras" ? "false" : "true");
  if (mode != nullptr && mode->text == "frequency-domain") {
    fill_key(*given, "ranks", "frequencies");
    fill_key(*given, "exchange", "halo");
  }
  fill_number(*given, "tolerance", marches ? "1e-10" : "1e-06");
  fill_number(*given, "relaxation", !approximates ? "1" : marches ? "0.3" : "0.42");
}

void leave_out_unused_defaults(Node& resolved) {
  Node* given = resolved.find("solver");
  if (given == nullptr || given->find("method") == nullptr) return;
  for (const std::string& key : unused_keys(*given))
    std::erase_if(given->children, [&](const Node& child) { return child.is_default && child.key == key; });
}

void fill_drive(Node& resolved) {
  const Node* mode = resolved.find("mode");
  if (mode == nullptr || (mode->text != "frequency-domain" && mode->text != "fe-iiee")) return;
  Node* outputs = resolved.find("outputs");
  Node* s = outputs == nullptr ? nullptr : outputs->find("s_parameters");
  Node* drive = s == nullptr ? nullptr : s->find("drive");
  const Node* ports = resolved.find("ports");
  if (drive == nullptr || !drive->is_default || ports == nullptr) return;
  const auto driven = std::count_if(ports->children.begin(), ports->children.end(),
                                    [](const Node& port) { return port.find("excite") != nullptr; });
  if (driven > 1) drive->text = "each";
}

}  // namespace tetrawave
