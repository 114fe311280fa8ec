// Reads a file in the Trace Event Format and expects of it what the format asks for.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

namespace heddle::test {

struct TraceSlice {
  double ts = 0;
  double dur = 0;
  std::string name;
  nlohmann::json args;
  unsigned depth = 0;  ///< slices that it lies in

  double end() const { return ts + dur; }
};

struct TraceThread {
  std::string process;
  std::string name;
  std::vector<TraceSlice> slices;

  std::vector<TraceSlice> of_depth(unsigned depth) const {
    std::vector<TraceSlice> found;
    for (const TraceSlice& slice : slices) {
      if (slice.depth == depth) found.push_back(slice);
    }
    return found;
  }
  /// Cycles by name.
  std::map<std::string, double> cycles(unsigned depth) const {
    std::map<std::string, double> sums;
    for (const TraceSlice& slice : of_depth(depth)) sums[slice.name] += slice.dur;
    return sums;
  }
};

struct TraceFlowPart {
  char phase = 0;
  std::pair<long, long> thread;
  double ts = 0;
};

/// A trace; read() expects the rules of the format, as gtest failures.
class TraceReader {
 public:
  using Json = nlohmann::json;
  using Points = std::vector<std::pair<double, double>>;  ///< time, value

  static TraceReader read(const std::string& text) {
    TraceReader trace;
    trace.take(text);
    return trace;
  }

  /// "SM 0", "warp slot 3".
  const TraceThread& thread(const std::string& process, const std::string& name) const {
    static const TraceThread kNone;
    for (const auto& [id, thread] : threads_) {
      if (thread.process == process && thread.name == name) return thread;
    }
    ADD_FAILURE() << "no thread " << process << " / " << name;
    return kNone;
  }
  std::vector<const TraceThread*> threads(const std::string& process, const std::string& prefix) const {
    std::vector<const TraceThread*> found;
    for (const auto& [id, thread] : threads_) {
      if (thread.process == process && thread.name.rfind(prefix, 0) == 0) found.push_back(&thread);
    }
    return found;
  }
  const Points& counter(const std::string& process, const std::string& name) const {
    static const Points kNone;
    const auto found = counters_.find({process, name});
    if (found != counters_.end()) return found->second;
    ADD_FAILURE() << "no counter " << process << " / " << name;
    return kNone;
  }
  /// Of a counter, its values times the time for which they hold.
  double integral(const std::string& process, const std::string& name) const {
    const Points& points = counter(process, name);
    double sum = 0;
    for (std::size_t i = 0; i + 1 < points.size(); ++i) {
      sum += points[i].second * (points[i + 1].first - points[i].first);
    }
    return sum;
  }
  const std::map<std::pair<long, long>, TraceThread>& threads() const { return threads_; }
  const std::map<long, std::vector<TraceFlowPart>>& flows() const { return flows_; }
  const Json& other() const { return other_; }
  std::size_t events() const { return events_; }

 private:
  void take(const std::string& text) {
    const Json file = Json::parse(text, nullptr, false);
    ASSERT_TRUE(file.is_object()) << "no JSON object";
    other_ = file.value("otherData", Json::object());
    const std::string unit = file.value("displayTimeUnit", "");
    EXPECT_TRUE(unit == "ms" || unit == "ns") << unit;
    ASSERT_TRUE(file.contains("traceEvents") && file["traceEvents"].is_array());
    for (const Json& event : file["traceEvents"]) {
      ASSERT_NO_THROW(take_event(event)) << event;
      ++events_;
    }
    for (auto& [id, thread] : threads_) {
      EXPECT_NE(thread.name, "") << "a thread without a name: " << id.second;
      ASSERT_TRUE(processes_.count(id.first) != 0) << "a process without a name: " << id.first;
      thread.process = processes_[id.first];
      nest(thread);
    }
    for (const auto& [id, parts] : flows_) check_flow(id, parts);
    std::map<std::pair<std::string, std::string>, Points> by_name;
    for (const auto& [id, points] : numbered_counters_) by_name[{processes_[id.first], id.second}] = points;
    counters_ = std::move(by_name);
  }

  void take_event(const Json& event) {
    const std::string phase = event.at("ph");
    const long process = event.at("pid");
    const std::string name = event.at("name");
    ASSERT_GT(process, 0);
    if (phase == "M") {
      take_metadata(event, process, name);
      return;
    }
    const double ts = event.at("ts");
    EXPECT_GE(ts, 0);
    if (phase == "C") {
      Points& points = numbered_counters_[{process, name}];
      EXPECT_TRUE(points.empty() || points.back().first < ts) << "a counter goes back: " << event;
      EXPECT_EQ(event.at("args").size(), 1U) << event;
      points.emplace_back(ts, event.at("args").begin()->get<double>());
      return;
    }
    const std::pair<long, long> id(process, event.at("tid").get<long>());
    if (phase == "X") {
      const double dur = event.at("dur");
      EXPECT_GT(dur, 0) << event;
      std::vector<TraceSlice>& slices = threads_[id].slices;
      EXPECT_TRUE(slices.empty() || slices.back().ts <= ts) << "a thread goes back: " << event;
      slices.push_back({ts, dur, name, event.value("args", Json::object())});
      return;
    }
    ASSERT_TRUE(phase == "s" || phase == "t" || phase == "f") << event;
    EXPECT_NE(event.at("cat"), "");
    if (phase == "f") {
      EXPECT_EQ(event.at("bp"), "e") << "ends in the slice that it stands in";
    }
    flows_[event.at("id").get<long>()].push_back({phase[0], id, ts});
  }

  void take_metadata(const Json& event, long process, const std::string& name) {
    const Json& args = event.at("args");
    if (name == "process_name") {
      EXPECT_EQ(processes_.count(process), 0U) << event;
      processes_[process] = args.at("name");
    } else if (name == "thread_name") {
      TraceThread& thread = threads_[{process, event.at("tid").get<long>()}];
      EXPECT_EQ(thread.name, "") << event;
      thread.name = args.at("name");
    } else if (name == "process_labels") {
      EXPECT_TRUE(args.at("labels").is_string());
    } else {
      EXPECT_TRUE(name == "process_sort_index" || name == "thread_sort_index") << event;
      EXPECT_TRUE(args.at("sort_index").is_number_integer()) << event;
    }
  }

  /// Slices of a thread lie in each other or beside each other.
  static void nest(TraceThread& thread) {
    std::vector<const TraceSlice*> open;
    for (TraceSlice& slice : thread.slices) {
      while (!open.empty() && open.back()->end() <= slice.ts + kRounding) open.pop_back();
      if (!open.empty()) {
        EXPECT_LE(slice.end(), open.back()->end() + kRounding)
            << thread.process << " " << thread.name << ": " << slice.name << " at " << slice.ts
            << " overlaps";
      }
      slice.depth = static_cast<unsigned>(open.size());
      open.push_back(&slice);
    }
  }

  /// Begins, goes on and ends, later each time, each time at a slice.
  void check_flow(long id, std::vector<TraceFlowPart> parts) {
    std::sort(parts.begin(), parts.end(),
              [](const TraceFlowPart& a, const TraceFlowPart& b) { return a.ts < b.ts; });
    ASSERT_GE(parts.size(), 2U) << "flow " << id;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const char expected = i == 0 ? 's' : i + 1 == parts.size() ? 'f' : 't';
      EXPECT_EQ(parts[i].phase, expected) << "flow " << id;
      if (i != 0) {
        EXPECT_LT(parts[i - 1].ts, parts[i].ts) << "flow " << id;
      }
      const std::vector<TraceSlice>& slices = threads_[parts[i].thread].slices;
      const auto after = std::upper_bound(slices.begin(), slices.end(), parts[i].ts,
                                          [](double ts, const TraceSlice& slice) { return ts < slice.ts; });
      EXPECT_TRUE(after != slices.begin() && parts[i].ts < std::prev(after)->end())
          << "flow " << id << " at " << parts[i].ts << " is at no slice";
    }
    flows_[id] = parts;
  }

  static constexpr double kRounding = 1e-6;
  Json other_;
  std::map<long, std::string> processes_;
  std::map<std::pair<long, long>, TraceThread> threads_;
  std::map<std::pair<long, std::string>, Points> numbered_counters_;
  std::map<std::pair<std::string, std::string>, Points> counters_;
  std::map<long, std::vector<TraceFlowPart>> flows_;
  std::size_t events_ = 0;
};

}  // namespace heddle::test
