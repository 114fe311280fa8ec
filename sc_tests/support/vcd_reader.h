#pragma once

#include <cstdint>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::test {

/// Reads a VCD file that Heddle wrote, core cycle by core cycle: what its signals show at each. Knows nothing
/// of the model.
class VcdReader {
 public:
  /// Throws std::runtime_error when the text is no such file.
  explicit VcdReader(std::string text) : text_(std::move(text)) {
    read_header();
    if (!next_line() || line_[0] != '#') throw std::runtime_error("expected a time after the definitions");
    time_ = number(line_.substr(1));
    cycle_ = time_ / kUnits;
  }

  /// A signal, such as "sm0.scheduler0.ready".
  using Handle = std::size_t;
  Handle find(const std::string& name) const {
    const auto found = names_.find(name);
    if (found == names_.end()) throw std::runtime_error("no signal is called " + name);
    return found->second;
  }
  bool has(const std::string& name) const { return names_.count(name) != 0; }
  const std::map<std::string, Handle>& names() const { return names_; }

  /// Takes in what changes up to the next core cycle, the first one at first; false when there is none.
  bool next() {
    if (begun_) ++cycle_;
    begun_ = true;
    while (time_ <= cycle_ * kUnits) {
      if (!next_line()) return false;
      if (line_[0] == '#') {
        time_ = number(line_.substr(1));
      } else if (line_[0] != '$') {
        take_change();
      }
    }
    return true;
  }
  std::uint64_t cycle() const { return cycle_; }
  std::uint64_t value(Handle signal) const { return values_[signal].number; }
  /// Of an enumeration.
  const std::string& name(Handle signal) const { return values_[signal].name; }

 private:
  static constexpr std::uint64_t kUnits = 1000;  ///< of the file's time in a core cycle
  struct Value {
    std::uint64_t number = 0;
    std::string name;
  };

  bool next_line() {
    if (at_ >= text_.size()) return false;
    const std::size_t end = std::min(text_.find('\n', at_), text_.size());
    line_ = std::string_view(text_).substr(at_, end - at_);
    at_ = end + 1;
    return true;
  }
  static std::uint64_t number(std::string_view digits) { return std::stoull(std::string(digits)); }

  void read_header() {
    std::vector<std::string> scopes;
    while (next_line()) {
      const std::vector<std::string> words = split(line_);
      if (words.front() == "$enddefinitions") return;
      if (words.front() == "$scope") scopes.push_back(words.at(2));
      if (words.front() == "$upscope") scopes.pop_back();
      if (words.front() != "$var") continue;
      std::string name;
      for (std::size_t i = 1; i < scopes.size(); ++i) name += scopes[i] + '.';  // without the root
      const auto code = codes_.emplace(words.at(3), values_.size());
      if (code.second) values_.emplace_back();
      names_[name + words.at(4)] = code.first->second;
    }
    throw std::runtime_error("the definitions do not end");
  }
  static std::vector<std::string> split(std::string_view line) {
    std::vector<std::string> words;
    for (std::size_t at = 0; at < line.size();) {
      const std::size_t end = std::min(line.find(' ', at), line.size());
      words.emplace_back(line.substr(at, end - at));
      at = end + 1;
    }
    return words;
  }
  void take_change() {
    const bool one_bit = line_[0] == '0' || line_[0] == '1';
    const std::size_t space = one_bit ? 0 : line_.find(' ');
    Value& value = values_[codes_.at(std::string(line_.substr(space + 1)))];
    if (one_bit) {
      value.number = line_[0] == '1' ? 1 : 0;
    } else if (line_[0] == 's') {
      value.name = line_.substr(1, space - 1);
    } else {
      value.number = std::stoull(std::string(line_.substr(1, space - 1)), nullptr, 2);
    }
  }

  std::string text_;
  std::size_t at_ = 0;
  std::string_view line_;
  std::map<std::string, Handle> names_;
  std::map<std::string, Handle> codes_;
  std::vector<Value> values_;
  std::uint64_t time_ = 0;
  std::uint64_t cycle_ = 0;
  bool begun_ = false;
};

}  // namespace heddle::test
