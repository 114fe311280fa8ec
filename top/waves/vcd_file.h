#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/ticks.h"
#include "top/support/output/atomic_file.h"
#include "top/waves/clock_edges.h"
#include "top/waves/compared_values.h"
#include "top/waves/cycle_lines.h"
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
  /// The first clock is the core's. `groups` has a number for each of the signals, from 0 on: those of one
  /// group are looked at together. There is a file from begin() on.
  VcdFile(std::string path, const std::vector<WaveSignal>& signals, const std::vector<std::size_t>& groups,
          const std::vector<WaveClock>& clocks);

  /// The file begins at `time` of the simulation, an edge of the core clock, with the values that the signals
  /// have now, or those that an edge at that time leaves.
  void begin(Ticks time);
  /// Takes the present values of groups from `first` up to `end` as those from `time` on: what changed is
  /// written. Calls come in the order of their times, none before begin()'s.
  void sample(Ticks time, std::size_t first, std::size_t end);
  /// Ends the file before `time`; clocks go on until then. Without it there is no file.
  void end(Ticks time);
  /// Something could not be written: there will be no file.
  bool failed() const { return file_ && file_->failed(); }
  /// Why that is so; "" when it is not.
  std::string problem() const { return failed() ? file_->problem() : ""; }

 private:
  /// Blocks of values that are compared one after the other, without asking in between.
  static constexpr std::size_t kTogether = 16;

  using Text = ShortText<48>;
  /// What is not yet in the file.
  class Buffer {
   public:
    Buffer() : chars_(kBytes) {}
    /// Where the next characters go; there is room for the lines of kTogether blocks, or for a time's.
    char* at() const { return at_; }
    void advance(char* end) { at_ = end; }
    void put(std::string_view text) { at_ += text.copy(at_, text.size()); }
    void write_to(WholeFile& file);
    /// No room is left for what at() promises.
    bool full() const { return at_ > chars_.data() + (kBytes - kLongest); }

   private:
    static constexpr std::size_t kBytes = std::size_t{1} << 16;
    static constexpr std::size_t kLongestLine = 80;
    static constexpr std::size_t kLongest = kTogether * kCompared * kLongestLine + sizeof(Text);
    std::vector<char> chars_;
    char* at_ = chars_.data();
  };
  /// What a file calls a variable, and the end of the line.
  using Code = ShortText<8>;
  struct Variable {
    Code code;
    std::uint32_t first_text = 0;  ///< in texts_: what stands before the code, for the values from 0 on
    std::uint16_t texts = 0;       ///< for larger values it is made
    std::uint8_t bits = 1;
  };
  struct Clock {
    Code code;
    Ticks period = 0;
    ClockEdges rises{};            ///< the next one
    std::uint64_t next_units = 0;  ///< of the file's time, when it changes next
    bool high = false;
  };

  /// The head of the file.
  std::string declare(const std::vector<WaveSignal>& signals, const std::vector<std::size_t>& groups,
                      const std::vector<WaveClock>& clocks);
  std::string declare_clocks(const std::vector<WaveClock>& clocks);
  /// `shown`: the signals that the file has values of, in its order; `codes`: of all signals.
  void place(const std::vector<WaveSignal>& signals, const std::vector<std::size_t>& groups,
             const std::vector<std::size_t>& shown, const std::vector<std::string>& codes);
  Variable variable_of(const WaveSignal& signal, const std::string& code);
  void add_texts(Variable& variable, const std::vector<std::string>& names);
  /// Writes those of the values from block `first` on whose bits are set in `changed`.
  void write_changes(std::size_t first, std::uint64_t changed);
  /// Those of the values of blocks from `first` up to `end`, kTogether at most, that have changed.
  std::uint64_t differing(std::size_t first, std::size_t end) const;
  /// Before changes of `time` are written.
  void begin_changes(Ticks time);
  void take_values();
  void dump();
  char* put_value(char* at, const Variable& variable, std::uint64_t value) const;
  char* put_number(char* at, std::uint64_t value) const;
  void put_level(const Clock& clock);
  std::uint64_t units_of(Ticks time) const { return file_time(time, clocks_.front().period); }
  /// Writes the clocks' changes up to `units` of the file's time, that included.
  void advance_clocks(std::uint64_t units);
  void advance_only_clock(std::uint64_t units);
  void write_time(std::uint64_t units);
  void make_room() {
    if (text_.full()) text_.write_to(*file_);
  }

  const std::string path_;
  std::string head_;  ///< until begin()
  std::optional<WholeFile> file_;
  Buffer text_;
  std::vector<ComparedValues> blocks_;    ///< what the file shows
  std::vector<std::size_t> first_block_;  ///< of each group, and the end
  std::vector<Variable> variables_;       ///< kCompared for each block
  std::vector<Text> texts_;               ///< first those of the numbers from 0 to 255
  std::map<std::vector<std::string>, std::uint32_t> texts_of_names_;
  std::vector<Clock> clocks_;
  std::uint64_t written_time_ = 0;  ///< the file's
  TimeLine time_line_;
  CycleLines cycle_lines_;
  Ticks begin_ = 0;
  Ticks sampled_ = ~Ticks{0};  ///< of the last change that was written
  bool dump_due_ = false;
};

}  // namespace heddle
