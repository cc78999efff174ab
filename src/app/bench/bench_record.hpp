// The file of figures that a bench writes.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "app/backend.hpp"
#include "app/version.hpp"
#include "store/atomic_file.hpp"

namespace tetrawave::app {

/// Program, revision, machine and what else holds for all rows; written anew with each row. No file: nothing is
/// written.
class BenchRecord {
 public:
  BenchRecord(std::optional<std::filesystem::path> file, const ChosenBackend& backend,
              const nlohmann::ordered_json& settings)
      : file_(std::move(file)),
        json_{{"program", "tetrawave " + version_text()},
              {"revision", git_revision()},
              {"machine", backend.name + ": " + backend.device}} {
    json_.update(settings);
  }

  void add(nlohmann::ordered_json row) {
    json_["rows"].push_back(std::move(row));
    if (file_) store::write_text_atomically(*file_, json_.dump(1) + "\n");
  }

 private:
  std::optional<std::filesystem::path> file_;
  nlohmann::ordered_json json_;
};

}  // namespace tetrawave::app
