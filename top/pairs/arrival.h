#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace heddle {

/// When each further program of a pair (or of three and more) arrives, after the one before it.
struct Arrival {
  double low = 100;
  double high = 100;     ///< above `low`: drawn between the two
  bool percent = false;  ///< of the run time alone of the program before it; false: core cycles

  bool drawn() const { return high != low; }
  /// `place`: 0 to 1, where between low and high.
  std::uint64_t cycles(std::uint64_t alone_before, double place) const;
  /// "100", "25%", "0-100", "0-50%"; parse() reads it and throws std::invalid_argument.
  std::string text() const;
  static Arrival parse(const std::string& text);
  /// The same for runs that are repeated: then it has to be drawn, or all would be the same.
  static Arrival parse_for(const std::string& text, unsigned repetitions);
};

/// The seed of a repetition of kernels with drawn times; of the first it is `seed`.
std::uint64_t seed_of_repetition(std::uint64_t seed, unsigned repetition);
/// Numbers that tell workloads (NAME or NAME:SIZE) apart in what is drawn for them, whatever else there is.
std::vector<std::size_t> drawing_numbers(const std::vector<std::string>& workloads);

/// The first of `alone` (run times) arrives at 0. What is drawn depends on the seed, the repetition and the
/// programs (numbers of them, in their order) and on nothing else, so that all policies have the same.
std::vector<std::uint64_t> arrivals_of(const Arrival& arrival, const std::vector<std::size_t>& programs,
                                       const std::vector<std::uint64_t>& alone, std::uint64_t seed,
                                       unsigned repetition);

}  // namespace heddle
