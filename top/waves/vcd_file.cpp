#include "top/waves/vcd_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <functional>
#include <numeric>
#include <string_view>
#include <utility>

namespace heddle {

namespace {

/// Values of a byte.
constexpr unsigned kBytes = 256;

/// What a file calls its variable `number`: digits are the printable characters.
std::string code_of(std::size_t number) {
  constexpr char kFirst = '!';
  constexpr std::size_t kDigits = '~' - '!' + 1;
  std::string code;
  do {
    code += static_cast<char>(kFirst + number % kDigits);
    number /= kDigits;
  } while (number != 0);
  return code;
}

std::vector<std::string> split(const std::string& scope) {
  std::vector<std::string> parts;
  for (std::size_t at = 0; at <= scope.size();) {
    const std::size_t end = std::min(scope.find('.', at), scope.size());
    if (end != at) parts.push_back(scope.substr(at, end - at));
    at = end + 1;
  }
  return parts;
}

/// Closes and opens scopes on the way from one to the other.
void change_scope(std::string& text, std::vector<std::string>& open, const std::string& scope) {
  const std::vector<std::string> wanted = split(scope);
  std::size_t common = 0;
  while (common < open.size() && common < wanted.size() && open[common] == wanted[common]) ++common;
  for (std::size_t i = open.size(); i != common; --i) text += "$upscope $end\n";
  for (std::size_t i = common; i != wanted.size(); ++i) {
    text += fmt::format("$scope module {} $end\n", wanted[i]);
  }
  open = wanted;
}

/// By appending: there are thousands of signals.
void declare_signal(std::string& text, const WaveSignal& signal, const std::string& code) {
  const std::string bits = std::to_string(signal.bits);
  const bool named = !signal.values.empty();
  text.append(named ? "$var string 1 " : "$var wire ");
  if (!named) text.append(bits).append(" ");
  text.append(code).append(" ").append(signal.name);
  if (!named && signal.bits != 1) text.append(" [").append(std::to_string(signal.bits - 1)).append(":0]");
  text.append(" $end\n");
}

/// The eight digits of each byte.
const std::array<std::array<char, 8>, 256>& digits_of_bytes() {
  static const auto table = [] {
    std::array<std::array<char, 8>, 256> digits{};
    for (unsigned byte = 0; byte < 256; ++byte) {
      for (unsigned bit = 0; bit < 8; ++bit) digits[byte][7 - bit] = (byte >> bit & 1U) != 0 ? '1' : '0';
    }
    return digits;
  }();
  return table;
}

/// Signals whose variables lie one after the other in memory stay together, such runs in the order of the
/// first of their signals: where memory is allocated does not show in the file.
std::vector<std::size_t> in_order_of_signals(const std::vector<std::size_t>& by_address,
                                             const std::vector<WaveSignal>& signals,
                                             const std::vector<std::size_t>& groups) {
  std::vector<std::vector<std::size_t>> runs;
  for (const std::size_t signal : by_address) {
    const bool goes_on = !runs.empty() && groups[runs.back().back()] == groups[signal] &&
                         signals[runs.back().back()].variable + 1 == signals[signal].variable;
    if (!goes_on) runs.emplace_back();
    runs.back().push_back(signal);
  }
  const auto first = [](const std::vector<std::size_t>& run) {
    return *std::min_element(run.begin(), run.end());
  };
  std::sort(runs.begin(), runs.end(), [&](const auto& a, const auto& b) {
    return std::make_pair(groups[a.front()], first(a)) < std::make_pair(groups[b.front()], first(b));
  });
  std::vector<std::size_t> order;
  for (const std::vector<std::size_t>& run : runs) order.insert(order.end(), run.begin(), run.end());
  return order;
}

}  // namespace

void VcdFile::Buffer::write_to(WholeFile& file) {
  file.write({chars_.data(), static_cast<std::size_t>(at_ - chars_.data())});
  at_ = chars_.data();
}

VcdFile::VcdFile(std::string path, const std::vector<WaveSignal>& signals,
                 const std::vector<std::size_t>& groups, const std::vector<WaveClock>& clocks)
    : path_(std::move(path)) {
  for (unsigned number = 0; number < kBytes; ++number) {
    const std::array<char, 8>& digits = digits_of_bytes()[number];
    const std::size_t zeros = number == 0 ? 7 : std::string_view(digits.data(), 8).find('1');
    texts_.emplace_back("b" + std::string(digits.data() + zeros, 8 - zeros) + " ");
  }
  head_ = declare(signals, groups, clocks);
  cycle_lines_ = CycleLines(code_of(0) + "\n");
}

std::string VcdFile::declare(const std::vector<WaveSignal>& signals, const std::vector<std::size_t>& groups,
                             const std::vector<WaveClock>& clocks) {
  std::string text = declare_clocks(clocks);
  std::vector<std::size_t> order(signals.size());  // by groups, in each by address
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    if (groups[a] != groups[b]) return groups[a] < groups[b];
    return std::less<>()(signals[a].variable, signals[b].variable);
  });
  // One code for all signals that show a variable alike.
  const auto alike = [&](std::size_t a, std::size_t b) {
    return groups[a] == groups[b] && signals[a].variable == signals[b].variable &&
           signals[a].bits == signals[b].bits && signals[a].values == signals[b].values;
  };
  std::vector<std::size_t> same_as(signals.size());
  std::vector<std::size_t> shown;
  for (const std::size_t signal : order) {
    if (shown.empty() || !alike(shown.back(), signal)) shown.push_back(signal);
    same_as[signal] = shown.back();
  }
  std::size_t codes = clocks_.size();
  std::vector<std::string> code(signals.size());
  for (const std::size_t signal : same_as) {
    if (code[signal].empty()) code[signal] = code_of(codes++);
  }
  place(signals, groups, in_order_of_signals(shown, signals, groups), code);
  std::vector<std::string> open{kVcdRoot, kClockScope};
  for (std::size_t i = 0; i < signals.size(); ++i) {
    if (i == 0 || signals[i].scope != signals[i - 1].scope) {
      change_scope(text, open, fmt::format("{}.{}", kVcdRoot, signals[i].scope));
    }
    declare_signal(text, signals[i], code[same_as[i]]);
  }
  change_scope(text, open, "");
  text += "$enddefinitions $end\n";
  return text;
}

std::string VcdFile::declare_clocks(const std::vector<WaveClock>& clocks) {
  std::string text = fmt::format("$comment 1 s is one core cycle, of {} fs $end\n$timescale 1 ms $end\n",
                                 clocks.front().period);
  std::vector<std::string> open;
  change_scope(text, open, fmt::format("{}.{}", kVcdRoot, kClockScope));
  for (const WaveClock& clock : clocks) {
    const auto same = std::find_if(clocks_.begin(), clocks_.end(),
                                   [&clock](const Clock& other) { return other.period == clock.period; });
    const std::string code = code_of(static_cast<std::size_t>(same - clocks_.begin()));
    if (same == clocks_.end()) clocks_.push_back({Code(code + "\n"), clock.period});
    text += fmt::format("$var wire 1 {} {} $end\n", code, clock.name);
  }
  return text;
}

VcdFile::Variable VcdFile::variable_of(const WaveSignal& signal, const std::string& code) {
  Variable variable{Code(code + "\n")};
  variable.bits = static_cast<std::uint8_t>(signal.bits);
  if (signal.bits == 1 || !signal.values.empty()) {
    add_texts(variable, signal.values);
  } else {
    variable.texts = kBytes;
  }
  return variable;
}

/// Those of flags when there are no names.
void VcdFile::add_texts(Variable& variable, const std::vector<std::string>& names) {
  const auto first = static_cast<std::uint32_t>(texts_.size());
  const auto [place, is_new] = texts_of_names_.emplace(names, first);
  variable.first_text = place->second;
  variable.texts = names.empty() ? 2 : static_cast<std::uint16_t>(names.size());
  if (!is_new) return;
  for (const std::string& name : names) texts_.emplace_back("s" + name + " ");
  if (!names.empty()) return;
  texts_.emplace_back("0");
  texts_.emplace_back("1");
}

void VcdFile::place(const std::vector<WaveSignal>& signals, const std::vector<std::size_t>& groups,
                    const std::vector<std::size_t>& shown, const std::vector<std::string>& codes) {
  for (const std::size_t signal : shown) {
    const bool new_group = first_block_.size() <= groups[signal];
    while (first_block_.size() <= groups[signal]) first_block_.push_back(blocks_.size());
    const std::uint64_t* const variable = signals[signal].variable;
    if (new_group || blocks_.back().count == kCompared ||
        blocks_.back().values + blocks_.back().count != variable) {
      blocks_.emplace_back(variable, 0);
      variables_.resize(blocks_.size() * kCompared);
    }
    variables_[(blocks_.size() - 1) * kCompared + blocks_.back().count++] =
        variable_of(signals[signal], codes[signal]);
  }
  first_block_.push_back(blocks_.size());
}

inline char* VcdFile::put_value(char* at, const Variable& variable, std::uint64_t value) const {
  if (value < variable.texts) {
    at = texts_[variable.first_text + value].put(at);
  } else {
    at = put_number(at, value & (~std::uint64_t{0} >> (64U - variable.bits)));
  }
  return variable.code.put(at);
}

char* VcdFile::put_number(char* at, std::uint64_t value) const {
  static const auto& digits = digits_of_bytes();
  unsigned shift = (63 - static_cast<unsigned>(__builtin_clzll(value | 1U))) / 8 * 8;
  at = texts_[value >> shift].put(at) - 1;
  while (shift != 0) {
    shift -= 8;
    std::memcpy(at, digits[value >> shift & 0xFFU].data(), 8);
    at += 8;
  }
  *at = ' ';
  return at + 1;
}

void VcdFile::begin(Ticks time) {
  begin_ = time;
  dump_due_ = true;
  file_.emplace(path_);
  file_->write(head_);
  head_ = std::string();
  take_values();
}

void VcdFile::take_values() {
  for (ComparedValues& block : blocks_) std::copy_n(block.values, block.count, block.were.data());
}

void VcdFile::dump() {
  dump_due_ = false;
  written_time_ = units_of(begin_);
  text_.advance(time_line_.put(text_.at(), written_time_));
  text_.put("$dumpvars\n");
  for (Clock& clock : clocks_) {
    clock.rises = ClockEdges(clock.period, clocks_.front().period, begin_ / clock.period);
    const std::uint64_t fall = clock.rises.advance(true);
    clock.high = written_time_ < fall;
    clock.next_units = clock.high ? fall : clock.rises.units();
    if (clock.next_units == written_time_) {  // an edge that comes a little after, less than a unit
      clock.high = true;
      clock.next_units = clock.rises.advance(true);
    }
    put_level(clock);
  }
  for (std::size_t block = 0; block < blocks_.size(); ++block) {
    make_room();
    for (unsigned i = 0; i < blocks_[block].count; ++i) {
      text_.advance(put_value(text_.at(), variables_[block * kCompared + i], blocks_[block].were[i]));
    }
  }
  make_room();
  text_.put("$end\n");
}

inline void VcdFile::write_changes(std::size_t first, std::uint64_t changed) {
  make_room();
  char* at = text_.at();
  for (; changed != 0; changed &= changed - 1) {
    const auto place = static_cast<unsigned>(__builtin_ctzll(changed));
    ComparedValues& block = blocks_[first + place / kCompared];
    const std::uint64_t now = block.values[place % kCompared];
    block.were[place % kCompared] = now;
    at = put_value(at, variables_[first * kCompared + place], now);
  }
  text_.advance(at);
}

inline void VcdFile::begin_changes(Ticks time) {
  if (time == sampled_) return;
  sampled_ = time;
  const std::uint64_t units = units_of(time);
  advance_clocks(units);
  write_time(units);
}

void VcdFile::sample(Ticks time, std::size_t first, std::size_t end) {
  if (dump_due_) {
    if (time == begin_) take_values();
    dump();
  }
  const std::size_t end_block = first_block_[end];
  for (std::size_t block = first_block_[first]; block < end_block; block += kTogether) {
    const std::uint64_t changed = differing(block, std::min(end_block, block + kTogether));
    if (changed == 0) continue;
    begin_changes(time);
    write_changes(block, changed);
  }
}

/// Without a branch for each block: which of them have changed can't be predicted.
inline std::uint64_t VcdFile::differing(std::size_t first, std::size_t end) const {
  std::uint64_t changed = 0;
  for (std::size_t block = first; block != end; ++block) {
    changed |= std::uint64_t{blocks_[block].differing()} << (block - first) * kCompared;
  }
  return changed;
}

inline void VcdFile::put_level(const Clock& clock) {
  char* const at = text_.at();
  *at = clock.high ? '1' : '0';
  text_.advance(clock.code.put(at + 1));
}

void VcdFile::advance_clocks(std::uint64_t units) {
  if (clocks_.size() == 1) return advance_only_clock(units);
  for (;;) {
    Clock* clock = &clocks_.front();
    for (Clock& other : clocks_) {
      if (other.next_units < clock->next_units) clock = &other;
    }
    if (clock->next_units > units) return;
    write_time(clock->next_units);
    clock->high = !clock->high;
    clock->next_units = clock->rises.advance(clock->high);
    put_level(*clock);
  }
}

/// The same for a clock that is alone, the core's: most of a file of blocks that wait is its clock.
void VcdFile::advance_only_clock(std::uint64_t units) {
  constexpr std::uint64_t kHalf = kUnitsPerCycle / 2;
  Clock& clock = clocks_.front();
  while (clock.next_units <= units) {
    const std::uint64_t rise = clock.next_units + kHalf;
    if (clock.high && rise <= units && cycle_lines_.reach(rise)) {
      make_room();
      text_.advance(cycle_lines_.put(text_.at(), rise));
      written_time_ = rise;
      clock.next_units = rise + kHalf;
    } else {
      write_time(clock.next_units);
      clock.high = !clock.high;
      put_level(clock);
      clock.next_units = rise;
    }
  }
}

inline void VcdFile::write_time(std::uint64_t units) {
  if (units == written_time_) return;
  written_time_ = units;
  make_room();
  text_.advance(time_line_.put(text_.at(), units));
}

void VcdFile::end(Ticks time) {
  if (dump_due_) dump();
  if (time > begin_) {
    advance_clocks(units_of(time) - 1);
    write_time(units_of(time));
  }
  text_.write_to(*file_);
  file_->finish();
}

}  // namespace heddle
