#include "workloads/ptx/isa/mnemonic.h"

#include <algorithm>
#include <array>

#include "base/nearest_name.h"
#include "workloads/ptx/isa/mnemonic_table.h"
#include "workloads/ptx/isa/type_info.h"

namespace heddle::ptx {

namespace {

std::string quoted(std::string_view text) { return "'" + std::string(text) + "'"; }

bool is_texture(std::string_view name) {
  constexpr std::array<std::string_view, 7> kNames = {"tld4",  "txq", "suld",   "sust",
                                                      "sured", "suq", "istypep"};
  for (const std::string_view texture : kNames) {
    if (name == texture) {
      return true;
    }
  }
  return false;
}

const MnemonicRow& row_named(std::string_view name) {
  std::vector<std::string_view> known;
  for (const MnemonicRow& row : mnemonics()) {
    if (row.name == name) {
      return row;
    }
    known.push_back(row.name);
  }
  if (is_texture(name)) {
    throw MnemonicError(quoted(name) + " is not supported; of textures and surfaces only 'tex' is");
  }
  throw MnemonicError("unknown or unsupported instruction " + quoted(name) + did_you_mean(name, known));
}

/// Applies one modifier; false when the row does not allow it.
bool apply_modifier(const MnemonicRow& row, std::string_view name, Mnemonic& mnemonic) {
  for (const ModifierRow& modifier : modifiers()) {
    if ((row.families & modifier.family) != 0 && modifier.name == name) {
      modifier.apply(mnemonic);
      return true;
    }
  }
  return false;
}

/// Of tex: what PTX has and Heddle does not.
bool is_refused_shape(std::string_view name) {
  constexpr std::array<std::string_view, 9> kNames = {"a1d",   "a2d",  "cube",  "acube", "2dms",
                                                      "a2dms", "base", "level", "grad"};
  return std::find(kNames.begin(), kNames.end(), name) != kNames.end();
}

[[noreturn]] void reject_modifier(const MnemonicRow& row, std::string_view name) {
  if (row.opcode == Opcode::kTex && is_refused_shape(name)) {
    throw MnemonicError("'tex' with '." + std::string(name) +
                        "' is not supported; without levels of detail, '.1d', '.2d' and '.3d' are");
  }
  std::vector<std::string_view> known;
  for (const ModifierRow& modifier : modifiers()) {
    if ((row.families & modifier.family) != 0) {
      known.push_back(modifier.name);
    }
  }
  for (auto type = Type::kU8; type <= Type::kPred; type = static_cast<Type>(static_cast<int>(type) + 1)) {
    known.push_back(spelling(type));
  }
  throw MnemonicError("unknown or unsupported modifier '." + std::string(name) + "' of " + quoted(row.name) +
                      did_you_mean(name, known));
}

void require(bool condition, const MnemonicRow& row, const std::string& expected) {
  if (!condition) {
    throw MnemonicError(quoted(row.name) + " needs " + expected);
  }
}

void set_types(const MnemonicRow& row, const std::vector<Type>& types, Mnemonic& mnemonic) {
  Operation& operation = mnemonic.operation;
  const std::size_t expected = std::size_t{row.types} + (operation.opcode == Opcode::kBarRed ? 1U : 0U);
  require(types.size() == expected, row,
          std::to_string(expected) + (expected == 1 ? " type" : " types") + ", found " +
              std::to_string(types.size()));
  if (expected > 0) {
    operation.type = types[0];
  }
  if (expected > 1) {
    operation.source_type = types[1];
  }
  if (operation.opcode == Opcode::kSetp) {
    operation.source_type = operation.type;
  }
}

void complete_space(Operation& operation) {
  if (operation.space == Space::kNone) operation.space = Space::kGeneric;
}

/// What a mnemonic can't be without, and legacy spellings brought to the current form.
void complete(const MnemonicRow& row, Mnemonic& mnemonic) {
  Operation& op = mnemonic.operation;
  const bool floating = is_floating(op.type);
  switch (op.opcode) {
    case Opcode::kMul:
    case Opcode::kMad:
      require(floating || op.mul_part != MulPart::kNone, row, "'.lo', '.hi' or '.wide' with an integer type");
      require(!floating || op.mul_part == MulPart::kNone, row,
              "an integer type with '.lo', '.hi' or '.wide'");
      if (floating && op.opcode == Opcode::kMad) {
        op.opcode = Opcode::kFma;  // sm_20 and later: mad of floats is fma
      }
      require(op.mul_part != MulPart::kWide || bits_of(op.type) <= 32, row,
              "a type of 16 or 32 bits with '.wide'");
      break;
    case Opcode::kMul24:
    case Opcode::kMad24:
    case Opcode::kDp2a:
      require(op.mul_part == MulPart::kLo || op.mul_part == MulPart::kHi, row, "'.lo' or '.hi'");
      break;
    case Opcode::kSetp:
    case Opcode::kSet:
      require(op.compare != Compare::kNone, row, "a comparison such as '.eq' or '.lt'");
      break;
    case Opcode::kTestp:
      require(op.float_class != FloatClass::kNone, row, "a class such as '.finite' or '.notanumber'");
      break;
    case Opcode::kCvta:
    case Opcode::kIsspacep:
      require(op.space == Space::kGlobal || op.space == Space::kShared || op.space == Space::kLocal ||
                  op.space == Space::kConst,
              row, "one of the spaces '.global', '.shared', '.local', '.const'");
      break;
    case Opcode::kAtom:
    case Opcode::kRed:
      require(op.atomic != AtomicOp::kNone, row, "an operation such as '.add' or '.cas'");
      require(op.opcode == Opcode::kAtom || (op.atomic != AtomicOp::kCas && op.atomic != AtomicOp::kExch),
              row, "an operation other than '.cas' and '.exch'");
      require(op.space == Space::kNone || op.space == Space::kGlobal || op.space == Space::kShared, row,
              "'.global', '.shared' or a generic address");
      complete_space(op);
      break;
    case Opcode::kSt:
      require(op.space != Space::kConst, row, "a space that can be written, which '.const' can't");
      complete_space(op);
      break;
    case Opcode::kLd:
      complete_space(op);
      break;
    case Opcode::kVote:
      require(op.vote != VoteMode::kNone, row, "'.all', '.any', '.uni' or '.ballot'");
      break;
    case Opcode::kMatch:
      require(op.vote == VoteMode::kAll || op.vote == VoteMode::kAny, row, "'.all' or '.any'");
      require(op.sync, row, "'.sync'");
      break;
    case Opcode::kShfl:
      require(op.shuffle != ShuffleMode::kNone, row, "'.up', '.down', '.bfly' or '.idx'");
      break;
    case Opcode::kTex:
      require(op.shape != TextureShape::kNone, row, "one of the shapes '.1d', '.2d', '.3d'");
      require(op.vector == 4, row, "'.v4'");
      require(op.type == Type::kF32 || op.type == Type::kS32 || op.type == Type::kU32, row,
              "a result of type '.f32', '.s32' or '.u32'");
      require(op.source_type == Type::kF32 || op.source_type == Type::kS32, row,
              "coordinates of type '.f32' or '.s32'");
      op.space = Space::kTexture;
      break;
    case Opcode::kBarRed:
      require(op.bool_op != Bool::kXor, row, "'.and', '.or' or '.popc'");
      break;
    default:
      break;
  }
}

}  // namespace

Mnemonic decode_mnemonic(const std::vector<std::string_view>& parts) {
  const MnemonicRow& row = row_named(parts.front());
  Mnemonic mnemonic;
  mnemonic.kind = row.kind;
  mnemonic.signature = row.signature;
  mnemonic.operation.opcode = row.opcode;
  mnemonic.operation.carry_in = row.carry_in;
  std::vector<Type> types;
  for (std::size_t i = 1; i < parts.size(); ++i) {
    if (apply_modifier(row, parts[i], mnemonic)) {
      continue;
    }
    const std::optional<Type> type = type_named(parts[i]);
    if (!type) {
      reject_modifier(row, parts[i]);
    }
    types.push_back(*type);
  }
  set_types(row, types, mnemonic);
  complete(row, mnemonic);
  return mnemonic;
}

}  // namespace heddle::ptx
