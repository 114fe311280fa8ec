#include "top/timeline/trace_file.h"

#include <array>

namespace heddle {

void TraceFile::open(std::string_view other_data) {
  put("{\"displayTimeUnit\": \"ms\",\n\"otherData\": ");
  put(other_data);
  put(",\n\"traceEvents\": [");
}

void TraceFile::begin_event() {
  if (text_.size() > kBufferBytes) flush();
  put(events_++ == 0 ? "\n{" : ",\n{");
}

void TraceFile::flush() {
  file_.write({text_.data(), text_.size()});
  text_.clear();
}

void TraceFile::put_number(std::uint64_t number) {
  const fmt::format_int digits(number);
  text_.append(digits.data(), digits.data() + digits.size());
}

/// "12" or "12.345".
void TraceFile::put_time(std::uint64_t time) {
  put_number(time / kUnit);
  const auto rest = static_cast<unsigned>(time % kUnit);
  if (rest == 0) return;
  constexpr unsigned kTen = 10;
  const std::array<char, 4> digits{'.', static_cast<char>('0' + rest / (kTen * kTen)),
                                   static_cast<char>('0' + rest / kTen % kTen),
                                   static_cast<char>('0' + rest % kTen)};
  put({digits.data(), digits.size()});
}

void TraceFile::put_track(const TraceTrack& track) {
  put(",\"pid\":");
  put_number(track.process);
  put(",\"tid\":");
  put_number(track.thread);
}

void TraceFile::name_process(std::uint64_t process, unsigned place, std::string_view name) {
  const fmt::format_int pid(process);
  const std::string_view of(pid.data(), pid.size());
  begin_event();
  fmt::format_to(fmt::appender(text_), R"("ph":"M","pid":{},"name":"process_name","args":{{"name":{}}}}})",
                 of, name);
  begin_event();
  fmt::format_to(fmt::appender(text_),
                 R"("ph":"M","pid":{},"name":"process_sort_index","args":{{"sort_index":{}}}}})", of, place);
}

void TraceFile::label_process(std::uint64_t process, std::string_view label) {
  begin_event();
  fmt::format_to(fmt::appender(text_),
                 R"("ph":"M","pid":{},"name":"process_labels","args":{{"labels":{}}}}})", process, label);
}

TraceTrack TraceFile::add_track(std::uint64_t process, unsigned place, std::string_view name) {
  const TraceTrack track{process, ++tracks_};
  begin_event();
  put("\"ph\":\"M\"");
  put_track(track);
  fmt::format_to(fmt::appender(text_), R"(,"name":"thread_name","args":{{"name":{}}}}})", name);
  begin_event();
  put("\"ph\":\"M\"");
  put_track(track);
  fmt::format_to(fmt::appender(text_), R"(,"name":"thread_sort_index","args":{{"sort_index":{}}}}})", place);
  return track;
}

std::string TraceFile::slice_beginning(const TraceTrack& track) {
  return fmt::format(R"("ph":"X","pid":{},"tid":{},"ts":)", track.process, track.thread);
}

std::string TraceFile::slice_ending(std::string_view name, std::string_view arguments) {
  return arguments.empty() ? fmt::format(R"(,"name":{}}})", name)
                           : fmt::format(R"(,"name":{},"args":{{{}}}}})", name, arguments);
}

void TraceFile::slice(std::string_view beginning, std::uint64_t from, std::uint64_t duration,
                      std::string_view ending) {
  begin_event();
  put(beginning);
  put_time(from);
  put(",\"dur\":");
  put_time(duration);
  put(ending);
}

void TraceFile::counter(std::uint64_t process, std::uint64_t time, std::string_view name, double value) {
  begin_event();
  fmt::format_to(fmt::appender(text_), R"("ph":"C","pid":{},"ts":)", process);
  put_time(time);
  fmt::format_to(fmt::appender(text_), R"(,"name":{},"args":{{"value":{}}}}})", name, value);
}

void TraceFile::flow(Flow flow, std::uint64_t id, const TraceTrack& track, std::uint64_t time) {
  begin_event();
  fmt::format_to(fmt::appender(text_), R"("ph":"{}","id":{},"name":"memory request","cat":"memory")",
                 static_cast<char>(flow), id);
  put_track(track);
  put(",\"ts\":");
  put_time(time);
  put(flow == Flow::kEnd ? ",\"bp\":\"e\"}" : "}");
}

void TraceFile::close() {
  put("\n]}\n");
  flush();
  if (!file_.finish()) throw OutputError(file_.problem());
}

}  // namespace heddle
