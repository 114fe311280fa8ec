#include "top/options/help_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "top/text/text_width.h"

namespace heddle {

namespace {

constexpr std::size_t kMargin = 2;

/// "  name   what it is", the texts one below the other, wrapped.
std::string definition(const std::string& name, const std::string& text, std::size_t column,
                       std::size_t width) {
  std::string result = std::string(kMargin, ' ') + name;
  const std::vector<std::string> lines =
      wrap_text(text, std::max<std::size_t>(width - std::min(width, column), 16));
  std::size_t at = display_width(result);
  if (at + 1 > column) {
    result += '\n';
    at = 0;
  }
  for (const std::string& line : lines) {
    result.append(column - at, ' ').append(line) += '\n';
    at = 0;
  }
  return result;
}

/// As Boost prints the table, without blanks at the ends of lines, and what options take by value_text().
std::string table_text(const option_parser::po::options_description& options) {
  std::ostringstream printed;
  printed << options;
  std::string table = printed.str();
  for (const auto& option : options.options()) {
    const std::string shown = option->format_parameter();
    std::string wanted = option_parser::value_text(*option);
    if (wanted == shown) continue;
    wanted.resize(shown.size(), ' ');
    table.replace(table.find(shown), shown.size(), wanted);
  }
  std::istringstream lines(table);
  std::string text;
  for (std::string line; std::getline(lines, line);) {
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + '\n';
  }
  return text;
}

std::string examples_text(const std::vector<const char*>& examples) {
  std::string text = "Examples:\n";
  for (const char* const example : examples) text += fmt::format("  heddle {}\n", example);
  return text;
}

}  // namespace

const std::vector<ExitCodeText>& exit_code_texts() {
  static const std::vector<ExitCodeText> kTexts{
      {ExitCode::kOk, "success"},
      {ExitCode::kCheckFailed, "the run is complete, but an output differs from its reference"},
      {ExitCode::kUsage, "the command line is wrong"},
      {ExitCode::kBadInput,
       "bad input: a configuration, workload or PTX file, or a kernel that does not fit on an SM"},
      {ExitCode::kProgramFault,
       "fault of the simulated program: address out of bounds, misaligned access, trap"},
      {ExitCode::kDeadlock, "deadlock of the simulated program"},
      {ExitCode::kNoOutput, "results can't be written, or those read are of another run"},
      {ExitCode::kCycleLimit, "--max-cycles was reached"},
      {ExitCode::kUnpriced, "heddle cost: unpriced, a policy of the scheduler is built of no parts"},
      {ExitCode::kOutOfMemory, "out of memory"},
      {ExitCode::kMemoryLimit, "the memory budget (--max-memory) was used up"},
      {ExitCode::kTimeLimit, "--max-seconds was reached"},
      {ExitCode::kPolicyDeadlock,
       "deadlock of a policy: it holds back warps or thread blocks that could go on"},
      {ExitCode::kTwinDiffers, "a SystemVerilog twin and the model have chosen differently"},
      {ExitCode::kInternal, "a defect of the simulator"},
      {ExitCode::kInterrupted, "interrupted (Ctrl-C); results so far are written and marked partial"}};
  return kTexts;
}

const std::vector<VariableText>& variable_texts() {
  static const std::vector<VariableText> kTexts{
      {"HEDDLE_HOME",
       "the folder in which named workloads and configurations are looked up; without it, share/heddle "
       "beside the "
       "folder of the program"},
      {"NO_COLOR", "not empty: no colours, unless --color says otherwise"},
      {"COLUMNS", "the width of the terminal, instead of what it says itself"}};
  return kTexts;
}

std::vector<std::string> paragraphs_of(const std::string& about) {
  std::vector<std::string> paragraphs;
  std::istringstream lines(about);
  bool inside = false;
  for (std::string line; std::getline(lines, line); inside = !line.empty()) {
    if (line.empty()) continue;
    if (inside) {
      paragraphs.back() += ' ' + line;
    } else {
      paragraphs.push_back(line);
    }
  }
  return paragraphs;
}

std::string general_help() {
  const std::size_t width = option_parser::help_width();
  std::string text =
      fill_text("Heddle simulates a Fermi-like GPU cycle by cycle and runs PTX kernels on it.", width);
  text += "\nUsage: heddle COMMAND ...\n\nCommands:\n";
  constexpr std::size_t kColumn = 14;
  for (const CommandEntry& command : command_table())
    text += definition(command.name, command.summary, kColumn, width);
  text += definition("help", "this text, or with a command's name that command's: heddle help run", kColumn,
                     width);
  text += definition("--version", "version and commit", kColumn, width);
  text += "\n" + examples_text({"run vector_add", "run atax --config gtx480 --scheduler lrr --out /tmp/atax",
                                "compare hotspot matrix_multiply --scheduler gto,lrr",
                                "check my_kernel.ptx my_workload.yaml", "config show --set core.sms=4"});
  text += "\nExit codes:\n";
  constexpr std::size_t kCodeColumn = 7;
  for (const ExitCodeText& code : exit_code_texts()) {
    text += definition(std::to_string(static_cast<int>(code.code)), code.text, kCodeColumn, width);
  }
  text += "\nEnvironment:\n";
  constexpr std::size_t kNameColumn = 16;
  for (const VariableText& variable : variable_texts()) {
    text += definition(variable.name, variable.text, kNameColumn, width);
  }
  return text;
}

std::string command_help(const CommandEntry& command) {
  std::ostringstream text;
  for (const char* const usage : command.usage) {
    text << (usage == command.usage.front() ? "Usage: " : "       ") << "heddle " << usage << '\n';
  }
  for (const std::string& paragraph : paragraphs_of(command.about)) {
    text << '\n' << fill_text(paragraph, option_parser::help_width());
  }
  text << '\n' << examples_text(command.examples) << '\n';
  const auto options = command.options();
  if (!options.options().empty()) text << table_text(options) << '\n';
  text << table_text(option_parser::common_table());
  return text.str();
}

}  // namespace heddle
