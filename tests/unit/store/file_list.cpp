#include "store/file_list.hpp"

#include <algorithm>
#include <fstream>

#include "catch.hpp"
#include "store/atomic_file.hpp"
#include "temporary_directory.hpp"

namespace fs = std::filesystem;
using namespace tetrawave;
using store::FileList;
using tetrawave_tests::TemporaryDirectory;

namespace {

void make(const fs::path& file) {
  fs::create_directories(file.parent_path());
  std::ofstream(file) << "text";
}

std::vector<std::string> files_in(const fs::path& directory) {
  std::vector<std::string> names;
  for (const auto& entry : fs::recursive_directory_iterator(directory))
    names.push_back(entry.path().lexically_relative(directory).string());
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace

TEST_CASE("what was made while a list was open is removed, and nothing else") {
  const TemporaryDirectory directory;
  const fs::path run = directory.path() / "run";
  fs::create_directories(run);
  {
    const FileList list(run);
    store::write_text_atomically(run / "results.h5", "1");
    store::write_text_atomically(directory.path() / "beside.txt", "2");
    store::note_file(run / "fields/ours.vtkhdf");
    make(run / "fields/ours.vtkhdf.tmp");
    for (const char* name : {"checkpoint/000001/rank-0000.h5", "checkpoint/000002/rank-0000.h5"})
      store::note_file(run / name);
    make(run / "checkpoint/000002.tmp/rank-0000.h5");
    make(run / "checkpoint/000001.old/rank-0000.h5");
  }
  {
    const FileList again(run);  // a run that goes on
    store::write_text_atomically(run / "results.h5", "3");
    store::write_text_atomically(run / "far_field.csv", "4");
  }
  store::write_text_atomically(run / "later.csv", "5");
  make(run / "fields/mine.vtkhdf");
  store::remove_listed_files(run);
  CHECK(files_in(directory.path()) ==
        std::vector<std::string>{"beside.txt", "run", "run/fields", "run/fields/mine.vtkhdf", "run/later.csv"});
}

TEST_CASE("a list within another has its own files") {
  const TemporaryDirectory directory;
  const fs::path study = directory.path(), run = study / "runs/1";
  fs::create_directories(run);
  {
    const FileList outer(study);
    store::write_text_atomically(study / "study.csv", "1");
    store::note_file(run);
    const FileList inner(run);
    store::write_text_atomically(run / "results.h5", "2");
  }
  make(study / "runs/2/results.h5");
  CHECK(store::listed_files(run) == std::vector<fs::path>{run / "results.h5", run / FileList::file_name});
  store::remove_listed_files(study);
  CHECK(files_in(study) == std::vector<std::string>{"runs", "runs/2", "runs/2/results.h5"});
}

TEST_CASE("a list that names what is beyond its directory removes none of it") {
  const TemporaryDirectory directory;
  const fs::path run = directory.path() / "run";
  make(directory.path() / "mine.txt");
  make(directory.path() / "other/mine.txt");
  fs::create_directories(run);
  fs::create_directory_symlink(directory.path() / "other", run / "link");
  std::ofstream(run / FileList::file_name) << "../mine.txt\nlink/mine.txt\n"
                                           << directory.path().string() << "/mine.txt\n\n.\n";
  store::remove_listed_files(run);
  CHECK(files_in(directory.path()) ==
        std::vector<std::string>{"mine.txt", "other", "other/mine.txt", "run", "run/link"});
}
