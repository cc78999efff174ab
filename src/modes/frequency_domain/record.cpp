#include "modes/frequency_domain/record.hpp"

#include <algorithm>

#include "base/memory.hpp"
#include "base/text/format.hpp"

namespace tetrawave::modes {

namespace {

void put(Numbers& to, const Complex& value) { to.insert(to.end(), {value.real(), value.imag()}); }

/// Takes numbers off the front.
class Reader {
 public:
  explicit Reader(const Numbers& numbers) : numbers_(numbers) {}
  double number() { return numbers_.at(at_++); }
  Complex complex() {
    const double real = number();
    return {real, number()};
  }
  [[nodiscard]] bool is_done() const { return at_ == numbers_.size(); }

 private:
  const Numbers& numbers_;
  std::size_t at_ = 0;
};

FrequencyRecord take_record(Reader& from, std::size_t sets, std::size_t ports, std::size_t probes) {
  FrequencyRecord record;
  for (double* value : {&record.hz, &record.seconds_assembly, &record.seconds_preprocess, &record.seconds_solve,
                        &record.boundary.seconds, &record.boundary.seconds_sums, &record.boundary.pairs,
                        &record.boundary.clusters.error, &record.boundary.clusters.seconds_build,
                        &record.boundary.clusters.pairs_of_sum})
    *value = from.number();
  record.boundary.clusters.used = from.number() == 1;
  record.boundary.clusters.bytes = static_cast<std::int64_t>(from.number());
  record.boundary.converged = from.number() == 1;
  record.solved = from.number() == 1;
  record.error = from.number();
  record.made_preconditioner = from.number() == 1;
  for (auto count = static_cast<std::size_t>(from.number()); count > 0; --count)
    record.boundary.changes.push_back(from.number());
  for (auto count = static_cast<std::size_t>(from.number()); count > 0; --count) {
    IterationSeconds& one = record.boundary.parts.emplace_back();
    for (double* value : {&one.solve, &one.sums, &one.transfer, &one.rest}) *value = from.number();
  }
  for (std::size_t set = 0; set < sets; ++set) {
    record.iterations.push_back(static_cast<std::int64_t>(from.number()));
    record.residual.push_back(from.number());
    record.lost_w.push_back(from.number());
    record.stride.push_back(static_cast<std::int64_t>(from.number()));
    auto& history = record.history.emplace_back(static_cast<std::size_t>(from.number()));
    for (double& residual : history) residual = from.number();
    auto& at_ports = record.ports.emplace_back(ports);
    for (PortPhasors& port : at_ports)
      for (Complex* value : {&port.incident, &port.reflected, &port.voltage, &port.current}) *value = from.complex();
    auto& at_probes = record.probes.emplace_back(probes);
    for (auto& probe : at_probes)
      for (Complex& value : probe) value = from.complex();
  }
  return record;
}

}  // namespace

void put(Numbers& to, const FrequencyRecord& record) {
  to.insert(to.end(), {record.hz, record.seconds_assembly, record.seconds_preprocess, record.seconds_solve,
                       record.boundary.seconds, record.boundary.seconds_sums, record.boundary.pairs,
                       record.boundary.clusters.error, record.boundary.clusters.seconds_build,
                       record.boundary.clusters.pairs_of_sum, record.boundary.clusters.used ? 1. : 0.,
                       static_cast<double>(record.boundary.clusters.bytes), record.boundary.converged ? 1. : 0.,
                       record.solved ? 1. : 0., record.error, record.made_preconditioner ? 1. : 0.,
                       static_cast<double>(record.boundary.changes.size())});
  to.insert(to.end(), record.boundary.changes.begin(), record.boundary.changes.end());
  to.push_back(static_cast<double>(record.boundary.parts.size()));
  for (const IterationSeconds& one : record.boundary.parts)
    to.insert(to.end(), {one.solve, one.sums, one.transfer, one.rest});
  for (std::size_t set = 0; set < record.iterations.size(); ++set) {
    to.insert(to.end(), {static_cast<double>(record.iterations[set]), record.residual[set], record.lost_w[set]});
    const std::vector<double> none;
    const bool has_history = set < record.history.size();
    const std::vector<double>& history = has_history ? record.history[set] : none;
    to.insert(to.end(),
              {has_history ? static_cast<double>(record.stride[set]) : 1., static_cast<double>(history.size())});
    to.insert(to.end(), history.begin(), history.end());
    for (const PortPhasors& port : record.ports[set])
      for (const Complex& value : {port.incident, port.reflected, port.voltage, port.current}) put(to, value);
    for (const auto& probe : record.probes[set])
      for (const Complex& value : probe) put(to, value);
  }
}

std::vector<FrequencyRecord> take_records(const Numbers& from, std::size_t sets, std::size_t ports,
                                          std::size_t probes) {
  std::vector<FrequencyRecord> records;
  Reader reader(from);
  while (!reader.is_done()) records.push_back(take_record(reader, sets, ports, probes));
  return records;
}

void keep_figures(const fem::LinearFigures& figures, FrequencyRecord& record) {
  record.iterations = figures.iterations;
  record.residual = figures.residual;
  for (const fem::ResidualHistory& history : figures.history) {
    record.history.push_back(history.values());
    record.stride.push_back(history.stride());
  }
  record.made_preconditioner = figures.made_preconditioner;
  record.seconds_preprocess = figures.seconds_preprocess;
  record.seconds_solve = figures.seconds_solve;
}

std::string describe(const SharedReport& report, const std::vector<FrequencyRecord>& records) {
  fem::RankShareFigures most;
  fem::SharedSeconds mean;
  const auto ranks = static_cast<double>(report.shares.size());
  for (std::size_t rank = 0; rank < report.shares.size(); ++rank) {
    const fem::RankShareFigures& share = report.shares[rank];
    most = {std::max(most.rows, share.rows), std::max(most.ghosts, share.ghosts),
            std::max(most.nonzeros, share.nonzeros), std::max(most.bytes, share.bytes)};
    for (double fem::SharedSeconds::*part :
         {&fem::SharedSeconds::product, &fem::SharedSeconds::exchange, &fem::SharedSeconds::redistribution,
          &fem::SharedSeconds::sums, &fem::SharedSeconds::preconditioner})
      mean.*part += report.seconds[rank].*part / ranks;
  }
  std::string text =
      tetrawave::format("of {} ranks one has at most {} rows, {} ghosts, {} non-zeros, {} of the solver",
                        report.shares.size(), most.rows, most.ghosts, most.nonzeros, describe_bytes(most.bytes));
  double iterations = 0;
  for (const FrequencyRecord& record : records)
    for (const std::int64_t of_set : record.iterations) iterations += static_cast<double>(of_set);
  if (iterations == 0) return text;
  const double scale = 1e3 / iterations;
  return text + tetrawave::format(
                    "; an iteration takes {:.3g} ms of products, {:.3g} of exchange, {:.3g} of "
                    "redistribution, {:.3g} of the preconditioner, {:.3g} of inner products",
                    scale * mean.product, scale * mean.exchange, scale * mean.redistribution,
                    scale * mean.preconditioner, scale * mean.sums);
}

std::string describe(const FrequencyRecord& record) {
  const std::int64_t most = *std::max_element(record.iterations.begin(), record.iterations.end());
  std::string steps = most > 0 ? tetrawave::format("{} iterations, ", most) : "";
  const BoundaryHistory& boundary = record.boundary;
  if (!boundary.changes.empty())
    steps += tetrawave::format("{} boundary values, the last {:.2g} off{}, ", boundary.changes.size(),
                               boundary.changes.back(), boundary.converged ? "" : " (not converged)");
  if (boundary.clusters.used) steps += tetrawave::format("compressed sums {:.2g} off, ", boundary.clusters.error);
  return tetrawave::format(
      "{:.6g} GHz, {}residual {:.2g}, {:.3g} s", record.hz / 1e9, steps,
      *std::max_element(record.residual.begin(), record.residual.end()),
      record.seconds_assembly + record.seconds_preprocess + record.seconds_solve + boundary.seconds);
}

}  // namespace tetrawave::modes
