#include "modes/time_domain/checkpoints.hpp"

#include <span>
#include <system_error>
#include <utility>

#include "base/error.hpp"
#include "base/log.hpp"
#include "case/identity.hpp"
#include "march/loop/state_file.hpp"
#include "mesh/report/fingerprint.hpp"
#include "store/file_list.hpp"

namespace tetrawave::modes {

namespace {

namespace fs = std::filesystem;

/// A FileMark in the form sent between ranks.
struct Seal {
  std::int64_t bytes = 0;
  std::uint64_t hash = 0;
};

}  // namespace

Checkpoints::Checkpoints(const fs::path& directory, CheckpointRules rules, const comm::Communicator& ranks)
    : directory_(directory), rules_(std::move(rules)), ranks_(ranks), folder_(directory / "checkpoint") {
  ranks_.agree([&] {
    if (ranks_.rank() == 0) identity_ = rules_.identity();
  });
}

std::vector<std::int64_t> Checkpoints::list() const {
  std::vector<std::int64_t> numbers;
  ranks_.agree([&] {
    if (ranks_.rank() == 0) numbers = folder_.list();
  });
  ranks_.broadcast(numbers);
  return numbers;
}

void Checkpoints::verify(const store::Commit& commit) const {
  ranks_.agree([&] {
    const auto check = [](const fs::path& base, const store::FileMark& mark, bool whole) {
      const std::string fault = store::fault_of(base / mark.name, mark, whole);
      if (!fault.empty()) throw UserError(ExitCode::bad_checkpoint, fault);
    };
    for (std::size_t f = static_cast<std::size_t>(ranks_.rank()); f < commit.files.size();
         f += static_cast<std::size_t>(ranks_.size()))
      check(folder_.path_of(commit.number), commit.files[f], true);
    if (ranks_.rank() == 0)
      for (const store::FileMark& stream : commit.streams) check(directory_, stream, false);
  });
}

store::Commit Checkpoints::find_newest() {
  std::string skipped;
  for (const std::int64_t number : list()) {
    try {
      store::Commit commit;
      ranks_.agree([&] { commit = store::read_commit(folder_.path_of(number)); });
      verify(commit);
      ranks_.agree([&] {
        if (ranks_.rank() != 0 || commit.identity == identity_) return;
        std::string differences;
        for (const std::string& line : compare_identities(commit.identity, identity_)) differences += "\n  " + line;
        if (differ_in_time_alone(commit.identity, identity_)) {
          if (rules_.may_differ_in_time) return;
          differences += "\nonly time may differ, in a case with one excitation and without outputs.fields.every";
        }
        fail(ExitCode::usage, "{}: the checkpoint is of another case; what differs:{}",
             folder_.path_of(number).string(), differences);
      });
      if (!skipped.empty()) log::warning("skipped checkpoints that cannot be used:{}", skipped);
      newest_ = number;
      return commit;
    } catch (const UserError& error) {
      if (error.code() == ExitCode::usage) throw UserError(ExitCode::bad_checkpoint, error.what());
      skipped += tetrawave::format("\n  {:06}: {}", number, error.what());
    }
  }
  if (skipped.empty())
    fail(ExitCode::bad_checkpoint,
         "tetrawave: error: {} holds no checkpoint to resume from: a run writes one when a signal or --max-wall stops "
         "it "
         "and, with run.checkpoint.every (such as 10 min), while it runs; run again with --overwrite instead of "
         "--resume",
         directory_.string());
  fail(ExitCode::bad_checkpoint,
       "tetrawave: error: no checkpoint in {} can be used:{}\nrun without --resume, with --overwrite",
       (directory_ / "checkpoint").string(), skipped);
}

void Checkpoints::check_mesh(const store::Commit& commit, const LocalMesh& mesh) const {
  if (fingerprint_of(mesh, ranks_) == commit.mesh_hash) return;
  fail(ExitCode::bad_checkpoint,
       "{}: the checkpoint is of another mesh: elements, coordinates, regions or boundaries differ (this mesh has {} "
       "elements)",
       folder_.path_of(commit.number).string(), mesh.global_element_count);
}

void Checkpoints::restore(const store::Commit& commit) const {
  ranks_.agree([&] {
    if (ranks_.rank() != 0) return;
    folder_.tidy();
    for (const std::int64_t number : folder_.list())
      if (number > commit.number) folder_.set_aside(number);
  });
}

std::vector<fs::path> Checkpoints::state_files(const store::Commit& commit) const {
  std::vector<fs::path> files;
  for (const store::FileMark& file : commit.files) files.push_back(folder_.path_of(commit.number) / file.name);
  return files;
}

void Checkpoints::write_files(const march::StateRegistry& state, const LocalMesh& mesh, store::Commit& about) const {
  ranks_.agree([&] {
    if (ranks_.rank() != 0) return;
    store::note_file(folder_.path_of(about.number) / "COMMIT.json");
    for (int rank = 0; rank < ranks_.size(); ++rank)
      store::note_file(folder_.path_of(about.number) / store::state_file_name(rank));
    folder_.begin(about.number);
  });
  Seal seal;
  ranks_.agree([&] {
    const std::string name = store::state_file_name(ranks_.rank());
    const fs::path path = folder_.temporary_of(about.number) / name;
    march::write_state(state, mesh, ranks_.rank() == 0, path);
    const store::FileMark mark = store::seal_file(path, name);
    seal = {mark.bytes, mark.hash};
  });
  int rank = 0;
  for (const Seal& other : ranks_.gather(std::span<const Seal>(&seal, 1))) {
    about.files.push_back({store::state_file_name(rank), other.bytes, other.hash});
    ++rank;
  }
}

fs::path Checkpoints::write(const march::StateRegistry& state, const LocalMesh& mesh, store::Commit about) {
  if (newest_ < 0) {
    const auto numbers = list();
    newest_ = numbers.empty() ? 0 : numbers.front();
  }
  about.number = newest_ + 1;
  about.ranks = ranks_.size();
  about.mesh_hash = fingerprint_of(mesh, ranks_);
  about.identity = identity_;
  try {
    write_files(state, mesh, about);
    ranks_.agree([&] {
      if (ranks_.rank() == 0) folder_.commit(about);
    });
  } catch (const UserError& error) {
    if (ranks_.rank() == 0) folder_.drop_unfinished(about.number);
    if (error.code() != ExitCode::io) throw;
    fail(ExitCode::io, "no checkpoint could be written at step {}, older ones are kept: {}", about.step, error.what());
  }
  newest_ = about.number;
  ranks_.agree([&] {
    if (ranks_.rank() == 0) folder_.keep_newest(rules_.keep);
  });
  return folder_.path_of(about.number);
}

}  // namespace tetrawave::modes
