#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "base/ticks.h"
#include "top/support/output/atomic_file.h"
#include "top/waves/clock_edges.h"
#include "top/waves/short_text.h"
#include "top/waves/time_line.h"
#include "top/waves/wave_recorder.h"

namespace heddle {

/// A clock that a VCD file shows: 1 from each edge on for half a period. Edge k is at k periods.
struct WaveClock {
  std::string name;  ///< in scope `clock`
  Ticks period = 0;  ///< of the simulated time
};

/// Scope of the clocks in a VCD file.
constexpr const char* kClockScope = "clock";
/// Above all other scopes of a VCD file.
constexpr const char* kVcdRoot = "gpu";

/// Writes signals and clocks as a value change dump. Its time is in core cycles, so that viewers' rulers
/// count cycles: 1 s of the file is one core cycle, and 1 ms, its resolution, a thousandth of one.
/// Enumerations are strings, the names of their values. Signals that are one variable share one code of the
/// file.
class VcdFile {
 public:
  /// The first clock is the core's. `signals` must outlive it. `groups` has a number for each, from 0 on:
  /// those of one group are looked at together.
  VcdFile(const std::string& path, const std::vector<WaveSignal>& signals,
          const std::vector<std::size_t>& groups, const std::vector<WaveClock>& clocks);

  /// The file begins at `time` of the simulation, an edge of the core clock, with the values that the signals
  /// have now, or those that an edge at that time leaves.
  void begin(Ticks time);
  /// Takes the present values of `group` as those from `time` on: what changed is written. Calls come in the
  /// order of their times, none before begin()'s.
  void sample(Ticks time, std::size_t group);
  /// Ends the file before `time`; clocks go on until then. Without it there is no file.
  void end(Ticks time);
  /// Something could not be written: there will be no file.
  bool failed() const { return file_.failed(); }
  /// Why that is so; "" when it is not.
  std::string problem() const { return failed() ? file_.problem() : ""; }

 private:
  /// Values that are compared at once, and for which there is room at once.
  static constexpr std::size_t kBlock = 4;
  /// Signals that the C library's comparison is quicker for.
  static constexpr std::size_t kLongSpan = 16;

  /// What is not yet in the file.
  class Buffer {
   public:
    Buffer() : chars_(kBytes) {}
    void put(char c) { *at_++ = c; }
    void put(const ShortText& text) {
      std::memcpy(at_, text.chars, ShortText::kMost);
      at_ += text.size;
    }
    void put(const CycleLines::Part& part) {
      std::memcpy(at_, part.chars, CycleLines::kMost);
      at_ += part.size;
    }
    void put(const char* text, std::size_t size) {
      std::memcpy(at_, text, size);
      at_ += size;
    }
    void put_binary(std::uint64_t value);
    void write_to(WholeFile& file);
    /// No room is left for the longest lines of a block of values and what they copy beyond themselves.
    bool full() const { return static_cast<std::size_t>(at_ - chars_.data()) > kBytes - kLongest; }

   private:
    static constexpr std::size_t kBytes = std::size_t{1} << 18;
    static constexpr std::size_t kLongest = 512;
    std::vector<char> chars_;
    char* at_ = chars_.data();
  };
  /// Signals whose variables lie one after the other in memory.
  struct Span {
    const std::uint64_t* from = nullptr;
    std::uint64_t* shown = nullptr;  ///< what the file shows of them
    std::size_t first = 0;           ///< in variables_ and shown_
    std::size_t count = 0;
  };
  struct Variable {
    ShortText code;  ///< after a value: " !\n"
    unsigned bits = 1;
    /// In lines_: what is written for the values from 0 on, all those of flags and enumerations, the most
    /// frequent ones of numbers.
    std::size_t first_line = 0;
    std::size_t lines = 0;
  };
  struct Clock {
    ShortText rise, fall;  ///< lines
    Ticks period = 0;
    ClockEdges rises{};            ///< the next one
    std::uint64_t next_units = 0;  ///< of the file's time, when it changes next
    bool high = false;
  };

  /// The head of the file.
  std::string declare(const std::vector<WaveSignal>& signals, const std::vector<std::size_t>& groups,
                      const std::vector<WaveClock>& clocks);
  void place(const std::vector<WaveSignal>& signals, const std::vector<std::size_t>& groups,
             const std::vector<std::size_t>& order);
  /// Writes the variables of the span from its `first` on whose bits are set in `changed`.
  void write_changes(const Span& span, std::size_t first, unsigned changed);
  /// Before changes of `time` are written.
  void begin_changes(Ticks time);
  void take_values();
  void add_lines(Variable& variable, const WaveSignal& signal, const std::string& code);
  void dump();
  /// After make_room(), which is for kBlock values.
  void put_value(const Variable& variable, std::uint64_t value);
  void put_line(const std::string& line);
  std::uint64_t units_of(Ticks time) const { return file_time(time, clocks_.front().period); }
  /// Writes the clocks' changes up to `units` of the file's time, that included.
  void advance_clocks(std::uint64_t units);
  void advance_only_clock(std::uint64_t units);
  void write_time(std::uint64_t units);
  void make_room() {
    if (text_.full()) text_.write_to(file_);
  }

  WholeFile file_;
  Buffer text_;
  std::vector<Span> spans_;
  std::vector<std::size_t> first_span_;  ///< of each group, and the end
  std::vector<std::uint64_t> shown_;
  std::vector<Variable> variables_;
  std::vector<ShortText> lines_;
  std::vector<Clock> clocks_;
  std::uint64_t written_time_ = 0;  ///< the file's
  TimeLine time_line_;
  CycleLines cycle_lines_;  ///< of the only clock, the next ones
  Ticks begin_ = 0;
  Ticks sampled_ = ~Ticks{0};  ///< of the last change that was written
  bool dump_due_ = false;
};

}  // namespace heddle
