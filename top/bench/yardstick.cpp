#include "top/bench/yardstick.h"

#include <ctime>
#include <stdexcept>

namespace heddle::bench {

namespace {

constexpr double kNanosecond = 1e-9;

double thread_seconds() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + kNanosecond * static_cast<double>(time.tv_nsec);
}

/// xorshift: the next of a sequence of numbers that are never 0.
std::uint32_t next_of(std::uint32_t x) {
  x ^= x << 13U;
  x ^= x >> 17U;
  return x ^ x << 5U;
}

}  // namespace

double Yardstick::run() {
  const double begin = thread_seconds();
  std::uint32_t x = 1;
  for (std::uint32_t& entry : table_) entry = x = next_of(x);
  std::uint32_t sum = 0;
  for (std::uint32_t step = 0; step < kSteps; ++step) {
    std::uint32_t& entry = table_[x % kEntries];
    x = next_of(entry ^ step);
    if ((x & 64U) != 0) {
      entry += x;
    } else {
      sum += entry / (1U + (x >> 24U));
    }
    if (x == 0) x = 1;
  }
  const double seconds = thread_seconds() - begin;
  if (result_ != 0 && sum != result_)
    throw std::runtime_error("the fixed computation came to another result");
  result_ = sum;
  return seconds;
}

}  // namespace heddle::bench
