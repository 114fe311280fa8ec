#include "top/waves/vcd_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <numeric>
#include <stdexcept>
#include <string_view>
#include <utility>

namespace heddle {

namespace {

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

std::string range_of(unsigned bits) { return bits == 1 ? "" : fmt::format(" [{}:0]", bits - 1); }

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

// No loop: at -O2 that would take twice the instructions.
bool any_differs(const std::uint64_t* a, const std::uint64_t* b) {
  return ((a[0] ^ b[0]) | (a[1] ^ b[1]) | (a[2] ^ b[2]) | (a[3] ^ b[3])) != 0;
}

}  // namespace

VcdFile::Text::Text(const std::string& text) : size(text.size()) {
  if (size > kMost) throw std::length_error("a name of a value in waves is too long: " + text);
  std::copy_n(text.data(), size, chars);
}

void VcdFile::Buffer::put_binary(std::uint64_t value) {
  static const auto& digits = digits_of_bytes();
  const auto count = 64 - static_cast<unsigned>(__builtin_clzll(value | 1U));
  char* const end = at_ + count;
  for (value <<= 64 - count; at_ < end; value <<= 8U) {
    std::memcpy(at_, digits[value >> 56U].data(), 8);
    at_ += 8;
  }
  at_ = end;
}

void VcdFile::Buffer::write_to(WholeFile& file) {
  file.write({chars_.data(), static_cast<std::size_t>(at_ - chars_.data())});
  at_ = chars_.data();
}

VcdFile::VcdFile(const std::string& path, const std::vector<WaveSignal>& signals,
                 const std::vector<std::size_t>& groups, const std::vector<WaveClock>& clocks)
    : file_(path) {
  file_.write(declare(signals, groups, clocks));
}

std::string VcdFile::declare(const std::vector<WaveSignal>& signals, const std::vector<std::size_t>& groups,
                             const std::vector<WaveClock>& clocks) {
  std::string text = fmt::format("$comment 1 s is one core cycle, of {} fs $end\n$timescale 1 ms $end\n",
                                 clocks.front().period);
  std::vector<std::string> open;
  std::size_t codes = 0;
  for (const WaveClock& clock : clocks) {
    change_scope(text, open, fmt::format("{}.{}", kVcdRoot, kClockScope));
    auto same = std::find_if(clocks_.begin(), clocks_.end(),
                             [&clock](const Clock& other) { return other.period == clock.period; });
    if (same == clocks_.end()) {
      const std::string code = code_of(codes++);
      same = clocks_.insert(clocks_.end(), {Text("1" + code + "\n"), Text("0" + code + "\n"), clock.period});
    }
    text += fmt::format("$var wire 1 {} {} $end\n",
                        std::string_view(same->rise.chars).substr(1, same->rise.size - 2), clock.name);
  }

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
  shown = in_order_of_signals(shown, signals, groups);
  std::vector<std::string> code(signals.size());
  for (const std::size_t signal : same_as) {
    if (code[signal].empty()) code[signal] = code_of(codes++);
  }
  for (const std::size_t signal : shown) {
    Variable variable{Text(" " + code[signal] + "\n"), signals[signal].bits};
    add_lines(variable, signals[signal], code[signal]);
    variables_.push_back(variable);
  }
  place(signals, groups, shown);
  for (std::size_t i = 0; i < signals.size(); ++i) {
    const WaveSignal& signal = signals[i];
    change_scope(text, open, fmt::format("{}.{}", kVcdRoot, signal.scope));
    if (signal.values.empty()) {
      text += fmt::format("$var wire {} {} {}{} $end\n", signal.bits, code[same_as[i]], signal.name,
                          range_of(signal.bits));
    } else {
      text += fmt::format("$var string 1 {} {} $end\n", code[same_as[i]], signal.name);
    }
  }
  change_scope(text, open, "");
  text += "$enddefinitions $end\n";
  return text;
}

void VcdFile::add_lines(Variable& variable, const WaveSignal& signal, const std::string& code) {
  variable.first_line = lines_.size();
  for (const std::string& name : signal.values) lines_.emplace_back("s" + name + " " + code + "\n");
  if (signal.values.empty()) {
    for (const char* bit : {"0", "1"}) {
      lines_.emplace_back(signal.bits == 1 ? bit + code + "\n" : fmt::format("b{} {}\n", bit, code));
    }
  }
  variable.lines = lines_.size() - variable.first_line;
}

void VcdFile::place(const std::vector<WaveSignal>& signals, const std::vector<std::size_t>& groups,
                    const std::vector<std::size_t>& order) {
  for (const std::size_t signal : order) {
    const bool new_group = first_span_.size() <= groups[signal];
    while (first_span_.size() <= groups[signal]) first_span_.push_back(spans_.size());
    const std::uint64_t* const variable = signals[signal].variable;
    if (new_group || spans_.back().from + spans_.back().count != variable) {
      spans_.push_back({variable, shown_.size(), 0});
    }
    ++spans_.back().count;
    shown_.push_back(*variable);
  }
  first_span_.push_back(spans_.size());
}

void VcdFile::put_value(std::size_t variable) {
  const Variable& shown = variables_[variable];
  const std::uint64_t value = shown_[variable];
  if (value < shown.lines) {
    text_.put(lines_[shown.first_line + value]);
  } else {
    text_.put('b');
    text_.put_binary(value & (~std::uint64_t{0} >> (64 - shown.bits)));
    text_.put(shown.code);
  }
}

void VcdFile::begin(Ticks time) {
  begin_ = time;
  dump_due_ = true;
  take_values();
}

void VcdFile::take_values() {
  for (const Span& span : spans_) std::copy_n(span.from, span.count, shown_.data() + span.first);
}

void VcdFile::dump() {
  dump_due_ = false;
  written_time_ = units_of(begin_);
  put_line(fmt::format("#{}", written_time_));
  put_line("$dumpvars");
  for (Clock& clock : clocks_) {
    clock.next_rise = (begin_ / clock.period + 1) * clock.period;
    const std::uint64_t fall = fall_of(clock);
    clock.high = written_time_ < fall;
    clock.next_units = clock.high ? fall : units_of(clock.next_rise);
    text_.put(clock.high ? clock.rise : clock.fall);
  }
  const std::uint64_t cycle = written_time_ / kUnitsPerCycle;
  const Clock& core = clocks_.front();
  rise_.set(cycle + 1, "000\n" + std::string(core.rise.chars, core.rise.size));
  fall_.set(core.high ? cycle : cycle + 1, "500\n" + std::string(core.fall.chars, core.fall.size));
  for (std::size_t variable = 0; variable < variables_.size(); ++variable) {
    make_room();
    put_value(variable);
  }
  put_line("$end");
}

void VcdFile::put_line(const std::string& line) {
  make_room();
  text_.put(line.data(), line.size());
  text_.put('\n');
}

/// Half-way from its last rise to the next.
std::uint64_t VcdFile::fall_of(const Clock& clock) const {
  return (units_of(clock.next_rise - clock.period) + units_of(clock.next_rise)) / 2;
}

void VcdFile::sample(Ticks time, std::size_t group) {
  if (dump_due_) {
    if (time == begin_) take_values();
    dump();
  }
  const Span* const end = spans_.data() + first_span_[group + 1];
  for (const Span* span = spans_.data() + first_span_[group]; span != end; ++span) {
    const std::uint64_t* const now = span->from;
    const std::uint64_t* const shown = shown_.data() + span->first;
    const std::size_t count = span->count;
    if (count < kBlock) {
      for (std::size_t i = 0; i < count; ++i) {
        if (now[i] != shown[i]) write_changes(time, now + i, span->first + i, 1);
      }
      continue;
    }
    if (count >= kLongSpan && std::memcmp(now, shown, count * sizeof *now) == 0) continue;
    // The last block may begin in the one before, of which nothing differs any more.
    for (std::size_t block = 0; block < count; block += kBlock) {
      const std::size_t at = std::min(block, count - kBlock);
      if (any_differs(now + at, shown + at)) write_changes(time, now + at, span->first + at, kBlock);
    }
  }
}

void VcdFile::write_changes(Ticks time, const std::uint64_t* now, std::size_t first, std::size_t count) {
  if (time != sampled_) {
    sampled_ = time;
    const std::uint64_t units = units_of(time);
    advance_clocks(units);
    write_time(units);
  }
  make_room();
  std::uint64_t* const shown = shown_.data() + first;
  for (std::size_t i = 0; i < count; ++i) {
    if (now[i] == shown[i]) continue;
    shown[i] = now[i];
    put_value(first + i);
  }
}

std::uint64_t VcdFile::units_of(Ticks time) const {
  const Ticks core = clocks_.front().period;
  return time / core * kUnitsPerCycle + time % core * kUnitsPerCycle / core;
}

void VcdFile::advance_clocks(std::uint64_t units) {
  if (clocks_.size() == 1) return advance_only_clock(units);
  for (;;) {
    Clock* first = &clocks_.front();
    for (Clock& clock : clocks_) {
      if (clock.next_units < first->next_units) first = &clock;
    }
    if (first->next_units > units) return;
    write_time(first->next_units);
    first->high = !first->high;
    text_.put(first->high ? first->rise : first->fall);
    if (first->high) first->next_rise += first->period;
    first->next_units = first->high ? fall_of(*first) : units_of(first->next_rise);
  }
}

/// The same for a clock that is alone, the core's, with its cycles counted in decimal: most of a file of
/// blocks that wait is its clock.
void VcdFile::advance_only_clock(std::uint64_t units) {
  Clock& clock = clocks_.front();
  for (; clock.next_units <= units; clock.next_units += kUnitsPerCycle / 2) {
    make_room();
    clock.high = !clock.high;
    CountedLines& lines = clock.high ? rise_ : fall_;
    text_.put(lines.text);
    lines.count();
    written_time_ = clock.next_units;
  }
}

void VcdFile::CountedLines::set(std::uint64_t cycle, const std::string& after) {
  const std::string line = "#" + std::to_string(cycle);
  end = line.size();
  text = Text(line + after);
}

void VcdFile::CountedLines::count() {
  std::size_t i = end;
  while (text.chars[i - 1] == '9') text.chars[--i] = '0';
  if (i != 1) {
    ++text.chars[i - 1];
    return;
  }
  std::memmove(text.chars + 2, text.chars + 1, text.size++ - 1);
  text.chars[1] = '1';
  ++end;
}

void VcdFile::write_time(std::uint64_t units) {
  if (units == written_time_) return;
  written_time_ = units;
  put_line("#" + std::to_string(units));
}

void VcdFile::end(Ticks time) {
  if (dump_due_) dump();
  if (time > begin_) {
    advance_clocks(units_of(time) - 1);
    write_time(units_of(time));
  }
  text_.write_to(file_);
  file_.finish();
}

}  // namespace heddle
