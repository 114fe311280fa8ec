#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "top/vcd_window.h"

namespace heddle {

/// A command line that can't be understood. what() is one line.
class UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The configuration that a command works on.
struct ConfigOptions {
  std::string config;  ///< path or name; "" = defaults
  std::vector<std::string> assignments;
};

struct RunOptions {
  ConfigOptions config;
  std::string workload;   ///< path or name
  std::string scheduler;  ///< "" = the configuration's
  std::map<std::string, std::int64_t> parameters;
  std::string size;
  std::string out;  ///< "" = heddle-out/WORKLOAD
  bool vcd = false;
  CycleWindow vcd_window;
  std::vector<std::string> vcd_scopes;
  bool no_sleep = false;
  bool reverse_construction = false;
  bool quiet = false;
  bool functional = false;
  std::uint64_t max_cycles = 0;  ///< 0 = no limit

  /// The options that decide what is simulated, as a command line.
  std::string model_command() const;
};

struct CheckOptions {
  std::vector<std::string> files;
};

struct ShowOptions {
  ConfigOptions config;
  bool describe = false;
};

struct ListOptions {
  std::string what;  ///< schedulers, configs or workloads
};

/// What the user asked for: one of the commands, or a text to print.
struct CommandLine {
  std::optional<RunOptions> run;
  std::optional<CheckOptions> check;
  std::optional<ShowOptions> show;
  std::optional<ListOptions> list;
  std::string help;  ///< the text to print, when no command is set
};

/// Parses the arguments behind the program's name; throws UsageError.
CommandLine parse_command_line(const std::vector<std::string>& arguments);

}  // namespace heddle
