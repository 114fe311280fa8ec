// A machine drawn at random, what runs on it and under which policies.
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "top/config/config_key.h"

namespace heddle::test {

/// Draws numbers that a seed fixes, on every platform.
class Draws {
 public:
  explicit Draws(std::uint64_t seed) : engine_(seed) {}
  std::uint64_t below(std::uint64_t limit) { return engine_() % limit; }
  bool one_in(std::uint64_t n) { return below(n) == 0; }
  double fraction() { return static_cast<double>(engine_() >> 11U) / 9007199254740992.0; }
  /// From low to high, small and large numbers alike: as likely between 1 and 2 as between 32 and 64.
  std::uint64_t magnitude(std::uint64_t low, std::uint64_t high);
  template <class T>
  const T& of(const std::vector<T>& list) {
    return list[below(list.size())];
  }

 private:
  std::mt19937_64 engine_;
};

struct RandomRun {
  std::vector<std::string> assignments;  ///< configuration keys, KEY=VALUE
  std::vector<std::string> workloads;    ///< as `heddle run` takes them, with their parameters and arrivals
  bool streams = false;                  ///< workloads run at the same time

  /// Of `heddle run`.
  std::vector<std::string> arguments() const;
};

/// A name that scheduler.name may have: a prioritizer, a qualifier, or both.
std::string draw_scheduler(Draws& draws, bool inside_another);

/// A run whose configuration has no conflict between keys. Every key of the schema is drawn from its range,
/// within a few times its default; `alone_file` is where the run times alone are that oracles ask for.
/// What blocks alone can refuse, and kernels that do not fit on an SM, are not excluded.
RandomRun draw_run(std::uint64_t seed, const std::string& alone_file);

}  // namespace heddle::test
