#include "workloads/host/element_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <stdexcept>

#include "base/stop.h"
#include "workloads/host/raw_file.h"

namespace heddle {

namespace {

constexpr std::int64_t kMostInteger = std::numeric_limits<std::int64_t>::max();

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

/// Stores elements in order; what does not fit the type is an error at the initialiser's place.
class ElementWriter {
 public:
  ElementWriter(const BufferInit& init, const std::string& buffer, const Binding& place, const Scope& scope,
                std::uint8_t* target)
      : init_(init), buffer_(buffer), place_(place), scope_(scope), target_(target) {}

  void write(const Bindings& buffers) {
    switch (init_.kind) {
      case BufferInit::Kind::kNone:
        return;
      case BufferInit::Kind::kValue:
        return write_value();
      case BufferInit::Kind::kFormula:
        return write_formula();
      case BufferInit::Kind::kLcg:
        return write_random(Lcg(static_cast<std::uint32_t>(
            init_.seed.evaluate_in(scope_, 0, std::numeric_limits<std::uint32_t>::max(), "seed"))));
      case BufferInit::Kind::kRandom:
        return write_random(Random(static_cast<std::uint64_t>(init_.seed.evaluate_integer(scope_))));
      case BufferInit::Kind::kChase:
        return write_chase();
      case BufferInit::Kind::kPointerChase:
        return write_pointer_chase();
      case BufferInit::Kind::kAddresses:
        return init_.value_of_index ? write_address_formula(buffers) : write_addresses(buffers);
      case BufferInit::Kind::kFile:
        read_raw_file(init_.path, place_.bytes(), init_.mark, target_);
    }
  }

 private:
  [[noreturn]] void fail(std::uint64_t index, const char* message) const {
    throw WorkloadError(init_.mark, fmt::format("buffer '{}', element {}: {}", buffer_, index, message));
  }

  template <typename Next>
  void write_each(Next next) {
    const unsigned bytes = place_.element_bytes();
    for (std::uint64_t i = 0; i < place_.count; ++i) {
      throw_if_stopped();
      try {
        store_element(place_.type, next(i), target_ + i * bytes);
      } catch (const std::range_error& error) {
        fail(i, error.what());
      } catch (const ExpressionError& error) {
        fail(i, error.what());
      }
    }
  }

  /// For a real element type.
  template <typename Next>
  void write_reals(Next next) {
    with_element_type(place_.type, [&](auto element) {
      for (std::uint64_t i = 0; i < place_.count; ++i) {
        throw_if_stopped();
        element = static_cast<decltype(element)>(next());
        std::memcpy(target_ + i * sizeof(element), &element, sizeof(element));
      }
    });
  }

  void write_value() {
    const Number value = init_.value.evaluate(scope_);
    write_each([&](std::uint64_t) { return value; });
  }

  /// Throws WorkloadError when the value does not fit the buffer's type.
  void check_fits(const MarkedExpression& value) const {
    std::array<std::uint8_t, sizeof(std::uint64_t)> ignored{};
    try {
      store_element(place_.type, value.evaluate(scope_), ignored.data());
    } catch (const std::range_error& error) {
      throw WorkloadError(value.mark, fmt::format("buffer '{}': {}", buffer_, error.what()));
    }
  }

  template <typename Generator>
  void write_random(Generator generator) {
    const double low = init_.low.evaluate(scope_).as_double();
    const double high = init_.high.evaluate(scope_).as_double();
    if (!std::isfinite(high - low)) {
      throw WorkloadError(init_.mark,
                          fmt::format("buffer '{}': low is {} and high is {}, expected finite numbers and a "
                                      "finite distance",
                                      buffer_, low, high));
    }
    if (place_.type == ElementType::kF32) {
      check_fits(init_.low);
      check_fits(init_.high);
    }
    if (is_real(place_.type)) {  // every value fits, and the large buffers are of these types
      write_reals([&] { return low + (high - low) * generator.next(); });
      return;
    }
    write_each([&](std::uint64_t) { return Number::of(std::floor(low + (high - low) * generator.next())); });
  }

  /// Writes `value_of` the formula's value at each index.
  template <typename ValueOf>
  void write_formula(const Expression& formula, ValueOf value_of) {
    Scope with_index = scope_;
    with_index.push("i", 0);
    std::vector<Number> values = formula.bind(with_index);
    const auto index = std::find(formula.names().begin(), formula.names().end(), "i");
    const auto slot = static_cast<std::size_t>(index - formula.names().begin());
    write_each([&](std::uint64_t i) {
      if (slot < values.size()) {
        values[slot] = Number::of(static_cast<std::int64_t>(i));
      }
      return value_of(formula.evaluate_bound(values, scope_.element_reader()));
    });
  }

  void write_formula() {
    write_formula(init_.value.expression, [](const Number& value) { return value; });
  }

  void write_chase() {
    const auto step = static_cast<std::uint64_t>(init_.value.evaluate_in(scope_, 0, kMostInteger, "chase"));
    const std::uint64_t count = place_.count;
    write_each(
        [&](std::uint64_t i) { return Number::of(static_cast<std::int64_t>((i + step % count) % count)); });
  }

  void write_pointer_chase() {
    const auto stride =
        static_cast<std::uint64_t>(init_.value.evaluate_in(scope_, 0, kMostInteger, "pointer_chase"));
    if (stride % 8 != 0) {
      throw WorkloadError(init_.mark,
                          fmt::format("pointer_chase is {}, expected a multiple of 8 bytes", stride));
    }
    const std::uint64_t bytes = place_.bytes();
    write_each([&](std::uint64_t i) {
      return Number::of(static_cast<std::int64_t>(place_.address + (i * 8 + stride % bytes) % bytes));
    });
  }

  void write_address_formula(const Bindings& buffers) {
    const BufferInit::Address& target = init_.addresses.front();
    const Binding& place = buffers.at(target.buffer);
    write_formula(target.offset.expression, [&](const Number& offset) {
      if (!offset.is_integer || offset.integer < 0 ||
          static_cast<std::uint64_t>(offset.integer) > place.bytes()) {
        throw std::range_error(
            fmt::format("offset {} in '{}', expected 0..{}", offset.text(), target.buffer, place.bytes()));
      }
      return Number::of(static_cast<std::int64_t>(place.address) + offset.integer);
    });
  }

  void write_addresses(const Bindings& buffers) {
    if (init_.addresses.size() > place_.count) {
      throw WorkloadError(init_.addresses[place_.count].mark,
                          fmt::format("buffer '{}': a table of {} addresses, expected at most {}, its "
                                      "elements",
                                      buffer_, init_.addresses.size(), place_.count));
    }
    std::memset(target_, 0, place_.bytes());
    for (std::size_t i = 0; i < init_.addresses.size(); ++i) {
      const BufferInit::Address& target = init_.addresses[i];
      const Binding& place = buffers.at(target.buffer);
      const std::string what =
          fmt::format("buffer '{}', element {}: offset in '{}'", buffer_, i, target.buffer);
      const std::uint64_t address =
          place.address + static_cast<std::uint64_t>(target.offset.evaluate_in(
                              scope_, 0, static_cast<std::int64_t>(place.bytes()), what.c_str()));
      std::memcpy(target_ + i * sizeof(address), &address, sizeof(address));
    }
  }

  const BufferInit& init_;
  const std::string& buffer_;
  const Binding& place_;
  const Scope& scope_;
  std::uint8_t* target_;
};

}  // namespace

void write_elements(const BufferInit& init, const std::string& buffer, const Binding& place,
                    const Scope& scope, const Bindings& buffers, std::uint8_t* target) {
  ElementWriter(init, buffer, place, scope, target).write(buffers);
}

}  // namespace heddle
