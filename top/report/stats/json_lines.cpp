#include "top/report/stats/json_lines.h"

#include <algorithm>
#include <cstddef>

#include "base/utf8.h"

namespace heddle {

namespace {

using OrderedJson = nlohmann::ordered_json;

/// What is in these stands on one line: the figures of a kind of block, a check, the energy of a block or an
/// SM.
bool has_one_line_elements(const std::string& key) {
  return key == "metrics" || key == "checks" || key == "blocks" || key == "sms";
}

bool is_list_of_values(const OrderedJson& json) {
  return json.empty() || (json.is_array() && !json.front().is_structured());
}

bool needs_escapes(const std::string& text) {
  return std::any_of(text.begin(), text.end(),
                     [](char c) { return c < ' ' || c > '~' || c == '"' || c == '\\'; });
}

void print_string(const std::string& string, std::string& text) {
  if (needs_escapes(string)) {
    text += OrderedJson(as_utf8(string)).dump();
  } else {
    text.append(1, '"').append(string).append(1, '"');
  }
}

/// As json.dump(), of which a call costs more than a whole line here: a run has thousands of figures.
void print_on_one_line(const OrderedJson& json, std::string& text) {
  if (json.is_object()) {
    char before = '{';
    for (const auto& [key, value] : json.get_ref<const OrderedJson::object_t&>()) {
      text += before;
      print_string(key, text);
      text += ':';
      print_on_one_line(value, text);
      before = ',';
    }
    text += json.empty() ? "{}" : "}";
  } else if (json.is_string()) {
    print_string(json.get_ref<const std::string&>(), text);
  } else if (json.is_number_unsigned()) {
    text += std::to_string(json.get<std::uint64_t>());
  } else {
    text += json.dump();
  }
}

void print(const OrderedJson& json, std::size_t indent, bool elements_on_one_line, std::string& text) {
  if (!json.is_structured() || is_list_of_values(json)) {
    print_on_one_line(json, text);
    return;
  }
  const std::string margin(indent + 2, ' ');
  text += json.is_object() ? "{" : "[";
  bool first = true;
  const auto begin_element = [&] {
    text += (first ? "\n" : ",\n") + margin;
    first = false;
  };
  const auto print_element = [&](const OrderedJson& element, bool its_elements_on_one_line) {
    if (elements_on_one_line) {
      print_on_one_line(element, text);
    } else {
      print(element, indent + 2, its_elements_on_one_line, text);
    }
  };
  if (json.is_object()) {
    for (const auto& [key, value] : json.get_ref<const OrderedJson::object_t&>()) {
      begin_element();
      print_string(key, text);
      text += ": ";
      print_element(value, has_one_line_elements(key));
    }
  } else {
    for (const OrderedJson& value : json) {
      begin_element();
      print_element(value, false);
    }
  }
  text += "\n" + margin.substr(2) + (json.is_object() ? "}" : "]");
}

}  // namespace

std::string in_lines(const OrderedJson& json) {
  std::string text;
  print(json, 0, false, text);
  return text + "\n";
}

}  // namespace heddle
