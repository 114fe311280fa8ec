#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "top/batch/run_identity.h"
#include "top/experiment/point/point_task.h"

namespace heddle {

/// What a process needs of a point to run it and to read what it has left; it may be another machine's.
struct PointJob {
  std::string id;
  RunIdentity identity;
  bool timed = false;                  ///< `heddle pairs`, which prints its results
  std::vector<std::string> arguments;  ///< of the program, without those that say where it runs and for whom
  std::uint64_t memory_bytes = 0;      ///< its limit; 0: none
  std::vector<std::string> records;    ///< files that are kept beside its figures
  std::uint64_t interval_cycles = 0;   ///< of one of these files
};

PointJob job_of(const PointTask& task);

/// The folder has all records that are wanted, and as they are.
bool has_records(const std::filesystem::path& folder, const PointJob& job);

nlohmann::json to_json(const PointJob& job);
/// Throws nlohmann's exceptions.
PointJob point_job_of(const nlohmann::json& json);

}  // namespace heddle
