#include "sc_tests/fuzz/inputs/config_writer.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

#include "top/config/config_schema.h"

namespace heddle::fuzz {

namespace {

/// A tree of sections as flow maps, so that a key is a part of one line.
struct Section {
  std::map<std::string, Section> sections;
  std::string value;

  std::string text() const {
    if (sections.empty()) return value;
    std::string all;
    for (const auto& [name, section] : sections) {
      all += (all.empty() ? "" : ", ") + name + ": " + section.text();
    }
    return "{" + all + "}";
  }
};

std::string value_of(test::ChoiceStream& choices, const ConfigKey& key, const std::string& standard) {
  using Kind = ValueRange::Kind;
  switch (key.kind) {
    case Kind::kFlag:
      return choices.one_in(2) ? "true" : "false";
    case Kind::kWhole:
    case Kind::kPowerOfTwo: {
      if (choices.one_in(4)) return standard;
      if (key.kind == Kind::kPowerOfTwo) {
        const double power = std::exp2(choices.below(10));
        return std::to_string(static_cast<std::uint64_t>(std::clamp(power, key.low, key.high)));
      }
      const double value = choices.one_in(8) ? key.low : key.low + choices.below(128);
      return std::to_string(static_cast<std::uint64_t>(std::min(value, key.high)));
    }
    case Kind::kReal:
      return choices.one_in(2) ? standard
                               : std::to_string(std::min(key.low + choices.below(100) * 0.25, key.high));
    case Kind::kChoice:
    case Kind::kName:
      return key.choices.empty() ? standard : choices.one_of(key.choices);
    default:
      return choices.one_in(8) ? "x" + std::to_string(choices.below(10)) : standard;
  }
}

const ConfigKey& choose_key(test::ChoiceStream& choices) {
  static const std::vector<const ConfigKey*> keys = [] {
    std::vector<const ConfigKey*> all;
    for (const ConfigKey& key : config_schema()) all.push_back(&key);
    return all;
  }();
  const std::size_t number = choices.byte() * 256 + choices.byte();
  return *keys[number % keys.size()];
}

void add(test::ChoiceStream& choices, Section& root) {
  static const GpuConfig standard;
  const ConfigKey& key = choose_key(choices);
  Section* place = &root;
  for (std::size_t at = 0; at <= key.path.size();) {
    const std::size_t dot = std::min(key.path.find('.', at), key.path.size());
    place = &place->sections[key.path.substr(at, dot - at)];
    at = dot + 1;
  }
  place->value = value_of(choices, key, key.format(standard));
}

std::string text_of(const Section& root) {
  std::string text;
  for (const auto& [name, section] : root.sections) text += name + ": " + section.text() + "\n";
  return text;
}

}  // namespace

std::string write_config(test::ChoiceStream& choices) {
  Section root;
  for (std::uint32_t keys = choices.between(1, 8); keys > 0; --keys) add(choices, root);
  return text_of(root);
}

std::string write_config_line(test::ChoiceStream& choices) {
  Section root;
  add(choices, root);
  std::string line = text_of(root);
  line.pop_back();
  return line;
}

}  // namespace heddle::fuzz
