// The built program with calls that fail (fault_library.cpp), or that is killed, and what it must leave then.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "sc_tests/top/commands/command_line_fixture.h"

namespace heddle {

/// A number that a longer campaign sets in the environment (`make faults`, `make kills`).
inline unsigned campaign_number(const char* variable, unsigned otherwise) {
  const char* const text = std::getenv(variable);
  return text == nullptr ? otherwise : static_cast<unsigned>(std::stoul(text));
}

/// Contents of files by their paths in a folder, but for what is not of the run itself. Wall-clock times are
/// left out.
using Files = std::map<std::string, std::string>;

class FaultTrial : public BuiltProgram {
 protected:
  /// `fault` as in fault_library.cpp.
  pid_t start_with(const std::string& fault, const std::vector<std::string>& arguments) {
    setenv("LD_PRELOAD", HEDDLE_FAULT_LIBRARY, 1);
    setenv("HEDDLE_FAULT", fault.c_str(), 1);
    setenv("HEDDLE_FAULT_COUNT", (folder_ / "count.txt").c_str(), 1);
    const pid_t child = start(arguments);
    for (const char* const name : {"LD_PRELOAD", "HEDDLE_FAULT", "HEDDLE_FAULT_COUNT"}) unsetenv(name);
    return child;
  }
  ProgramOutcome run_with(const std::string& fault, const std::vector<std::string>& arguments) {
    return finish(start_with(fault, arguments));
  }
  /// How many calls of a kind ("write", "memory") a run without a fault makes.
  unsigned long calls(const std::string& kind, const std::vector<std::string>& arguments) {
    EXPECT_EQ(run_with(kind + " " + arguments.front() + " 0 EIO", arguments).code, 0) << read("stderr.txt");
    return std::stoul("0" + read("count.txt"));
  }

  Files files_of(const std::string& name) const {
    Files files;
    if (!fs::exists(folder_ / name)) return files;
    for (const auto& entry : fs::recursive_directory_iterator(folder_ / name)) {
      const std::string path = fs::relative(entry.path(), folder_ / name).string();
      const std::string file = entry.path().filename().string();
      if (!entry.is_regular_file() || file == ".heddle.lock" || file == "messages.txt" ||
          file == "point.json")
        continue;
      files[path] = file == "speed.json" ? whole_json(name + "/" + path) : read(name + "/" + path);
    }
    return files;
  }

  /// Each file is as one of the runs writes it, and where stats.json is, all are as that run writes them.
  void expect_whole(const std::string& folder, const std::vector<Files>& runs,
                    const std::string& trial) const {
    const Files found = files_of(folder);
    std::set<std::string> folders;
    for (const auto& [path, text] : found) {
      folders.insert(fs::path(path).parent_path().string());
      if (fs::path(path).extension() == ".tmp") continue;  // not a result
      const bool known =
          std::any_of(runs.begin(), runs.end(), [&, path = path, text = text](const Files& run) {
            const auto same = run.find(path);
            return same != run.end() && same->second == text;
          });
      EXPECT_TRUE(known) << trial << ": " << path << ": cut off, or of no run";
    }
    for (const std::string& of_run : folders) {
      const Files results = below(found, of_run);
      if (results.count("stats.json") == 0) continue;
      const bool belong = std::any_of(runs.begin(), runs.end(),
                                      [&](const Files& run) { return below(run, of_run) == results; });
      EXPECT_TRUE(belong) << trial << ": " << of_run << ": files of several runs beside stats.json";
    }
  }

 private:
  /// The files right in a folder, without those that are no results.
  static Files below(const Files& files, const std::string& folder) {
    Files found;
    for (const auto& [path, text] : files) {
      const fs::path place(path);
      if (place.parent_path() == folder && place.extension() != ".tmp")
        found[place.filename().string()] = text;
    }
    return found;
  }
  std::string whole_json(const std::string& path) const {
    return nlohmann::json::accept(read(path)) ? "JSON" : "no JSON: " + read(path);
  }
};

}  // namespace heddle
