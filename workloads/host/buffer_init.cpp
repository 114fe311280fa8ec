#include "workloads/host/buffer_init.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <stdexcept>

#include "base/input_file.h"
#include "base/stop.h"

namespace heddle {

namespace {

/// Stores elements in order; what does not fit the type is an error at the initialiser's place.
class ElementWriter {
 public:
  ElementWriter(const BufferSpec& buffer, std::uint64_t count, std::uint8_t* target)
      : buffer_(buffer), count_(count), bytes_(element_bytes(buffer.type)), target_(target) {}

  template <typename Next>
  void fill(Next next) {
    for (std::uint64_t i = 0; i < count_; ++i) {
      throw_if_stopped();
      try {
        store_element(buffer_.type, next(i), target_ + i * bytes_);
      } catch (const std::range_error& error) {
        fail(i, error.what());
      } catch (const ExpressionError& error) {
        fail(i, error.what());
      }
    }
  }

  /// For a real element type.
  template <typename Next>
  void fill_reals(Next next) {
    with_element_type(buffer_.type, [&](auto element) {
      for (std::uint64_t i = 0; i < count_; ++i) {
        throw_if_stopped();
        element = static_cast<decltype(element)>(next());
        std::memcpy(target_ + i * sizeof(element), &element, sizeof(element));
      }
    });
  }

 private:
  [[noreturn]] void fail(std::uint64_t index, const char* message) const {
    throw WorkloadError(buffer_.init.mark,
                        fmt::format("buffer '{}', element {}: {}", buffer_.name, index, message));
  }

  const BufferSpec& buffer_;
  std::uint64_t count_;
  unsigned bytes_;
  std::uint8_t* target_;
};

// The generator of the reference measurements: s = s * 1664525 + 1013904223 (mod 2^32) before each element,
// of which the upper 24 bits count.
class Lcg {
 public:
  explicit Lcg(std::uint32_t seed) : state_(seed) {}
  double next() {
    state_ = state_ * 1664525U + 1013904223U;
    return static_cast<double>(state_ >> 8U) / 16777216.0;
  }

 private:
  std::uint32_t state_;
};

// splitmix64: 53 good bits per element.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  double next() {
    state_ += 0x9E3779B97F4A7C15U;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30U)) * 0xBF58476D1CE4E5B9U;
    z = (z ^ (z >> 27U)) * 0x94D049BB133111EBU;
    return static_cast<double>((z ^ (z >> 31U)) >> 11U) / 9007199254740992.0;
  }

 private:
  std::uint64_t state_;
};

/// Throws WorkloadError when the value does not fit the buffer's type.
void check_fits(const BufferSpec& buffer, const MarkedExpression& value, const Scope& scope) {
  std::array<std::uint8_t, sizeof(std::uint64_t)> ignored{};
  try {
    store_element(buffer.type, value.evaluate(scope), ignored.data());
  } catch (const std::range_error& error) {
    throw WorkloadError(value.mark, fmt::format("buffer '{}': {}", buffer.name, error.what()));
  }
}

template <typename Generator>
void fill_random(const BufferSpec& buffer, const Scope& scope, Generator generator, ElementWriter& writer) {
  const double low = buffer.init.low.evaluate(scope).as_double();
  const double high = buffer.init.high.evaluate(scope).as_double();
  if (!std::isfinite(high - low)) {
    throw WorkloadError(buffer.init.mark,
                        fmt::format("buffer '{}': low is {} and high is {}, expected finite numbers and a "
                                    "finite distance",
                                    buffer.name, low, high));
  }
  if (buffer.type == ElementType::kF32) {
    for (const MarkedExpression* bound : {&buffer.init.low, &buffer.init.high})
      check_fits(buffer, *bound, scope);
  }
  if (is_real(buffer.type)) {  // every value fits, and the large buffers are of these types
    writer.fill_reals([&] { return low + (high - low) * generator.next(); });
    return;
  }
  writer.fill([&](std::uint64_t) { return Number::of(std::floor(low + (high - low) * generator.next())); });
}

void fill_formula(const BufferSpec& buffer, const Scope& scope, ElementWriter& writer) {
  const Expression& formula = buffer.init.value.expression;
  Scope with_index = scope;
  with_index.push("i", 0);
  std::vector<Number> values = formula.bind(with_index);
  const auto index = std::find(formula.names().begin(), formula.names().end(), "i");
  const auto slot = static_cast<std::size_t>(index - formula.names().begin());
  writer.fill([&](std::uint64_t i) {
    if (slot < values.size()) {
      values[slot] = Number::of(static_cast<std::int64_t>(i));
    }
    return formula.evaluate_bound(values);
  });
}

void fill_chase(const BufferSpec& buffer, const Scope& scope, std::uint64_t count, ElementWriter& writer) {
  const auto step = static_cast<std::uint64_t>(
      buffer.init.value.evaluate_in(scope, 0, std::numeric_limits<std::int64_t>::max(), "chase"));
  writer.fill(
      [&](std::uint64_t i) { return Number::of(static_cast<std::int64_t>((i + step % count) % count)); });
}

void fill_pointer_chase(const BufferSpec& buffer, const Scope& scope, std::uint64_t count,
                        std::uint64_t address, ElementWriter& writer) {
  const auto stride = static_cast<std::uint64_t>(
      buffer.init.value.evaluate_in(scope, 0, std::numeric_limits<std::int64_t>::max(), "pointer_chase"));
  if (stride % 8 != 0) {
    throw WorkloadError(buffer.init.mark,
                        fmt::format("pointer_chase is {}, expected a multiple of 8 bytes", stride));
  }
  const std::uint64_t bytes = count * 8;
  writer.fill([&](std::uint64_t i) {
    return Number::of(static_cast<std::int64_t>(address + (i * 8 + stride % bytes) % bytes));
  });
}

}  // namespace

void read_raw_file(const std::string& path, std::uint64_t bytes, const SourceMark& mark,
                   std::uint8_t* target) {
  try {
    InputFile file(path);
    if (file.bytes() != bytes) {
      throw WorkloadError(mark,
                          fmt::format("the file '{}' has {} bytes, expected {}", path, file.bytes(), bytes));
    }
    file.read(target, bytes);
  } catch (const InputFileError& error) {
    throw WorkloadError(mark, fmt::format("the file '{}': {}", path, error.problem()));
  }
}

std::uint64_t write_element(const ElementWrite& write, const Scope& scope, const std::string& buffer,
                            ElementType type, std::uint64_t count, std::uint8_t* target) {
  const std::string what = fmt::format("index of '{}'", buffer);
  const auto index = static_cast<std::uint64_t>(
      write.index.evaluate_in(scope, 0, static_cast<std::int64_t>(count) - 1, what.c_str()));
  try {
    store_element(type, write.value.evaluate(scope), target + index * element_bytes(type));
  } catch (const std::range_error& error) {
    throw WorkloadError(write.value.mark, fmt::format("value for '{}': {}", buffer, error.what()));
  }
  return index;
}

void initialise_buffer(const BufferSpec& buffer, const Scope& scope, std::uint64_t count,
                       std::uint64_t address, std::uint8_t* target) {
  using Kind = BufferInit::Kind;
  const BufferInit& init = buffer.init;
  ElementWriter writer(buffer, count, target);
  switch (init.kind) {
    case Kind::kValue: {
      const Number value = init.value.evaluate(scope);
      const bool zero =
          value.is_integer ? value.integer == 0 : value.real == 0.0 && !std::signbit(value.real);
      if (!zero) {
        writer.fill([&](std::uint64_t) { return value; });
      }
      break;
    }
    case Kind::kFormula:
      fill_formula(buffer, scope, writer);
      break;
    case Kind::kLcg:
      fill_random(buffer, scope,
                  Lcg(static_cast<std::uint32_t>(
                      init.seed.evaluate_in(scope, 0, std::numeric_limits<std::uint32_t>::max(), "seed"))),
                  writer);
      break;
    case Kind::kRandom:
      fill_random(buffer, scope, Random(static_cast<std::uint64_t>(init.seed.evaluate_integer(scope))),
                  writer);
      break;
    case Kind::kChase:
      fill_chase(buffer, scope, count, writer);
      break;
    case Kind::kPointerChase:
      fill_pointer_chase(buffer, scope, count, address, writer);
      break;
    case Kind::kFile: {
      read_raw_file(init.path, count * element_bytes(buffer.type), init.mark, target);
      break;
    }
  }
  for (const ElementWrite& write : buffer.sets) {
    write_element(write, scope, buffer.name, buffer.type, count, target);
  }
}

}  // namespace heddle
