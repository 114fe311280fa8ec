#include "top/guide/completion.h"

#include <fmt/format.h>

#include <algorithm>

#include "top/guide/completion_values.h"

namespace heddle {

namespace {

namespace po = boost::program_options;
using Words = std::vector<Completion::Word>;

/// Those that begin with what is there.
Completion narrowed(Completion completion, const std::string& word) {
  auto& words = completion.words;
  words.erase(std::remove_if(words.begin(), words.end(),
                             [&word](const Completion::Word& known) {
                               return known.text.compare(0, word.size(), word) != 0;
                             }),
              words.end());
  return completion;
}

Completion commands() {
  Completion completion;
  for (const CommandEntry& command : command_table())
    completion.words.push_back({command.name, command.summary});
  return completion;
}

po::options_description all_options(const CommandEntry& command) {
  po::options_description options;
  options.add(command.options()).add(option_parser::common_table());
  return options;
}

bool takes_value(const po::option_description& option) { return option.semantic()->max_tokens() != 0; }

/// The option that a word such as "--size" or "-o" names; nullptr for another word.
const po::option_description* find_option(const po::options_description& options, const std::string& word) {
  for (const auto& option : options.options()) {
    if (word == "--" + option->long_name()) return option.get();
    const std::string short_name =
        option->canonical_display_name(po::command_line_style::allow_dash_for_short);
    if (short_name.size() == 2 && word == short_name) return option.get();
  }
  return nullptr;
}

/// The words between options and their values.
std::vector<std::string> operands(const po::options_description& options,
                                  const std::vector<std::string>& words) {
  std::vector<std::string> found;
  for (std::size_t i = 1; i + 1 < words.size(); ++i) {
    if (words[i].rfind('-', 0) != 0) {
      found.push_back(words[i]);
    } else if (const auto* option = find_option(options, words[i]);
               option != nullptr && takes_value(*option)) {
      ++i;
    }
  }
  return found;
}

Completion option_names(const po::options_description& options) {
  Completion completion;
  for (const auto& option : options.options()) {
    completion.words.push_back({"--" + option->long_name(), option->description()});
  }
  return completion;
}

Completion complete_operand(const CommandEntry& command, const std::string& word) {
  Completion completion;
  switch (command.operands) {
    case Operands::kWorkloads:
      return complete_workload(word, std::string(command.name) == "pairs");
    case Operands::kFiles:
      completion.paths = Completion::Paths::kFiles;
      break;
    case Operands::kFolders:
      completion.paths = Completion::Paths::kFolders;
      break;
    case Operands::kWords:
      for (const char* const known : command.words) completion.words.push_back({known, ""});
      break;
    default:
      break;
  }
  return completion;
}

Completion of_command(const CommandEntry& command, const std::vector<std::string>& words) {
  const po::options_description options = all_options(command);
  const std::string& word = words.back();
  const std::vector<std::string> workloads = operands(options, words);
  if (words.size() > 2) {
    const po::option_description* option = find_option(options, words[words.size() - 2]);
    if (option != nullptr && takes_value(*option)) {
      return narrowed(complete_value(*option, word, workloads), word);
    }
  }
  const std::size_t equals = word.find('=');
  if (word.rfind("--", 0) == 0 && equals != std::string::npos) {
    const po::option_description* option = find_option(options, word.substr(0, equals));
    if (option == nullptr || !takes_value(*option)) return {};
    const std::string value = word.substr(equals + 1);
    Completion completion = narrowed(complete_value(*option, value, workloads), value);
    for (Completion::Word& known : completion.words) known.text.insert(0, word, 0, equals + 1);
    completion.paths = Completion::Paths::kNone;
    return completion;
  }
  return narrowed(word.rfind('-', 0) == 0 ? option_names(options) : complete_operand(command, word), word);
}

}  // namespace

std::string Completion::text() const {
  std::string text = paths == Paths::kFiles ? "files\n" : paths == Paths::kFolders ? "folders\n" : "none\n";
  for (const Word& word : words) {
    std::string description = word.description;
    std::replace(description.begin(), description.end(), '\n', ' ');
    text += fmt::format("{}\t{}\n", word.text, description);
  }
  return text;
}

Completion complete(const std::vector<std::string>& words) {
  if (words.empty()) return {};
  if (words.size() == 1) {
    Completion completion = commands();
    completion.words.push_back({"help", "of all commands, or of one"});
    completion.words.push_back({"--help", ""});
    completion.words.push_back({"--version", ""});
    return narrowed(std::move(completion), words[0]);
  }
  if (words[0] == "help") return words.size() == 2 ? narrowed(commands(), words[1]) : Completion();
  const CommandEntry* command = find_command(words[0]);
  return command == nullptr ? Completion() : of_command(*command, words);
}

}  // namespace heddle
