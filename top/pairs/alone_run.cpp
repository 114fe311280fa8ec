#include "top/pairs/alone_run.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "base/input_file.h"
#include "base/limits.h"
#include "top/batch/fingerprint.h"

namespace heddle {

namespace {

using nlohmann::ordered_json;

constexpr int kAloneFormat = 3;

std::string fingerprint_of(const AloneRun& run, const std::string& key) {
  Fingerprint fingerprint;
  fingerprint.add(key);
  for (const StreamFigures& stream : run.streams) {
    fingerprint.add("stream").add(std::to_string(stream.arrival)).add(std::to_string(stream.cycles));
    for (const std::uint64_t launch : stream.launches) fingerprint.add(std::to_string(launch));
  }
  return fingerprint.text();
}

/// Throws nlohmann's exceptions for all but a whole number from 0; those make it one from -1 and 1.5.
std::uint64_t cycles_in(const ordered_json& value) {
  return value.get_ref<const ordered_json::number_unsigned_t&>();
}

}  // namespace

std::uint64_t turnaround_of(const std::vector<StreamFigures>& streams, std::size_t begin, std::size_t end) {
  end = std::min(end, streams.size());
  if (begin >= end) return 0;
  std::uint64_t first = streams[begin].arrival;
  std::uint64_t last = 0;
  for (std::size_t s = begin; s < end; ++s) {
    first = std::min(first, streams[s].arrival);
    last = std::max(last, streams[s].arrival + streams[s].cycles);
  }
  return last - first;
}

bool AloneRun::valid() const {
  return !streams.empty() && std::all_of(streams.begin(), streams.end(), [](const StreamFigures& stream) {
    return 0 < stream.cycles && stream.cycles <= kMostCycles && stream.arrival <= kMostCycles &&
           !stream.launches.empty() &&
           std::all_of(stream.launches.begin(), stream.launches.end(),
                       [&stream](std::uint64_t launch) { return 0 < launch && launch <= stream.cycles; });
  });
}

std::optional<AloneRun> alone_run_of(const RunFigures& figures) {
  const AloneRun run{figures.streams};
  return figures.complete && run.valid() ? std::optional(run) : std::nullopt;
}

std::string to_json(const AloneRun& run, const std::string& key) {
  if (!run.valid()) throw std::invalid_argument("run times alone: no stream, or one that takes no time");
  ordered_json root{{"format", kAloneFormat}, {"key", key}, {"streams", ordered_json::array()}};
  for (const StreamFigures& stream : run.streams) {
    root["streams"].push_back(
        {{"arrival", stream.arrival}, {"cycles", stream.cycles}, {"launches", stream.launches}});
  }
  root["fingerprint"] = fingerprint_of(run, key);
  return root.dump(2) + "\n";
}

std::optional<AloneRun> read_alone_run(const std::string& file, const std::string& key) {
  try {
    const std::string text = read_input_file(file, limits::kAloneBytes);
    const ordered_json root = ordered_json::parse(text, nullptr, false);
    if (!root.is_object() || root.at("format") != kAloneFormat) return std::nullopt;
    const auto found_key = root.at("key").get<std::string>();
    AloneRun run;
    for (const ordered_json& stream : root.at("streams")) {
      run.streams.push_back({cycles_in(stream.at("cycles")), {}, cycles_in(stream.at("arrival"))});
      for (const ordered_json& launch : stream.at("launches")) {
        run.streams.back().launches.push_back(cycles_in(launch));
      }
    }
    const bool as_written = run.valid() && root.at("fingerprint") == fingerprint_of(run, found_key);
    return as_written && (key.empty() || key == found_key) ? std::optional(run) : std::nullopt;
  } catch (const InputFileError&) {
    return std::nullopt;
  } catch (const nlohmann::json::exception&) {
    return std::nullopt;
  }
}

}  // namespace heddle
