#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "workloads/launch/instruction.h"

namespace heddle::ptx {

/// Windows of the generic address space: a generic address with bit 61 set is kLocalWindow + offset into the
/// thread's local memory, one with bit 60 set is kSharedWindow + offset into the TB's shared window, every
/// other one is a global (or constant) address. cvta and isspacep follow from this.
constexpr std::uint64_t kSharedWindow = std::uint64_t{1} << 60U;
constexpr std::uint64_t kLocalWindow = std::uint64_t{1} << 61U;

/// add.cc, addc and their kind keep their carry in this predicate number: one bit per lane, read when
/// carry_in, written when carry_out. Code that uses no carry has it as an ordinary predicate.
constexpr std::uint16_t kCarryPredicate = 63;

// The lists are laid out by family.
// clang-format off
/// PTX operations, without their modifiers. `sub` with carry and the like are the same operation with
/// flags; call and ret of inlined device functions become kBra.
enum class Opcode : std::uint8_t {
  kNop,  ///< pragma-like instructions that cost an issue slot but compute nothing (call set-up, .param moves excluded)
  kMov, kAdd, kSub, kMul, kMad, kMul24, kMad24, kSad, kDiv, kRem, kAbs, kNeg, kMin, kMax,
  kFma, kRcp, kSqrt, kRsqrt, kSin, kCos, kLg2, kEx2, kTanh, kCopysign, kTestp,
  kAnd, kOr, kXor, kNot, kCnot, kLop3, kShl, kShr, kShf, kBfe, kBfi, kBfind, kBrev, kClz, kPopc, kBmsk,
  kSzext, kPrmt, kFns, kDp2a, kDp4a,
  kSetp, kSet, kSelp, kSlct,
  kCvt, kCvta, kIsspacep, kPack, kUnpack,  ///< mov.b64 d, {a,b} is kPack; mov.b64 {a,b}, d is kUnpack
  kLd, kSt, kAtom, kRed, kTex,
  kVote, kMatch, kShfl, kActivemask,
  kBra, kBar, kBarRed, kBarWarp, kMembar, kExit, kTrap, kPrintf,
};

enum class Type : std::uint8_t {
  kNone, kU8, kU16, kU32, kU64, kS8, kS16, kS32, kS64, kB8, kB16, kB32, kB64, kF16, kF32, kF64, kPred,
};

/// Rounding to floating point (rn, rz, rm, rp) and to integer (rni, rzi, rmi, rpi).
enum class Rounding : std::uint8_t { kNone, kRn, kRz, kRm, kRp, kRni, kRzi, kRmi, kRpi };

enum class Compare : std::uint8_t {
  kNone, kEq, kNe, kLt, kLe, kGt, kGe, kLo, kLs, kHi, kHs, kEqu, kNeu, kLtu, kLeu, kGtu, kGeu, kNum, kNan,
};

enum class Bool : std::uint8_t { kNone, kAnd, kOr, kXor };

enum class AtomicOp : std::uint8_t { kNone, kAdd, kMin, kMax, kInc, kDec, kExch, kCas, kAnd, kOr, kXor };

enum class VoteMode : std::uint8_t { kNone, kAll, kAny, kUni, kBallot };
enum class ShuffleMode : std::uint8_t { kNone, kUp, kDown, kBfly, kIdx };
enum class PrmtMode : std::uint8_t { kDefault, kF4e, kB4e, kRc8, kEcl, kEcr, kRc16 };
enum class MulPart : std::uint8_t { kNone, kLo, kHi, kWide };
/// What a tex instruction addresses: its number of coordinates.
enum class TextureShape : std::uint8_t { kNone, k1d, k2d, k3d };
/// What testp asks.
enum class FloatClass : std::uint8_t { kNone, kFinite, kInfinite, kNumber, kNotANumber, kNormal, kSubnormal };

enum class Special : std::uint8_t {
  kTidX, kTidY, kTidZ, kNtidX, kNtidY, kNtidZ, kCtaidX, kCtaidY, kCtaidZ, kNctaidX, kNctaidY, kNctaidZ,
  kLaneid, kWarpid, kNwarpid, kSmid, kNsmid, kGridid, kClock, kClockHi, kClock64, kGlobaltimer,
  kLanemaskEq, kLanemaskLe, kLanemaskLt, kLanemaskGe, kLanemaskGt, kDynamicSmemSize, kTotalSmemSize,
};
// clang-format on

/// Handles of textures: kTextureHandles + i is the i-th of LaunchSpec::textures. Those of a module's texture
/// references (Module::texture_references) come first, then those of texture objects.
constexpr std::uint64_t kTextureHandles = std::uint64_t{1} << 62U;

/// A register or value that an operation reads or writes, after register allocation.
struct Operand {
  enum class Kind : std::uint8_t { kNone, kRegister, kPredicate, kImmediate, kSpecial };
  Kind kind = Kind::kNone;
  /// kRegister: width of the PTX register in bits: 8, 16, 32 or 64.
  std::uint8_t bits = 0;
  /// kPredicate: the value is inverted before use (setp ..., !%p).
  bool inverted = false;
  Special special = Special::kTidX;
  /// kRegister: first 32-bit slot of the warp's register file (a 64-bit register takes an even slot and the
  /// next). kPredicate: predicate number.
  std::uint16_t slot = 0;
  /// kImmediate: the bits of the value in the operation's type (floats as IEEE bits, integers sign- or
  /// zero-extended to 64 bits). Addresses of variables are resolved to immediates when a module is loaded.
  std::uint64_t value = 0;
};

/// Memory address: base register (or none: absolute) plus a constant. For local, shared and param spaces the
/// sum is an offset into that space's window.
struct Address {
  bool has_base = false;
  std::uint8_t base_bits = 64;
  std::uint16_t base_slot = 0;
  std::int64_t offset = 0;
};

/// One decoded PTX instruction: everything that execution needs, nothing symbolic.
///
/// Operands are in PTX order, dst first. Where the order or the types are not obvious:
/// - A dst is Kind::kNone for the PTX sink `_` (atom, vector loads, kUnpack).
/// - mul, mad with MulPart::kWide: `type` is the narrow type; dst and mad's third source are twice as wide.
/// - setp, testp, isspacep: dst[0] is a predicate (setp p|q: dst[1] too, num_dst 2); setp's `type` and
///   `source_type` are both the compared type. With bool_op the predicate to combine is the last source.
/// - set, cvt: `type` of the dst, `source_type` of the sources. Registers of cvt, ld and st may be wider than
///   the type. slct: `source_type` is the third source's (s32, f32). dp2a, dp4a: `type` and `source_type` are
///   those of the first and second source; mul_part tells dp2a.lo from dp2a.hi.
/// - popc, clz, bfind: dst is 32 bits wide, `type` is the source's. kPack and kUnpack: `type` is the wide
/// one.
/// - and, or, xor, not, mov, selp on Type::kPred take predicates; an immediate is true unless it is 0.
/// - ld: dst[0..vector), st: src[0..vector), atom, red: src[0] (cas: compare, then value); the place is
///   `address`. `type` is the element's.
/// - tex: dst[0..4) of `type`, src the coordinates (one for each dimension) of `source_type`; `address` is
/// the
///   texture's handle (kTextureHandles), in a 64-bit register or as offset.
/// - vote, match: src[0], then the member mask when `sync`. match.all d|p: dst[1] is p, vote is kAll or kAny.
///   shfl: src value, lane or delta, clamp, then the mask when `sync`.
/// - bar: src[0] the barrier, src[1] the number of threads when num_src is 2. barred: src[0] the barrier,
///   src[1] the threads when num_src is 3, last src the predicate; bool_op kAnd, kOr, or kNone for .popc.
///   barwarp: src[0] the mask.
/// - kPrintf: src[0] and src[1] are vprintf's two generic 64-bit addresses (format, arguments); dst[0], when
///   there is one, its 32-bit result. kTrap from __assertfail: src[0] message, src[1] file (generic 64-bit
///   addresses of strings), src[2] line (32 bits); from trap and brkpt num_src is 0.
///
/// Registers: a dst has the slot of a source only when both have the same width (lane-by-lane execution is
/// then safe), and never partly overlaps one. Operations with several dst, and ld, atom, shfl, vote, match,
/// have no slot in common between dst and src unless the PTX itself names one register for both: these must
/// read all their sources and addresses before they write.
struct Operation {
  Opcode opcode = Opcode::kNop;
  Type type = Type::kNone;         ///< destination or operation type
  Type source_type = Type::kNone;  ///< cvt, set, setp, slct: type of the source that differs
  Rounding rounding = Rounding::kNone;
  Compare compare = Compare::kNone;
  Bool bool_op = Bool::kNone;  ///< setp/set ... combined with a predicate
  AtomicOp atomic = AtomicOp::kNone;
  VoteMode vote = VoteMode::kNone;
  ShuffleMode shuffle = ShuffleMode::kNone;
  FloatClass float_class = FloatClass::kNone;  ///< testp
  PrmtMode prmt = PrmtMode::kDefault;
  TextureShape shape = TextureShape::kNone;
  MulPart mul_part = MulPart::kNone;
  Space space = Space::kNone;  ///< ld/st/atom/cvta/isspacep
  bool ftz = false;
  bool sat = false;
  bool approx = false;               ///< .approx and .full
  bool carry_in = false;             ///< addc, subc, madc
  bool carry_out = false;            ///< .cc
  bool to_space = false;             ///< cvta.to.space: generic to space
  bool wrap = false;                 ///< shf/bmsk: .wrap rather than .clamp
  bool shift_amount = false;         ///< bfind.shiftamt
  bool right = false;                ///< shf.r
  bool sync = false;                 ///< vote/shfl/match with a member mask operand (last source)
  std::uint8_t lut_or_selector = 0;  ///< lop3's immLut (its three sources are src[0..2])

  std::uint8_t num_dst = 0;
  std::uint8_t num_src = 0;
  /// setp p|q: dst[1] is the second predicate; shfl d|p: dst[1] is the predicate; vector loads use one each.
  std::array<Operand, 4> dst{};
  std::array<Operand, 5> src{};
  std::uint8_t vector = 1;  ///< elements of a vector ld/st: 1, 2, 4
  Address address;

  /// Guard predicate @p / @!p: predicate number or -1.
  std::int16_t guard = -1;
  bool guard_inverted = false;

  /// kBra: index of the target, and of the immediate post-dominator where divergent lanes meet again
  /// (== number of operations when they meet only at the exit). `uniform` for bra.uni and jumps that a call
  /// or return became where all lanes go the same way.
  std::uint32_t target = 0;
  std::uint32_t reconvergence = 0;
  bool uniform = false;
};

/// A variable that a kernel's code refers to by address, and its patches: src operands (or address offsets)
/// that hold an offset into the variable and get its base added when the module is loaded.
struct Relocation {
  std::uint32_t operation = 0;  ///< index into Code::operations
  std::int8_t source = -1;      ///< index into Operation::src, or -1 for Operation::address
  std::uint32_t variable = 0;   ///< index into Module-level variables
};

/// A kernel after parsing, inlining of device functions, control-flow analysis and register allocation.
struct Code {
  Program program;  ///< program.code[i] describes operations[i] for timing
  std::vector<Operation> operations;
  std::vector<Relocation> relocations;
  unsigned num_slots = 0;       ///< 32-bit register slots of a thread (even)
  unsigned num_predicates = 0;  ///< at most 64
  /// Slots that some thread may read, of its own or of another lane, before they are written; ascending.
  std::vector<std::uint16_t> unwritten_slots;
  /// Kernel parameters in order.
  struct Param {
    std::string name;
    Type type = Type::kNone;
    unsigned bytes = 0;   ///< of the whole parameter (arrays: .b8 name[N])
    unsigned offset = 0;  ///< in the parameter block, naturally aligned
  };
  std::vector<Param> params;
  unsigned max_threads = 0;  ///< .maxntid / .reqntid product, 0 when not given
  bool uses_dynamic_shared =
      false;  ///< an extern .shared array: dynamic shared memory starts at static_shared_bytes
};

/// A module-level variable (.global or .const), or printf format storage.
struct Variable {
  std::string name;
  Space space = Space::kGlobal;
  std::uint64_t bytes = 0;
  std::uint64_t alignment = 1;
  std::vector<std::uint8_t> initial;  ///< empty: zeros; otherwise `bytes` long
  /// Initialisers that hold the address of another variable: (offset in this one, variable index). That
  /// variable's address is added to the 8 bytes (little endian) that `initial` holds there.
  std::vector<std::pair<std::uint64_t, std::uint32_t>> pointers;
};

/// A kernel that can't be launched, and why.
struct RefusedKernel {
  std::string name;
  std::string error;  ///< what() of its PtxError: "FILE:LINE:COLUMN: what was found, what was expected"
};

/// Every kernel and variable of one PTX file.
struct Module {
  std::string file;
  std::vector<Variable> variables;
  std::vector<std::string> texture_references;  ///< names of the .texref variables
  std::vector<Code> kernels;
  /// Of kernels that need more registers than a thread may have: their code with what is over kept in local
  /// memory.
  std::vector<Code> spilled;
  std::vector<RefusedKernel> refused;
  /// nullptr when there is no such kernel that can be launched.
  const Code* find(const std::string& entry) const;
  /// nullptr when its kernel has all the registers that it needs.
  const Code* find_spilled(const std::string& entry) const;
  /// nullptr when there is no such kernel that can't be launched.
  const RefusedKernel* find_refused(const std::string& entry) const;
};

}  // namespace heddle::ptx
