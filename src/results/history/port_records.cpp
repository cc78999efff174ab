#include "results/history/port_records.hpp"

namespace tetrawave::results {

std::string port_stream(const PortModel& port) { return "port-" + port.name + ".stream"; }

PortRecords::PortRecords(const HistoryPlan& plan, const std::filesystem::path& streams)
    : plan_(plan), streams_(streams) {
  if (plan.joint_ports && !plan.ports.empty()) joint_ = store::read_stream(streams / joint_stream);
}

store::StreamData PortRecords::of(std::size_t p) const {
  if (!joint_) return store::read_stream(streams_ / port_stream(plan_.ports[p]));
  store::StreamData data{{"time", "incident", "reflected", "voltage", "current"}, {}};
  data.values.reserve(joint_->row_count() * data.columns.size());
  for (std::size_t row = 0; row < joint_->row_count(); ++row) {
    data.values.push_back(joint_->at(row, 0));
    for (std::size_t k = 0; k < 4; ++k) data.values.push_back(joint_->at(row, 1 + 4 * p + k));
  }
  return data;
}

}  // namespace tetrawave::results
