#include "workloads/ptx/program/operand_binder.h"

#include "workloads/ptx/isa/type_info.h"
#include "workloads/ptx/text/literal.h"
#include "workloads/ptx/text/ptx_error.h"

namespace heddle::ptx {

using Kind = ast::Operand::Kind;

namespace {

std::size_t required_operands(std::string_view signature) {
  std::size_t count = 0;
  for (const char letter : signature) {
    if (letter == '?') {
      --count;
    } else {
      ++count;
    }
  }
  return count;
}

std::size_t most_operands(std::string_view signature) {
  std::size_t count = 0;
  for (const char letter : signature) {
    count += letter == '?' ? 0U : 1U;
  }
  return count;
}

Type wide_type(const Operation& operation) {
  if (operation.mul_part != MulPart::kWide) {
    return operation.type;
  }
  return integer(2 * bits_of(operation.type), is_signed_integer(operation.type));
}

}  // namespace

void OperandBinder::fail(const ast::Instruction& instruction, Position position,
                         const std::string& message) const {
  throw PtxError(file_, position.line, position.column, "in '" + instruction.text + "': " + message);
}

void OperandBinder::fail_operand(const ast::Operand& operand, const std::string& message) const {
  const Position position = operand.position.line != 0 ? operand.position : instruction_->position;
  fail(*instruction_, position, message);
}

void OperandBinder::check_count(const ast::Instruction& instruction, std::string_view signature,
                                std::size_t found) const {
  if (signature == "x") {
    return;
  }
  const std::size_t least = required_operands(signature);
  const std::size_t most = most_operands(signature);
  if (found < least || found > most) {
    fail(instruction, instruction.position,
         "found " + std::to_string(found) + " operands, expected " + std::to_string(least) +
             (most > least ? " to " + std::to_string(most) : ""));
  }
}

void OperandBinder::bind(const Frame& frame, const ast::Instruction& instruction,
                         VirtualOperation& operation) {
  instruction_ = &instruction;
  const std::string_view signature = instruction.mnemonic.signature;
  const std::size_t found = instruction.operands.size();
  check_count(instruction, signature, found);
  // Optional operands are taken from the left as long as enough operands remain.
  std::size_t spare = found - (signature == "x" ? found : required_operands(signature));
  std::size_t next = 0;
  for (std::size_t i = 0; i < signature.size() && signature[i] != 'x'; ++i) {
    const bool optional = i + 1 < signature.size() && signature[i + 1] == '?';
    if (optional) {
      ++i;
      if (spare == 0) {
        continue;
      }
      --spare;
    }
    bind_one(signature[optional ? i - 1 : i], frame, instruction.operands[next], operation);
    ++next;
  }
}

void OperandBinder::bind_one(char letter, const Frame& frame, const ast::Operand& operand,
                             VirtualOperation& operation) {
  const Operation& op = operation.operation;
  switch (letter) {
    case 'd':
      return bind_destination(frame, operand, op.type, Width::kExact, operation);
    case 'D':
      return bind_destination(frame, operand, wide_type(op), Width::kExact, operation);
    case 'U':
      return bind_destination(frame, operand, Type::kB32, Width::kExact, operation);
    case 'r':
      return bind_destination(frame, operand, op.type, Width::kAtLeast, operation);
    case 'P':
      return bind_destination(frame, operand, Type::kPred, Width::kExact, operation);
    case 'k':
      if (operand.kind == Kind::kSink) {
        ++operation.operation.num_dst;
        return;
      }
      return bind_destination(frame, operand, op.type, Width::kExact, operation);
    case 'p':
      return bind_pair(frame, operand, Type::kPred, operation);
    case 'o':
      return bind_pair(frame, operand, op.type, operation);
    case 'O':
      return bind_pair(frame, operand, Type::kB32, operation);
    case 'V':
    case 'v':
      return bind_vector(frame, operand, letter == 'V', operation);
    case 'm':
      return bind_address(frame, operand, operation);
    case 't':
      return bind_texture(frame, operand, operation);
    case 'a':
      return bind_source(frame, operand, op.type, Width::kExact, operation);
    case 'w':
      return bind_source(frame, operand, wide_type(op), Width::kExact, operation);
    case 's':
      return bind_source(frame, operand, op.source_type, Width::kExact, operation);
    case 'R':
      return bind_source(frame, operand, op.source_type, Width::kAtLeast, operation);
    case 'u':
      return bind_source(frame, operand, Type::kU32, Width::kExact, operation);
    case 'n':
      return bind_source(frame, operand, Type::kS32, Width::kExact, operation);
    case 'c':
      return bind_source(frame, operand, Type::kPred, Width::kExact, operation);
    case 'g': {
      const bool narrow =
          operand.kind == Kind::kRegister && bits_of(frame.function->registers[operand.reg]) == 32;
      return bind_source(frame, operand, narrow ? Type::kU32 : Type::kU64, Width::kExact, operation);
    }
    case 'i':
      if (operand.kind != Kind::kInteger || operand.value > 0xFF) {
        fail_operand(operand, "found '" + std::string(operand.text) + "', expected a constant from 0 to 255");
      }
      operation.operation.lut_or_selector = static_cast<std::uint8_t>(operand.value);
      return;
    default:
      return;
  }
}

Operand OperandBinder::register_operand(const Frame& frame, const ast::Operand& operand, Type type,
                                        Width width) const {
  const Type declared = frame.function->registers[operand.reg];
  const bool is_predicate = declared == Type::kPred;
  const std::string named = "'" + std::string(operand.text) + "'";
  const auto fail_type = [&] {
    fail_operand(operand, "found register " + named + " of type ." + std::string(spelling(declared)) +
                              ", expected ." + std::string(spelling(type)));
  };
  if (is_predicate != (type == Type::kPred)) {
    fail_type();
  }
  const unsigned bits = bits_of(declared);
  // 8-bit values live in registers of 16 bits or more.
  const bool fits =
      width == Width::kAtLeast || bits_of(type) == 8 ? bits >= bits_of(type) : bits == bits_of(type);
  if (!fits) {
    fail_operand(operand, "found register " + named + " of " + std::to_string(bits) + " bits, expected " +
                              (width == Width::kAtLeast ? "at least " : "") + std::to_string(bits_of(type)) +
                              " bits for ." + std::string(spelling(type)));
  }
  if (!types_agree(type, declared)) fail_type();
  if (operand.negated && !is_predicate) {
    fail_operand(operand, "found '!' before " + named + ", expected it only before a predicate");
  }
  Operand bound;
  bound.kind = is_predicate ? Operand::Kind::kPredicate : Operand::Kind::kRegister;
  bound.bits = static_cast<std::uint8_t>(bits);
  bound.inverted = operand.negated;
  return bound;
}

void OperandBinder::add_register_source(std::uint32_t virtual_register, unsigned bits,
                                        VirtualOperation& operation) {
  Operand& bound = operation.operation.src.at(operation.operation.num_src);
  bound.kind = bits == 1 ? Operand::Kind::kPredicate : Operand::Kind::kRegister;
  bound.bits = static_cast<std::uint8_t>(bits);
  operation.src.at(operation.operation.num_src++) = virtual_register;
}

void OperandBinder::add_register_destination(std::uint32_t virtual_register, unsigned bits,
                                             VirtualOperation& operation) {
  Operand& bound = operation.operation.dst.at(operation.operation.num_dst);
  bound.kind = bits == 1 ? Operand::Kind::kPredicate : Operand::Kind::kRegister;
  bound.bits = static_cast<std::uint8_t>(bits);
  operation.dst.at(operation.operation.num_dst++) = virtual_register;
}

void OperandBinder::add_source(const Frame& frame, const ast::Operand& operand, Type type,
                               VirtualOperation& operation) {
  bind_source(frame, operand, type, Width::kAtLeast, operation);
}

void OperandBinder::add_destination(const Frame& frame, const ast::Operand& operand, Type type,
                                    VirtualOperation& operation) {
  bind_destination(frame, operand, type, Width::kAtLeast, operation);
}

void OperandBinder::bind_destination(const Frame& frame, const ast::Operand& operand, Type type, Width width,
                                     VirtualOperation& operation) {
  if (operand.kind != Kind::kRegister || operand.negated) {
    fail_operand(operand, "found '" + std::string(operand.text) + "' as a destination, expected a register");
  }
  Operation& op = operation.operation;
  op.dst.at(op.num_dst) = register_operand(frame, operand, type, width);
  operation.dst.at(op.num_dst++) = frame.register_base + operand.reg;
}

void OperandBinder::bind_source(const Frame& frame, const ast::Operand& operand, Type type, Width width,
                                VirtualOperation& operation) {
  Operation& op = operation.operation;
  Operand& bound = op.src.at(op.num_src);
  switch (operand.kind) {
    case Kind::kRegister:
      bound = register_operand(frame, operand, type, width);
      operation.src.at(op.num_src) = frame.register_base + operand.reg;
      break;
    case Kind::kInteger:
    case Kind::kFloat32:
    case Kind::kFloat64: {
      const Token::Kind literal = operand.kind == Kind::kInteger   ? Token::Kind::kInteger
                                  : operand.kind == Kind::kFloat32 ? Token::Kind::kFloat32
                                                                   : Token::Kind::kFloat64;
      const auto bits = encode({literal, operand.value}, type);
      if (!bits) {
        fail_operand(operand, "found the constant '" + std::string(operand.text) +
                                  "', expected one of type ." + std::string(spelling(type)));
      }
      bound.kind = Operand::Kind::kImmediate;
      bound.value = *bits;
      break;
    }
    case Kind::kSymbol:
      bind_symbol(frame, operand, type, operation);
      break;
    case Kind::kFunction:
      fail_operand(operand, "found the address of function '" + std::string(operand.text) +
                                "', but function pointers are not supported");
    case Kind::kSpecial:
      fail_operand(operand, "found the special register '" + std::string(operand.text) +
                                "', expected it only as the source of mov");
    default:
      fail_operand(operand, "found '" + std::string(operand.text) + "', expected a register or a constant");
  }
  ++op.num_src;
}

void OperandBinder::bind_pair(const Frame& frame, const ast::Operand& operand, Type first,
                              VirtualOperation& operation) {
  if (operand.kind != Kind::kPair) {
    return bind_destination(frame, operand, first, Width::kExact, operation);
  }
  for (std::size_t i = 0; i < 2; ++i) {
    const ast::Operand& element = operand.elements[i];
    if (element.kind == Kind::kSink) {
      ++operation.operation.num_dst;
    } else {
      bind_destination(frame, element, i == 0 ? first : Type::kPred, Width::kExact, operation);
    }
  }
}

void OperandBinder::bind_vector(const Frame& frame, const ast::Operand& operand, bool is_destination,
                                VirtualOperation& operation) {
  const unsigned length = operation.operation.vector;
  const bool is_vector = operand.kind == Kind::kVector;
  const std::size_t found = is_vector ? operand.elements.size() : 1;
  if (found != length) {
    fail_operand(operand, "found " + std::to_string(found) + " elements, expected " + std::to_string(length));
  }
  unsigned bits = 0;  // of all registers that are loaded
  for (unsigned i = 0; i < length; ++i) {
    const ast::Operand& element = is_vector ? operand.elements[i] : operand;
    if (!is_destination) {
      bind_source(frame, element, operation.operation.type, Width::kAtLeast, operation);
    } else if (element.kind == Kind::kSink) {
      ++operation.operation.num_dst;
    } else {
      bind_destination(frame, element, operation.operation.type, Width::kAtLeast, operation);
      check_width(element, operation.operation, bits);
    }
  }
}

void OperandBinder::check_width(const ast::Operand& element, const Operation& operation,
                                unsigned& bits) const {
  const unsigned found = operation.dst.at(operation.num_dst - 1U).bits;
  if (bits == 0) bits = found;
  if (found == bits) return;
  fail_operand(element, "found register '" + std::string(element.text) + "' of " + std::to_string(found) +
                            " bits in a vector, expected " + std::to_string(bits) +
                            " bits as the other elements have");
}

}  // namespace heddle::ptx
