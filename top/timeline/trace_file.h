#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <string_view>

#include "top/support/output/atomic_file.h"

namespace heddle {

/// A track of a trace: a thread of a process in the words of the format.
struct TraceTrack {
  std::uint64_t process = 0;
  std::uint64_t thread = 0;
};

/// Writes a file in the Trace Event Format, the JSON of chrome://tracing and Perfetto: an object with what
/// `open` is given, and the list of events, one a line. Times and durations are in thousandths of the
/// format's microsecond.
class TraceFile {
 public:
  static constexpr std::uint64_t kUnit = 1000;
  enum class Flow : char { kStart = 's', kStep = 't', kEnd = 'f' };

  /// Creates the file; failed() tells whether that could be done.
  explicit TraceFile(const std::string& path) : file_(path) {}

  /// Begins the file; `other_data` is JSON.
  void open(std::string_view other_data);
  // Texts are JSON, with their quotes.
  void name_process(std::uint64_t process, unsigned place, std::string_view name);
  void label_process(std::uint64_t process, std::string_view label);
  /// A new track of the process, which no other process has.
  TraceTrack add_track(std::uint64_t process, unsigned place, std::string_view name);
  /// `arguments`: members of an object, or "".
  void slice(const TraceTrack& track, std::uint64_t from, std::uint64_t duration, std::string_view name,
             std::string_view arguments = "") {
    slice(slice_beginning(track), from, duration, slice_ending(name, arguments));
  }
  /// The same of many slices: what begins those of a track, and what ends those of a name.
  static std::string slice_beginning(const TraceTrack& track);
  static std::string slice_ending(std::string_view name, std::string_view arguments = "");
  void slice(std::string_view beginning, std::uint64_t from, std::uint64_t duration, std::string_view ending);
  void counter(std::uint64_t process, std::uint64_t time, std::string_view name, double value);
  /// Of the slice of `track` that begins at `time`.
  void flow(Flow flow, std::uint64_t id, const TraceTrack& track, std::uint64_t time);
  /// Ends the file. Throws OutputError when it could not be written.
  void close();

  std::uint64_t events() const { return events_; }
  bool failed() const { return file_.failed(); }
  std::string problem() const { return file_.problem(); }

 private:
  static constexpr std::size_t kBufferBytes = std::size_t{1} << 18;

  void begin_event();
  void put(std::string_view text) { text_.append(text.data(), text.data() + text.size()); }
  void put_number(std::uint64_t number);
  void put_time(std::uint64_t time);
  void put_track(const TraceTrack& track);
  void flush();

  WholeFile file_;
  fmt::memory_buffer text_;
  std::uint64_t events_ = 0;
  std::uint64_t tracks_ = 0;
};

}  // namespace heddle
