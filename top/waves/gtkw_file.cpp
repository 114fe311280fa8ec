#include "top/waves/gtkw_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <utility>

namespace heddle {

namespace {

// GTKWave's trace flags (its analyzer.h): format, justification, group markers.
constexpr unsigned kHexadecimal = 0x2;
constexpr unsigned kDecimal = 0x4;
constexpr unsigned kBinary = 0x8;
constexpr unsigned kRightJustify = 0x20;
constexpr unsigned kBlank = 0x200;
constexpr unsigned kCollapsed = 0x1000;
constexpr unsigned kClosed = 0x400000;
constexpr unsigned kGroupBegin = 0x800000;
constexpr unsigned kGroupEnd = 0x1000000;

/// GTKWave shows 2^-zoom / 200 time units per pixel: about 30 core cycles in a window.
constexpr double kZoom = -12.5;
/// So many signals and more that differ in their number alone are an array.
constexpr std::size_t kFewestOfArray = 5;

std::string trace_name(const WaveSignal& signal) {
  const std::string name = fmt::format("{}.{}", kVcdRoot, signal.full_name());
  return signal.bits == 1 || !signal.values.empty() ? name : fmt::format("{}[{}:0]", name, signal.bits - 1);
}

/// Counts are narrow and masks of warps wide: numbers in decimal, masks in hexadecimal, flags as a bit.
unsigned format_of(const WaveSignal& signal) {
  constexpr unsigned kWidestCount = 32;
  constexpr std::string_view kLanes = "lanes";
  const std::size_t size = signal.name.size();
  const bool lanes = size >= kLanes.size() && signal.name.substr(size - kLanes.size()) == kLanes;
  if (!signal.values.empty() || lanes) return kHexadecimal;
  if (signal.bits == 1) return kBinary;
  return signal.bits <= kWidestCount ? kDecimal : kHexadecimal;
}

/// "entry" of "entry17"; the name itself when it has no number.
std::string_view stem_of(std::string_view name) {
  while (!name.empty() && std::isdigit(static_cast<unsigned char>(name.back())) != 0) name.remove_suffix(1);
  return name;
}

/// The group that shows `scope`: that of the table for one of its lines.
std::string group_of(const std::string& scope) {
  const std::size_t dot = scope.rfind('.');
  if (dot == std::string::npos) return scope;
  const std::string_view last = std::string_view(scope).substr(dot + 1);
  return stem_of(last) == "line" && last != "line" ? scope.substr(0, dot) : scope;
}

bool of_scheduler(const std::string& scope) { return scope.find(".scheduler") != std::string::npos; }

struct Group {
  std::string scope;
  std::vector<const WaveSignal*> signals;
  bool folded = false;  ///< its signals are of the lines of a table
};

std::vector<Group> groups_of(const std::vector<WaveSignal>& signals) {
  std::vector<Group> groups;
  for (const WaveSignal& signal : signals) {
    const std::string scope = group_of(signal.scope);
    if (groups.empty() || groups.back().scope != scope) groups.push_back({scope, {}, false});
    groups.back().signals.push_back(&signal);
    groups.back().folded |= scope != signal.scope;
  }
  std::stable_partition(groups.begin(), groups.end(), [](const Group& g) { return of_scheduler(g.scope); });
  return groups;
}

void begin_group(std::string& text, std::string_view name, bool folded) {
  text += fmt::format("@{:x}\n-{}\n", kGroupBegin | kBlank | (folded ? kClosed : 0), name);
}

void end_group(std::string& text, std::string_view name, bool folded) {
  text += fmt::format("@{:x}\n-{}\n", kGroupEnd | kBlank | (folded ? kClosed | kCollapsed : 0), name);
}

/// How many signals from `at` on differ in their number alone.
std::size_t array_at(const std::vector<const WaveSignal*>& signals, std::size_t at) {
  const std::string_view stem = stem_of(signals[at]->name);
  std::size_t count = 0;
  while (at + count < signals.size() && signals[at + count]->name != stem &&
         stem_of(signals[at + count]->name) == stem) {
    ++count;
  }
  return count;
}

/// Arrays are folded: the whole group, when it is nothing else, or a group inside it.
void append_group(std::string& text, const Group& group) {
  const std::size_t size = group.signals.size();
  const bool folded = group.folded || (size >= kFewestOfArray && array_at(group.signals, 0) == size);
  begin_group(text, group.scope, folded);
  std::size_t array_end = 0;
  std::string_view array;
  for (std::size_t i = 0; i < size; ++i) {
    const WaveSignal& signal = *group.signals[i];
    const std::size_t count = folded || i < array_end ? 0 : array_at(group.signals, i);
    if (count >= kFewestOfArray) {
      array = stem_of(signal.name);
      array_end = i + count;
      begin_group(text, array, true);
    }
    text += fmt::format("@{:x}\n{}\n", kRightJustify | format_of(signal), trace_name(signal));
    if (i + 1 == array_end) end_group(text, array, true);
  }
  end_group(text, group.scope, folded);
}

}  // namespace

std::string gtkw_text(const std::vector<WaveClock>& clocks, const std::vector<WaveSignal>& signals,
                      const std::string& folder, const std::string& waves, const std::string& stem,
                      std::uint64_t cycle) {
  const std::uint64_t start = cycle * kUnitsPerCycle;
  std::string text = fmt::format("[dumpfile] \"{0}/{1}\"\n[savefile] \"{0}/{2}.gtkw\"\n[timestart] {3}\n",
                                 folder, waves, stem, start);
  text += fmt::format("*{} {}\n[size] 1600 1000\n[signals_width] 260\n", kZoom, start);
  for (const WaveClock& clock : clocks) {
    text += fmt::format("@{:x}\n{}.{}.{}\n", kRightJustify | kBinary, kVcdRoot, kClockScope, clock.name);
  }
  for (const Group& group : groups_of(signals)) append_group(text, group);
  return text;
}

}  // namespace heddle
