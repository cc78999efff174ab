#include "results/results.hpp"

#include <regex>

#include "catch.hpp"
#include "store/hdf5.hpp"
#include "temporary_directory.hpp"

using namespace tetrawave;

TEST_CASE("results of a run without ports name the run, its sizes and the key that ended it") {
  const tetrawave_tests::TemporaryDirectory folder;
  const std::vector<PortDescription> ports;
  const std::vector<WaveformShape> waveforms;
  const std::optional<ArrayDescription> array;
  const OutputRequests outputs;
  const std::string yaml = "mode: time-domain\n";
  const results::ResultRequest request{
      yaml,         "time-domain", "dgtd-central",           "full-1", "factored", "double", true, false, false, false,
      "time.steps", outputs,       {ports, waveforms, array}};
  results::HistoryPlan plan;
  plan.modes = std::make_shared<std::vector<results::PortMode>>();
  results::RunFigures figures;
  figures.elements = 7;
  figures.steps = 12;
  figures.halos.resize(1);
  results::MarchResult march;
  march.ended = true;
  march.steps_done = 12;
  results::write_results(folder.path(), request, plan, {}, "a processor", figures, {march});
  const store::File file = store::File::open(folder / "results.h5");
  CHECK(file.attribute<std::string>("/", "mode") == "time-domain");
  CHECK(file.attribute<std::string>("/", "basis") == "full-1");
  CHECK(file.attribute<std::string>("/", "case") == yaml);
  CHECK(file.attribute<std::string>("/", "ended_by") == "time.steps");
}

TEST_CASE("the time stamp is a date and time of UTC in ISO 8601") {
  CHECK(std::regex_match(results::time_stamp(), std::regex(R"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ)")));
}
