#include "top/waves/vcd_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <numeric>
#include <string_view>
#include <utility>

#include "top/waves/differing.h"

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

}  // namespace

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
      same = clocks_.insert(clocks_.end(),
                            {ShortText("1" + code + "\n"), ShortText("0" + code + "\n"), clock.period});
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
    Variable variable{ShortText(" " + code[signal] + "\n"), signals[signal].bits};
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
  for (const std::string& name : signal.values) lines_.emplace_back(fmt::format("s{} {}\n", name, code));
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
      spans_.push_back({variable, nullptr, shown_.size(), 0});
    }
    ++spans_.back().count;
    shown_.push_back(*variable);
  }
  for (Span& span : spans_) span.shown = shown_.data() + span.first;
  first_span_.push_back(spans_.size());
}

inline void VcdFile::put_value(const Variable& variable, std::uint64_t value) {
  if (value < variable.lines) {
    text_.put(lines_[variable.first_line + value]);
  } else {
    text_.put('b');
    text_.put_binary(value & (~std::uint64_t{0} >> (64 - variable.bits)));
    text_.put(variable.code);
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
  time_line_.set(written_time_);
  text_.put(time_line_.text());
  put_line("$dumpvars");
  for (Clock& clock : clocks_) {
    clock.rises = ClockEdges(clock.period, clocks_.front().period, begin_ / clock.period);
    const std::uint64_t fall = clock.rises.advance();
    clock.high = written_time_ < fall;
    clock.next_units = clock.high ? fall : clock.rises.units();
    text_.put(clock.high ? clock.rise : clock.fall);
  }
  const Clock& core = clocks_.front();
  cycle_lines_ = CycleLines(written_time_ / kUnitsPerCycle + (core.high ? 0 : 1), core.rise, core.fall);
  for (std::size_t variable = 0; variable < variables_.size(); ++variable) {
    make_room();
    put_value(variables_[variable], shown_[variable]);
  }
  put_line("$end");
}

void VcdFile::put_line(const std::string& line) {
  make_room();
  text_.put(line.data(), line.size());
  text_.put('\n');
}

inline void VcdFile::write_changes(const Span& span, std::size_t first, unsigned changed) {
  make_room();
  for (; changed != 0; changed &= changed - 1) {
    const std::size_t i = first + static_cast<unsigned>(__builtin_ctz(changed));
    const std::uint64_t now = span.from[i];
    span.shown[i] = now;
    put_value(variables_[span.first + i], now);
  }
}

void VcdFile::begin_changes(Ticks time) {
  if (time == sampled_) return;
  sampled_ = time;
  const std::uint64_t units = units_of(time);
  advance_clocks(units);
  write_time(units);
}

void VcdFile::sample(Ticks time, std::size_t group) {
  if (dump_due_) {
    if (time == begin_) take_values();
    dump();
  }
  const Span* const end = spans_.data() + first_span_[group + 1];
  for (const Span* span = spans_.data() + first_span_[group]; span != end; ++span) {
    const std::uint64_t* const now = span->from;
    const std::uint64_t* const shown = span->shown;
    const std::size_t count = span->count;
    if (count < kBlock) {
      for (std::size_t i = 0; i < count; ++i) {
        if (now[i] == shown[i]) continue;
        begin_changes(time);
        write_changes(*span, i, 1);
      }
      continue;
    }
    if (count >= kLongSpan && std::memcmp(now, shown, count * sizeof *now) == 0) continue;
    // The last block may begin in the one before, of which nothing differs any more.
    for (std::size_t block = 0; block < count; block += kBlock) {
      const std::size_t at = std::min(block, count - kBlock);
      const unsigned changed = differing(now + at, shown + at);
      if (changed == 0) continue;
      begin_changes(time);
      write_changes(*span, at, changed);
    }
  }
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
    first->next_units = first->high ? first->rises.advance() : first->rises.units();
  }
}

/// The same for a clock that is alone, the core's: most of a file of blocks that wait is its clock.
void VcdFile::advance_only_clock(std::uint64_t units) {
  constexpr std::uint64_t kHalf = kUnitsPerCycle / 2;
  Clock& clock = clocks_.front();
  const auto put = [&](const CycleLines::Part& part, std::uint64_t last) {
    make_room();
    text_.put(part);
    written_time_ = last;
    clock.next_units = last + kHalf;
  };
  if (clock.next_units > units) return;
  if (clock.high) {
    put(cycle_lines_.fall(), clock.next_units);
    cycle_lines_.count();
  }
  while (clock.next_units + kHalf <= units) {
    put(cycle_lines_.both(), clock.next_units + kHalf);
    cycle_lines_.count();
  }
  clock.high = clock.next_units <= units;
  if (clock.high) put(cycle_lines_.rise(), clock.next_units);
}

void VcdFile::write_time(std::uint64_t units) {
  if (units == written_time_) return;
  written_time_ = units;
  make_room();
  time_line_.set(units);
  text_.put(time_line_.text());
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
