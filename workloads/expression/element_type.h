#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "workloads/expression/expression.h"

namespace heddle {

/// Type of a buffer's elements and of scalar kernel arguments.
enum class ElementType : std::uint8_t { kF32, kF64, kI8, kU8, kI16, kU16, kI32, kU32, kI64, kU64 };

/// "f32", "u64", ...
const char* element_name(ElementType type);
/// Every type's name.
std::vector<std::string> element_names();
/// Throws std::invalid_argument naming the types that exist.
ElementType element_type(const std::string& name);
unsigned element_bytes(ElementType type);
bool is_real(ElementType type);

/// Writes `value` in `type` to `target` (little endian, need not be aligned). A real number stored in an
/// integer type must be whole, and every finite number must be in range; otherwise throws std::range_error.
void store_element(ElementType type, const Number& value, std::uint8_t* target);
/// Reads an element. A u64 above 2^63-1 reads as a real number.
Number load_element(ElementType type, const std::uint8_t* source);

template <typename T>
constexpr ElementType element_type_of();
template <>
constexpr ElementType element_type_of<float>() {
  return ElementType::kF32;
}
template <>
constexpr ElementType element_type_of<double>() {
  return ElementType::kF64;
}
template <>
constexpr ElementType element_type_of<std::int8_t>() {
  return ElementType::kI8;
}
template <>
constexpr ElementType element_type_of<std::uint8_t>() {
  return ElementType::kU8;
}
template <>
constexpr ElementType element_type_of<std::int16_t>() {
  return ElementType::kI16;
}
template <>
constexpr ElementType element_type_of<std::uint16_t>() {
  return ElementType::kU16;
}
template <>
constexpr ElementType element_type_of<std::int32_t>() {
  return ElementType::kI32;
}
template <>
constexpr ElementType element_type_of<std::uint32_t>() {
  return ElementType::kU32;
}
template <>
constexpr ElementType element_type_of<std::int64_t>() {
  return ElementType::kI64;
}
template <>
constexpr ElementType element_type_of<std::uint64_t>() {
  return ElementType::kU64;
}

/// Calls `function` with a value-initialised object of the C++ type of `type`.
template <typename Function>
auto with_element_type(ElementType type, Function&& function) {
  switch (type) {
    case ElementType::kF32:
      return function(float{});
    case ElementType::kF64:
      return function(double{});
    case ElementType::kI8:
      return function(std::int8_t{});
    case ElementType::kU8:
      return function(std::uint8_t{});
    case ElementType::kI16:
      return function(std::int16_t{});
    case ElementType::kU16:
      return function(std::uint16_t{});
    case ElementType::kI32:
      return function(std::int32_t{});
    case ElementType::kU32:
      return function(std::uint32_t{});
    case ElementType::kI64:
      return function(std::int64_t{});
    default:
      return function(std::uint64_t{});
  }
}

}  // namespace heddle
