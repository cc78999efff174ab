#include "case/build_frequency.hpp"

#include "case/node_values.hpp"

namespace tetrawave {

namespace {

SolverSpec solver(const Node& node, const Errors& errors) {
  SolverSpec spec;
  spec.method = choose<SolverMethod>(child(node, "method"),
                                     {{"bicgstab", SolverMethod::bicgstab}, {"direct", SolverMethod::direct}});
  spec.preconditioner = choose<Preconditioner>(child(node, "preconditioner"), {{"none", Preconditioner::none},
                                                                               {"jacobi", Preconditioner::jacobi},
                                                                               {"ssor", Preconditioner::ssor},
                                                                               {"ssor-ai", Preconditioner::ssor_ai},
                                                                               {"ilu", Preconditioner::ilu}});
  spec.diagonal_scaling = text(node, "diagonal_scaling") == "true";
  spec.relaxation = number(node, "relaxation");
  spec.tolerance = number(node, "tolerance");
  spec.max_iterations = whole(child(node, "max_iterations"));
  spec.assembly = choose<AssemblyMethod>(
      child(node, "assembly"),
      {{"atomic", AssemblyMethod::atomic}, {"by-dof", AssemblyMethod::by_dof}, {"by-row", AssemblyMethod::by_row}});
  spec.format =
      choose<MatrixFormat>(child(node, "matrix_format"), {{"csr", MatrixFormat::csr}, {"jad", MatrixFormat::jad}});
  spec.place = {errors.place(node.key_spot)};
  return spec;
}

}  // namespace

void add_frequency(const Node& root, const Errors& errors, Case& result) {
  result.solver = solver(child(root, "solver"), errors);
  const Node* node = root.find("frequency");
  if (node == nullptr) return;
  result.frequency.place = {errors.place(node->key_spot)};
  std::vector<double>& values = result.frequency.values_hz;
  if (const Node* list = node->find("values")) {
    for (const Node& value : list->children) values.push_back(value.number);
    return;
  }
  values = even_frequencies(number(*node, "start"), number(*node, "stop"), whole(child(*node, "points")));
}

}  // namespace tetrawave
