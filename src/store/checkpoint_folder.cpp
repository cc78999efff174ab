#include "store/checkpoint_folder.hpp"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>
#include <sstream>
#include <system_error>

#include "base/error.hpp"
#include "store/atomic_file.hpp"

namespace tetrawave::store {

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr int format_version = 2;  ///< 2: full-3 is marched in Bernstein polynomials

Json to_json(const std::vector<FileMark>& marks) {
  Json list = Json::array();
  for (const FileMark& mark : marks)
    list.push_back({{"name", mark.name}, {"bytes", mark.bytes}, {"hash", to_hex(mark.hash)}});
  return list;
}

std::vector<FileMark> marks_from(const Json& list) {
  std::vector<FileMark> marks;
  for (const Json& mark : list)
    marks.push_back({mark.at("name"), mark.at("bytes"), from_hex(mark.at("hash").get<std::string>())});
  return marks;
}

std::uint64_t hash_of_lines(const std::vector<std::string>& lines) {
  Hash64 hash;
  for (const std::string& line : lines) hash.add(line + '\n');
  return hash.value();
}

Json to_json(const Commit& commit) {
  return {{"format", format_version},
          {"number", commit.number},
          {"march", commit.march},
          {"step", commit.step},
          {"time_s", commit.time_s},
          {"dt_s", commit.dt_s},
          {"stable_step_s", commit.stable_step_s},
          {"ranks", commit.ranks},
          {"files", to_json(commit.files)},
          {"streams", to_json(commit.streams)},
          {"case_hash", to_hex(hash_of_lines(commit.identity))},
          {"mesh_hash", to_hex(commit.mesh_hash)},
          {"case", commit.identity},
          {"program", commit.program},
          {"written", commit.written}};
}

Commit commit_from(const Json& json) {
  Commit commit;
  commit.number = json.at("number");
  commit.march = json.at("march");
  commit.step = json.at("step");
  commit.time_s = json.at("time_s");
  commit.dt_s = json.at("dt_s");
  commit.stable_step_s = json.at("stable_step_s");
  commit.ranks = json.at("ranks");
  commit.files = marks_from(json.at("files"));
  commit.streams = marks_from(json.at("streams"));
  commit.identity = json.at("case").get<std::vector<std::string>>();
  commit.mesh_hash = from_hex(json.at("mesh_hash").get<std::string>());
  commit.program = json.at("program");
  commit.written = json.at("written");
  return commit;
}

/// The number that makes up a folder's whole name, or -1.
std::int64_t number_of(const fs::path& folder) {
  const std::string name = folder.filename().string();
  std::int64_t number = -1;
  const auto [stop, failure] = std::from_chars(name.data(), name.data() + name.size(), number);
  return failure == std::errc() && stop == name.data() + name.size() && number >= 0 ? number : -1;
}

void rename_folder(const fs::path& from, const fs::path& to) {
  std::error_code error;
  fs::rename(from, to, error);
  if (error) fail(ExitCode::io, "{}: cannot rename it to {}: {}", from.string(), to.string(), error.message());
}

void remove_folder(const fs::path& folder) {
  std::error_code error;
  fs::remove_all(folder, error);
  if (error) fail(ExitCode::io, "{}: cannot remove it: {}", folder.string(), error.message());
}

void for_entries(const fs::path& directory, const std::function<void(const fs::path&)>& work) {
  std::error_code error;
  std::vector<fs::path> entries;
  for (fs::directory_iterator it(directory, error), end; !error && it != end; it.increment(error))
    entries.push_back(it->path());
  for (const fs::path& entry : entries) work(entry);
}

}  // namespace

std::string state_file_name(int rank) { return tetrawave::format("rank-{:04}.h5", rank); }

Commit read_commit(const fs::path& checkpoint) {
  const fs::path path = checkpoint / "COMMIT.json";
  std::ifstream file(path, std::ios::binary);
  std::stringstream text;
  text << file.rdbuf();
  if (!file) fail(ExitCode::bad_checkpoint, "{} is missing", path.string());
  try {
    const Json json = Json::parse(text.str());
    const Json& body = json.at("checkpoint");
    if (from_hex(json.at("hash").get<std::string>()) != hash_of(body.dump()))
      fail(ExitCode::bad_checkpoint, "{} is damaged", path.string());
    if (body.at("format") != format_version)
      fail(ExitCode::bad_checkpoint, "{} has format {}, this program reads {}", path.string(), body.at("format").dump(),
           format_version);
    return commit_from(body);
  } catch (const Json::exception&) {
    fail(ExitCode::bad_checkpoint, "{} is damaged", path.string());
  }
}

std::vector<std::int64_t> CheckpointFolder::list() const {
  std::vector<std::int64_t> numbers;
  for_entries(directory_, [&](const fs::path& entry) {
    if (number_of(entry) >= 0) numbers.push_back(number_of(entry));
  });
  std::sort(numbers.rbegin(), numbers.rend());
  return numbers;
}

fs::path CheckpointFolder::path_of(std::int64_t number) const {
  return directory_ / tetrawave::format("{:06}", number);
}

fs::path CheckpointFolder::temporary_of(std::int64_t number) const {
  return directory_ / tetrawave::format("{:06}.tmp", number);
}

void CheckpointFolder::begin(std::int64_t number) const {
  remove_folder(temporary_of(number));
  std::error_code error;
  fs::create_directories(temporary_of(number), error);
  if (error) fail(ExitCode::io, "{}: cannot make the folder: {}", temporary_of(number).string(), error.message());
}

void CheckpointFolder::commit(const Commit& commit) const {
  const Json body = to_json(commit);
  const Json whole = {{"hash", to_hex(hash_of(body.dump()))}, {"checkpoint", body}};
  write_text_atomically(temporary_of(commit.number) / "COMMIT.json", whole.dump(1) + "\n");
  sync_directory(temporary_of(commit.number));
  rename_folder(temporary_of(commit.number), path_of(commit.number));
  sync_directory(directory_);
}

void CheckpointFolder::drop_unfinished(std::int64_t number) const noexcept {
  std::error_code ignored;
  fs::remove_all(temporary_of(number), ignored);
}

void CheckpointFolder::keep_newest(std::int64_t keep) const {
  const auto numbers = list();
  for (auto i = static_cast<std::size_t>(keep); i < numbers.size(); ++i) {
    fs::path gone = path_of(numbers[i]);
    gone += ".old";
    remove_folder(gone);
    rename_folder(path_of(numbers[i]), gone);
    remove_folder(gone);
  }
}

void CheckpointFolder::set_aside(std::int64_t number) const {
  fs::path bad = path_of(number);
  bad += ".bad";
  remove_folder(bad);
  rename_folder(path_of(number), bad);
}

void CheckpointFolder::tidy() const {
  for_entries(directory_, [](const fs::path& entry) {
    if (entry.extension() == ".tmp" || entry.extension() == ".old") remove_folder(entry);
  });
}

}  // namespace tetrawave::store
