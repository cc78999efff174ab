#include "store/hdf5.hpp"

#include <fstream>
#include <iterator>

#include "catch.hpp"
#include "failure.hpp"
#include "small_disk.hpp"
#include "temporary_directory.hpp"

using namespace tetrawave;
using store::ElementKind;
using store::File;
using tetrawave_tests::catch_failure;
using tetrawave_tests::ContainsSubstring;
using tetrawave_tests::TemporaryDirectory;

namespace {

std::string read_bytes(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void write_sample(const std::filesystem::path& path) {
  File file = File::create(path);
  file.write("/a/b/real", std::vector<double>{1, 2, 3, 4, 5, 6}, "V/m", {3, 2});
  file.write("/names", std::vector<std::string>{"port", "größe", ""});
  file.set_attribute("/", "program", "tetrawave");
  file.close();
}

}  // namespace

TEST_CASE("numbers of every type come back as they were written") {
  const TemporaryDirectory directory;
  const std::vector<double> reals{0.1, -2e300};
  const std::vector<float> floats{0.25F, -3.5F};
  const std::vector<std::int32_t> ints{-7, 2147483647};
  const std::vector<std::int64_t> longs{-1, std::int64_t{1} << 62};
  const std::vector<std::complex<double>> waves{{1, -2}, {0.5, 3}};
  File out = File::create(directory / "x.h5");
  out.write("/double", reals, "s");
  out.write("/float", floats);
  out.write("/int32", ints);
  out.write("/int64", longs);
  out.write("/complex", waves, "1", {1, 2, 1});
  out.write("/empty", std::vector<double>{});
  out.close();
  const File in = File::open(directory / "x.h5");
  CHECK(in.read<double>("/double") == reals);
  CHECK(in.read<float>("/float") == floats);
  CHECK(in.read<std::int32_t>("/int32") == ints);
  CHECK(in.read<std::int64_t>("/int64") == longs);
  CHECK(in.read<std::complex<double>>("/complex") == waves);
  CHECK(in.read<double>("/empty").empty());
  CHECK(in.attribute<std::string>("/double", "units") == "s");
  CHECK_FALSE(in.has_attribute("/float", "units"));
  CHECK(in.info("/complex").kind == ElementKind::complex);
  CHECK(in.info("/complex").extents == store::Extents{1, 2, 1});
}

TEST_CASE("vectors are rows of three, and a range of rows can be read alone") {
  const TemporaryDirectory directory;
  const std::vector<Vec3> field{{1, 2, 3}, {4, 5, 6}, {7, 8, 9}};
  File out = File::create(directory / "x.h5");
  out.write("/probes/centre/E", field, "V/m");
  out.close();
  const File in = File::open(directory / "x.h5");
  const store::DatasetInfo info = in.info("/probes/centre/E");
  CHECK(info.extents == store::Extents{3, 3});
  CHECK(info.kind == ElementKind::real);
  CHECK(info.element_bytes == 8);
  CHECK(info.claimed_bytes() == 72);
  CHECK(info.stored_bytes == 72);
  CHECK(in.read_rows<double>("/probes/centre/E", 1, 2) == std::vector<double>{4, 5, 6, 7, 8, 9});
  CHECK(in.read_rows<double>("/probes/centre/E", 3, 0).empty());
  CHECK_THROWS_AS(in.read_rows<double>("/probes/centre/E", 2, 2), InternalError);
}

TEST_CASE("texts, links and groups are found again") {
  const TemporaryDirectory directory;
  write_sample(directory / "x.h5");
  {
    File again = File::create(directory / "y.h5");
    again.create_group("/performance");
    again.write("/excitations/p1/ports/p1/time", std::vector<double>{0, 1}, "s");
    again.link("/ports", "/excitations/p1/ports");
    again.close();
  }
  const File names = File::open(directory / "x.h5");
  CHECK(names.read<std::string>("/names") == std::vector<std::string>{"port", "größe", ""});
  const File linked = File::open(directory / "y.h5");
  CHECK(linked.read<double>("/ports/p1/time") == std::vector<double>{0, 1});
  CHECK(linked.list("/") == std::vector<std::string>{"excitations", "performance", "ports"});
  CHECK(linked.has("/ports/p1/time"));
  CHECK_FALSE(linked.has("/ports/p2/time"));
}

TEST_CASE("attributes hold texts, numbers and lists, and the last value counts") {
  const TemporaryDirectory directory;
  const std::string yaml(200000, 'y');
  const std::vector<std::string> ports{"p1", "p2"};
  const std::vector<double> position{1, 2, 3};
  File out = File::create(directory / "x.h5");
  out.set_attribute("/", "case", yaml);
  out.set_attribute("/", "steps", 40000);
  out.set_attribute("/", "steps", 40001);
  out.set_attribute("/", "time_step", 1e-13);
  out.set_attribute("/", "ports", ports);
  out.set_attribute("/", "position", position);
  out.close();
  const File in = File::open(directory / "x.h5");
  CHECK(in.attribute<std::string>("/", "case") == yaml);
  CHECK(in.attribute<std::int64_t>("/", "steps") == 40001);
  CHECK(in.attribute<double>("/", "time_step") == 1e-13);
  CHECK(in.attribute<std::vector<std::string>>("/", "ports") == ports);
  CHECK(in.attribute<std::vector<double>>("/", "position") == position);
}

TEST_CASE("an attribute of another kind or number is refused") {
  const TemporaryDirectory directory;
  File file = File::create(directory / "x.h5");
  file.set_attribute("/", "text", "one");
  file.set_attribute("/", "list", std::vector<double>{1, 2});
  CHECK(catch_failure([&] { (void)file.attribute<std::int64_t>("/", "text"); }).code == ExitCode::io);
  CHECK_THAT(catch_failure([&] { (void)file.attribute<double>("/", "list"); }).text,
             ContainsSubstring("attribute list of / has 2 values where one is expected"));
  CHECK(catch_failure([&] { (void)file.attribute<std::string>("/", "none"); }).code == ExitCode::io);
}

TEST_CASE("texts of fixed length come back without their padding") {
  const TemporaryDirectory directory;
  const std::vector<std::string> names{"a", "größe", ""};
  File out = File::create(directory / "x.h5", store::TextStyle::fixed);
  out.write("/names", names);
  out.write("/none", std::vector<std::string>{});
  out.set_attribute("/", "format", "tetrawave-mesh");
  out.set_attribute("/", "empty", "");
  out.set_attribute("/", "names", names);
  out.close();
  const File in = File::open(directory / "x.h5");
  CHECK(in.read<std::string>("/names") == names);
  CHECK(in.read<std::string>("/none").empty());
  CHECK(in.attribute<std::string>("/", "format") == "tetrawave-mesh");
  CHECK(in.attribute<std::string>("/", "empty").empty());
  CHECK(in.attribute<std::vector<std::string>>("/", "names") == names);
}

TEST_CASE("equal contents make equal bytes") {
  const TemporaryDirectory directory;
  write_sample(directory / "first.h5");
  write_sample(directory / "second.h5");
  CHECK(read_bytes(directory / "first.h5") == read_bytes(directory / "second.h5"));
}

TEST_CASE("a file that cannot be opened or is no HDF5 file is an error that names it") {
  const TemporaryDirectory directory;
  std::ofstream(directory / "text.h5") << "hello";
  const auto missing = catch_failure([&] { (void)File::open(directory / "none.h5"); });
  CHECK(missing.code == ExitCode::io);
  CHECK_THAT(missing.text, ContainsSubstring("none.h5: cannot open the file: No such file or directory"));
  CHECK(catch_failure([&] { (void)File::open(directory / "text.h5"); }).code == ExitCode::io);
  CHECK(catch_failure([&] { (void)File::create(directory / "no/such/x.h5"); }).code == ExitCode::io);
}

TEST_CASE("a disk that fills up while writing is an error") {
  const TemporaryDirectory directory;
  const std::vector<double> many(100000, 1.0);
  const auto failure = catch_failure([&] {
    const tetrawave_tests::SmallDisk disk(64 * 1024);
    File file = File::create(directory / "x.h5");
    file.write("/many", many, "V");
    file.close();
  });
  CHECK(failure.code == ExitCode::io);
  CHECK_THAT(failure.text, ContainsSubstring("cannot write dataset /many: File too large"));
  const auto at_the_end = catch_failure([&] {  // groups stay in memory until the file is closed
    const tetrawave_tests::SmallDisk disk(16 * 1024);
    File file = File::create(directory / "groups.h5");
    for (int i = 0; i < 200; ++i) file.create_group("/group" + std::to_string(i));
    file.close();
  });
  CHECK(at_the_end.code == ExitCode::io);
  CHECK_THAT(at_the_end.text, ContainsSubstring("cannot write the file out: File too large"));
}
