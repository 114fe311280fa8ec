#include "workloads/expression/element_type.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <type_traits>

#include "base/nearest_name.h"

namespace heddle {

namespace {

struct TypeRow {
  ElementType type;
  const char* name;
};

constexpr std::array<TypeRow, 10> kTypes = {{{ElementType::kF32, "f32"},
                                             {ElementType::kF64, "f64"},
                                             {ElementType::kI8, "i8"},
                                             {ElementType::kU8, "u8"},
                                             {ElementType::kI16, "i16"},
                                             {ElementType::kU16, "u16"},
                                             {ElementType::kI32, "i32"},
                                             {ElementType::kU32, "u32"},
                                             {ElementType::kI64, "i64"},
                                             {ElementType::kU64, "u64"}}};

// A whole number of `type`'s range, or an error that gives the range. Every integer type's range is compared
// in the 64-bit integers of the expressions; u64's upper half is there in real numbers.
template <typename T>
T to_integer(ElementType type, const Number& value) {
  using Limits = std::numeric_limits<T>;
  std::int64_t whole = value.integer;
  bool fits = true;
  if (!value.is_integer) {
    if (std::floor(value.real) != value.real) {
      throw std::range_error(fmt::format("{} is not a whole number, but the type is {} (use floor())",
                                         value.text(), element_name(type)));
    }
    if (std::is_same_v<T, std::uint64_t> && value.real >= 0x1p63 && value.real < 0x1p64) {
      return static_cast<T>(value.real);
    }
    fits = value.real >= -0x1p63 && value.real < 0x1p63;
    whole = fits ? static_cast<std::int64_t>(value.real) : 0;
  }
  if constexpr (std::is_same_v<T, std::uint64_t>) {
    fits = fits && whole >= 0;
  } else {
    fits = fits && whole >= static_cast<std::int64_t>(Limits::min()) &&
           whole <= static_cast<std::int64_t>(Limits::max());
  }
  if (!fits) {
    throw std::range_error(fmt::format("{} does not fit {} ({}..{})", value.text(), element_name(type),
                                       +Limits::min(), +Limits::max()));
  }
  return static_cast<T>(whole);
}

/// The nearest value; a finite one beyond the greatest of `type` is an error.
template <typename T>
T to_real(ElementType type, const Number& value) {
  const double real = value.as_double();
  const auto element = static_cast<T>(real);
  if (std::isfinite(real) && !std::isfinite(element)) {
    throw std::range_error(fmt::format("{} does not fit {} (at most {:.9g})", value.text(),
                                       element_name(type), std::numeric_limits<T>::max()));
  }
  return element;
}

}  // namespace

const char* element_name(ElementType type) { return kTypes[static_cast<std::size_t>(type)].name; }

std::vector<std::string> element_names() {
  std::vector<std::string> names;
  names.reserve(kTypes.size());
  for (const TypeRow& row : kTypes) {
    names.emplace_back(row.name);
  }
  return names;
}

ElementType element_type(const std::string& name) {
  for (const TypeRow& row : kTypes) {
    if (name == row.name) {
      return row.type;
    }
  }
  throw std::invalid_argument(
      fmt::format("unknown type '{}'{}", name, name_hint(name, element_names(), "types")));
}

unsigned element_bytes(ElementType type) {
  return with_element_type(type, [](auto zero) { return static_cast<unsigned>(sizeof(zero)); });
}

bool is_real(ElementType type) { return type == ElementType::kF32 || type == ElementType::kF64; }

void store_element(ElementType type, const Number& value, std::uint8_t* target) {
  with_element_type(type, [&](auto zero) {
    using T = decltype(zero);
    T element{};
    if constexpr (std::is_floating_point_v<T>) {
      element = to_real<T>(type, value);
    } else {
      element = to_integer<T>(type, value);
    }
    std::memcpy(target, &element, sizeof(element));
  });
}

Number load_element(ElementType type, const std::uint8_t* source) {
  return with_element_type(type, [&](auto element) {
    std::memcpy(&element, source, sizeof(element));
    if constexpr (std::is_floating_point_v<decltype(element)>) {
      return Number::of(double{element});
    } else if constexpr (std::is_same_v<decltype(element), std::uint64_t>) {
      return (element >> 63U) != 0 ? Number::of(static_cast<double>(element))
                                   : Number::of(static_cast<std::int64_t>(element));
    } else {
      return Number::of(std::int64_t{element});
    }
  });
}

}  // namespace heddle
