#include "workloads/host/kernel_arguments.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <stdexcept>

namespace heddle {

namespace {

using Kind = Argument::Kind;

constexpr unsigned kPointerBytes = 8;

struct Layout {
  unsigned bytes = 1;
  unsigned alignment = 1;
};

unsigned align(unsigned offset, unsigned alignment) {
  return (offset + alignment - 1) / alignment * alignment;
}

// Natural C layout, as clang and nvcc lay out a struct passed by value.
Layout layout_of(const Argument& argument) {
  if (argument.kind == Kind::kBuffer || argument.kind == Kind::kTexture) {
    return {kPointerBytes, kPointerBytes};
  }
  if (argument.kind == Kind::kScalar) {
    return {element_bytes(argument.type), element_bytes(argument.type)};
  }
  Layout layout{0, 1};
  for (const Argument& member : argument.members) {
    const Layout inner = layout_of(member);
    layout.bytes = align(layout.bytes, inner.alignment) + inner.bytes;
    layout.alignment = std::max(layout.alignment, inner.alignment);
  }
  layout.bytes = align(layout.bytes, layout.alignment);
  return layout;
}

bool is_real_parameter(const ptx::Code::Param& param) {
  return param.type == ptx::Type::kF32 || param.type == ptx::Type::kF64;
}

// A number fills a parameter of these sizes; PTX has an array of bytes for any other, which is a struct by
// value.
bool is_scalar_size(const ptx::Code::Param& param) {
  return param.bytes == 1 || param.bytes == 2 || param.bytes == 4 || param.bytes == 8;
}

bool is_untyped_parameter(const ptx::Code::Param& param) {
  return param.type == ptx::Type::kB8 || param.type == ptx::Type::kB16 || param.type == ptx::Type::kB32 ||
         param.type == ptx::Type::kB64;
}

std::string describe(const Argument& argument) {
  switch (argument.kind) {
    case Kind::kBuffer:
      return fmt::format("the address of '{}' ({} bytes)", argument.buffer, kPointerBytes);
    case Kind::kScalar:
      return fmt::format("{} ({} bytes)", element_name(argument.type), element_bytes(argument.type));
    case Kind::kTexture:
      return fmt::format("the texture '{}' ({} bytes)", argument.buffer, kPointerBytes);
    case Kind::kStruct:
      return fmt::format("a struct of {} bytes", layout_of(argument).bytes);
    default:
      return fmt::format("the number '{}'", argument.value.expression.text());
  }
}

std::string describe(const ptx::Code::Param& param) {
  if (!is_scalar_size(param)) {
    return fmt::format("a struct of {} bytes (an argument '{{struct: [...]}}')", param.bytes);
  }
  const char* kind = is_real_parameter(param)      ? "floating point"
                     : is_untyped_parameter(param) ? "untyped"
                                                   : "integer or address";
  return fmt::format("{} of {} bytes", kind, param.bytes);
}

bool fits(const Argument& argument, const ptx::Code::Param& param) {
  switch (argument.kind) {
    case Kind::kBuffer:
    case Kind::kTexture:
      return param.bytes == kPointerBytes && !is_real_parameter(param);
    case Kind::kScalar:
      return param.bytes == element_bytes(argument.type) &&
             (is_untyped_parameter(param) || is_real_parameter(param) == is_real(argument.type));
    case Kind::kStruct:
      return param.bytes == layout_of(argument).bytes;
    default:
      return is_scalar_size(param);
  }
}

// PTX does not tell signed parameters from unsigned ones, so a number's sign picks the range it must fit.
ElementType number_type(const ptx::Code::Param& param, const Number& value) {
  if (is_real_parameter(param) || (is_untyped_parameter(param) && !value.is_integer)) {
    return param.bytes == 8 ? ElementType::kF64 : ElementType::kF32;
  }
  const bool negative = value.as_double() < 0.0;
  switch (param.bytes) {
    case 1:
      return negative ? ElementType::kI8 : ElementType::kU8;
    case 2:
      return negative ? ElementType::kI16 : ElementType::kU16;
    case 4:
      return negative ? ElementType::kI32 : ElementType::kU32;
    default:
      return negative ? ElementType::kI64 : ElementType::kU64;
  }
}

void store(const Argument& argument, ElementType type, const Number& value, std::uint8_t* target) {
  try {
    store_element(type, value, target);
  } catch (const std::range_error& error) {
    throw WorkloadError(argument.mark, error.what());
  }
}

void pack(const Argument& argument, const ptx::Code::Param& param, const Scope& scope,
          const Bindings& buffers, const HandleOf& handle_of, std::uint8_t* target) {
  switch (argument.kind) {
    case Kind::kTexture: {
      const std::uint64_t handle = handle_of(argument.buffer);
      std::memcpy(target, &handle, sizeof(handle));
      return;
    }
    case Kind::kBuffer: {
      const std::uint64_t address = buffers.at(argument.buffer).address +
                                    static_cast<std::uint64_t>(argument.value.evaluate_integer(scope));
      std::memcpy(target, &address, sizeof(address));
      return;
    }
    case Kind::kScalar:
      store(argument, argument.type, argument.value.evaluate(scope), target);
      return;
    case Kind::kNumber: {
      const Number value = argument.value.evaluate(scope);
      store(argument, number_type(param, value), value, target);
      return;
    }
    case Kind::kStruct: {
      unsigned offset = 0;
      for (const Argument& member : argument.members) {
        const Layout inner = layout_of(member);
        offset = align(offset, inner.alignment);
        pack(member, param, scope, buffers, handle_of, target + offset);
        offset += inner.bytes;
      }
      return;
    }
  }
}

}  // namespace

void check_arguments(const LaunchStatement& launch, const SourceMark& mark, const ptx::Code& kernel) {
  if (launch.args.size() != kernel.params.size()) {
    throw WorkloadError(mark, fmt::format("kernel '{}' has {} parameters, found {} arguments", launch.kernel,
                                          kernel.params.size(), launch.args.size()));
  }
  for (std::size_t i = 0; i < launch.args.size(); ++i) {
    const ptx::Code::Param& param = kernel.params[i];
    if (!fits(launch.args[i], param)) {
      throw WorkloadError(launch.args[i].mark,
                          fmt::format("argument {} of kernel '{}' is {}, but parameter {} is {}", i + 1,
                                      launch.kernel, describe(launch.args[i]), param.name, describe(param)));
    }
  }
}

std::vector<std::uint8_t> pack_arguments(const LaunchStatement& launch, const ptx::Code& kernel,
                                         const Scope& scope, const Bindings& buffers,
                                         const HandleOf& handle_of) {
  std::vector<std::uint8_t> block(kernel.program.param_bytes);
  for (std::size_t i = 0; i < launch.args.size(); ++i) {
    const ptx::Code::Param& param = kernel.params[i];
    pack(launch.args[i], param, scope, buffers, handle_of, block.data() + param.offset);
  }
  return block;
}

}  // namespace heddle
