#include "top/pairs/arrival.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <random>
#include <stdexcept>

#include "top/batch/fingerprint.h"
#include "top/support/sized_workload.h"

namespace heddle {

namespace {

constexpr double kMost = 1e9;
constexpr std::uint64_t kSeedsOfRepetitions = 1000;  ///< from one repetition to the next

/// Reads a number at the beginning of `text`, and takes it off.
bool take_number(std::string_view& text, double& value) {
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || !(value >= 0) || value > kMost) return false;
  text.remove_prefix(static_cast<std::size_t>(rest - text.data()));
  return true;
}

}  // namespace

std::uint64_t Arrival::cycles(std::uint64_t alone_before, double place) const {
  const double value = low + (high - low) * place;
  return static_cast<std::uint64_t>(
      std::llround(percent ? value / 100 * static_cast<double>(alone_before) : value));
}

std::string Arrival::text() const {
  return drawn() ? fmt::format("{}-{}{}", low, high, percent ? "%" : "")
                 : fmt::format("{}{}", low, percent ? "%" : "");
}

Arrival Arrival::parse(const std::string& text) {
  Arrival arrival;
  std::string_view left = text;
  arrival.percent = !left.empty() && left.back() == '%';
  if (arrival.percent) left.remove_suffix(1);
  bool good = take_number(left, arrival.low);
  arrival.high = arrival.low;
  if (good && !left.empty() && left.front() == '-') {
    left.remove_prefix(1);
    good = take_number(left, arrival.high) && arrival.high >= arrival.low;
  }
  if (!good || !left.empty()) {
    throw std::invalid_argument(
        fmt::format("arrival: found '{}', expected core cycles (100), a share of the run time alone of the "
                    "program before (25%), or a range to draw from (0-100)",
                    text));
  }
  return arrival;
}

Arrival Arrival::parse_for(const std::string& text, unsigned repetitions) {
  const Arrival arrival = parse(text);
  if (repetitions == 1 || arrival.drawn()) return arrival;
  throw std::invalid_argument(
      fmt::format("--repetitions {} with --arrival {}: all would be the same, expected a range to draw "
                  "from (0-100)",
                  repetitions, text));
}

std::uint64_t seed_of_repetition(std::uint64_t seed, unsigned repetition) {
  return seed + kSeedsOfRepetitions * repetition;
}

std::vector<std::size_t> drawing_numbers(const std::vector<std::string>& workloads) {
  std::vector<std::size_t> numbers;
  for (const std::string& workload : workloads) {
    const std::string digits = Fingerprint().add(SizedWorkload::of(workload).name()).text().substr(0, 8);
    numbers.push_back(std::stoul(digits, nullptr, 16));
  }
  return numbers;
}

std::vector<std::uint64_t> arrivals_of(const Arrival& arrival, const std::vector<std::size_t>& programs,
                                       const std::vector<std::uint64_t>& alone, std::uint64_t seed,
                                       unsigned repetition) {
  std::vector<std::uint64_t> key{seed, repetition};
  key.insert(key.end(), programs.begin(), programs.end());
  if (seed >> 32U != 0) key.push_back(seed >> 32U);  // of each number the sequence takes 32 bits
  std::seed_seq sequence(key.begin(), key.end());
  std::mt19937_64 generator(sequence);
  std::vector<std::uint64_t> arrivals{0};
  for (std::size_t p = 1; p < alone.size(); ++p) {
    const auto place = std::generate_canonical<double, 53>(generator);
    arrivals.push_back(arrivals.back() + arrival.cycles(alone[p - 1], place));
  }
  return arrivals;
}

}  // namespace heddle
