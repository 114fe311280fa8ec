#include "top/guide/manual.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "top/options/help_text.h"
#include "top/support/version.h"

namespace heddle {

namespace {

namespace po = boost::program_options;

/// A line of text: what troff would take for a request, an escape or a hyphen stays what it is.
std::string plain(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '\\') {
      result += "\\e";
    } else if (c == '-') {
      result += "\\-";
    } else {
      result += c;
    }
  }
  const bool is_request = !result.empty() && (result.front() == '.' || result.front() == '\'');
  return (is_request ? "\\&" : "") + result;
}

std::string bold(const std::string& text) { return "\\fB" + plain(text) + "\\fR"; }

std::string head(const std::string& name, const std::string& summary) {
  std::string title = name;
  std::transform(title.begin(), title.end(), title.begin(), [](unsigned char c) { return std::toupper(c); });
  // Without a date: the page is the same whenever it is made.
  return fmt::format(
      ".TH \"{}\" \"1\" \"\" \"heddle {}\" \"User Commands\"\n.nh\n.ad l\n.SH NAME\n{} \\- {}\n",
      plain(title), plain(version()), plain(name), plain(summary));
}

std::string definition(const std::string& name, const std::string& text) {
  return fmt::format(".TP\n{}\n{}\n", bold(name), plain(text));
}

std::string examples_text(const std::vector<const char*>& examples) {
  std::string text = ".SH EXAMPLES\n.nf\n";
  for (const char* const example : examples) text += plain(fmt::format("heddle {}", example)) + "\n";
  return text + ".fi\n";
}

std::string options_text(const po::options_description& options) {
  std::string text;
  for (const auto& option : options.options()) {
    const bool has_value = option->semantic()->max_tokens() != 0;
    const std::string short_name =
        option->canonical_display_name(po::command_line_style::allow_dash_for_short);
    std::string name = short_name.size() == 2 ? bold(short_name) + ", " : "";
    name += bold("--" + option->long_name());
    if (has_value) name += " \\fI" + plain(option_parser::value_text(*option)) + "\\fR";
    text += fmt::format(".TP\n{}\n{}\n", name, plain(option->description()));
  }
  return text;
}

}  // namespace

std::string manual_page() {
  std::string text = head("heddle", "cycle-level model of a Fermi-like GPU that runs PTX kernels");
  text += ".SH SYNOPSIS\n" + bold("heddle") + " \\fICOMMAND\\fR ...\n";
  text += ".SH DESCRIPTION\nHeddle simulates a Fermi\\-like GPU cycle by cycle and runs PTX kernels on it.\n";
  text += ".SH COMMANDS\n";
  std::string also;
  for (const CommandEntry& command : command_table()) {
    text += definition(command.name, command.summary);
    also +=
        fmt::format("{}\n.BR {} (1)", also.empty() ? "" : ",", plain(fmt::format("heddle-{}", command.name)));
  }
  text += definition("help", "what the commands are, or with a command's name its options");
  text += definition("--version", "version and commit");
  text += ".SH EXIT STATUS\n";
  for (const ExitCodeText& code : exit_code_texts()) {
    text += definition(std::to_string(static_cast<int>(code.code)), code.text);
  }
  text += ".SH ENVIRONMENT\n";
  for (const VariableText& variable : variable_texts()) text += definition(variable.name, variable.text);
  return text + ".SH SEE ALSO" + also + "\n";
}

std::string manual_page(const CommandEntry& command) {
  std::string text = head(fmt::format("heddle-{}", command.name), command.summary);
  text += ".SH SYNOPSIS\n.nf\n";
  for (const char* const usage : command.usage) text += plain(fmt::format("heddle {}", usage)) + "\n";
  text += ".fi\n.SH DESCRIPTION\n";
  bool first = true;
  for (const std::string& paragraph : paragraphs_of(command.about)) {
    text += (first ? "" : ".PP\n") + plain(paragraph) + "\n";
    first = false;
  }
  text += ".SH OPTIONS\n" + options_text(command.options());
  text += ".SS Options of every command\n" + options_text(option_parser::common_table());
  return text + examples_text(command.examples) + ".SH SEE ALSO\n.BR heddle (1)\n";
}

}  // namespace heddle
