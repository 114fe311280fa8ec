#include "workloads/ptx/isa/mnemonic_table.h"

#include <iterator>

namespace heddle::ptx {

namespace {

using Kind = Mnemonic::Kind;

constexpr std::uint32_t kFloatFlags = kRoundings | kFlushing | kSaturating;
constexpr std::uint32_t kMemory = kSpaces | kCaching | kScopes;

// Letters of the signatures: operand_binder.h.
constexpr MnemonicRow kRows[] = {
    {"mov", "", 0, Opcode::kMov, 1, Kind::kMov},
    {"add", "daa", kFloatFlags | kCarries, Opcode::kAdd, 1},
    {"addc", "daa", kCarries, Opcode::kAdd, 1, Kind::kPlain, true},
    {"sub", "daa", kFloatFlags | kCarries, Opcode::kSub, 1},
    {"subc", "daa", kCarries, Opcode::kSub, 1, Kind::kPlain, true},
    {"mul", "Daa", kFloatFlags | kParts, Opcode::kMul, 1},
    {"mad", "Daaw", kFloatFlags | kParts | kCarries, Opcode::kMad, 1},
    {"madc", "Daaw", kParts | kCarries, Opcode::kMad, 1, Kind::kPlain, true},
    {"mul24", "daa", kParts, Opcode::kMul24, 1},
    {"mad24", "daaa", kParts | kSaturating, Opcode::kMad24, 1},
    {"sad", "daaa", 0, Opcode::kSad, 1},
    {"div", "daa", kFloatFlags | kApproximate, Opcode::kDiv, 1},
    {"rem", "daa", 0, Opcode::kRem, 1},
    {"abs", "da", kFlushing, Opcode::kAbs, 1},
    {"neg", "da", kFlushing, Opcode::kNeg, 1},
    {"min", "daa", kFlushing, Opcode::kMin, 1},
    {"max", "daa", kFlushing, Opcode::kMax, 1},
    {"fma", "daaa", kFloatFlags, Opcode::kFma, 1},
    {"rcp", "da", kFloatFlags | kApproximate, Opcode::kRcp, 1},
    {"sqrt", "da", kFloatFlags | kApproximate, Opcode::kSqrt, 1},
    {"rsqrt", "da", kFlushing | kApproximate, Opcode::kRsqrt, 1},
    {"sin", "da", kFlushing | kApproximate, Opcode::kSin, 1},
    {"cos", "da", kFlushing | kApproximate, Opcode::kCos, 1},
    {"lg2", "da", kFlushing | kApproximate, Opcode::kLg2, 1},
    {"ex2", "da", kFlushing | kApproximate, Opcode::kEx2, 1},
    {"tanh", "da", kApproximate, Opcode::kTanh, 1},
    {"copysign", "daa", 0, Opcode::kCopysign, 1},
    {"testp", "Pa", kClasses, Opcode::kTestp, 1},
    {"and", "daa", 0, Opcode::kAnd, 1},
    {"or", "daa", 0, Opcode::kOr, 1},
    {"xor", "daa", 0, Opcode::kXor, 1},
    {"not", "da", 0, Opcode::kNot, 1},
    {"cnot", "da", 0, Opcode::kCnot, 1},
    {"lop3", "daaai", 0, Opcode::kLop3, 1},
    {"shl", "dau", 0, Opcode::kShl, 1},
    {"shr", "dau", 0, Opcode::kShr, 1},
    {"shf", "daau", kDirections | kClamping, Opcode::kShf, 1},
    {"bfe", "dauu", 0, Opcode::kBfe, 1},
    {"bfi", "daauu", 0, Opcode::kBfi, 1},
    {"bfind", "Ua", kShiftAmount, Opcode::kBfind, 1},
    {"brev", "da", 0, Opcode::kBrev, 1},
    {"clz", "Ua", 0, Opcode::kClz, 1},
    {"popc", "Ua", 0, Opcode::kPopc, 1},
    {"bmsk", "duu", kClamping, Opcode::kBmsk, 1},
    {"szext", "dau", kClamping, Opcode::kSzext, 1},
    {"prmt", "daau", kPermutes, Opcode::kPrmt, 1},
    {"fns", "daun", 0, Opcode::kFns, 1},
    {"dp2a", "Uaun", kParts, Opcode::kDp2a, 2},
    {"dp4a", "Uaun", 0, Opcode::kDp4a, 2},
    {"setp", "paac?", kComparisons | kCombining | kFlushing, Opcode::kSetp, 1},
    {"set", "dssc?", kComparisons | kCombining | kFlushing, Opcode::kSet, 2},
    {"selp", "daac", 0, Opcode::kSelp, 1},
    {"slct", "daas", kFlushing, Opcode::kSlct, 2},
    {"cvt", "rR", kFloatFlags, Opcode::kCvt, 2},
    {"cvta", "da", kSpaces | kToSpace, Opcode::kCvta, 1},
    {"isspacep", "Pg", kSpaces, Opcode::kIsspacep, 0},
    {"ld", "Vm", kMemory | kVectors, Opcode::kLd, 1},
    {"ldu", "Vm", kMemory | kVectors, Opcode::kLd, 1},
    {"st", "mv", kMemory | kVectors, Opcode::kSt, 1},
    {"atom", "kmaa?", kSpaces | kScopes | kAtomics, Opcode::kAtom, 1},
    {"red", "ma", kSpaces | kScopes | kAtomics, Opcode::kRed, 1},
    {"tex", "Vt", kShapes | kVectors, Opcode::kTex, 2},
    {"vote", "Pcu?", kVotes | kMasked, Opcode::kVote, 1},
    {"match", "Oau", kVotes | kMasked, Opcode::kMatch, 1},
    {"shfl", "oauuu?", kShuffles | kMasked, Opcode::kShfl, 1},
    {"activemask", "d", 0, Opcode::kActivemask, 1},
    {"bra", "l", kUniform, Opcode::kBra, 0},
    {"bar", "uu?", kBarriers | kCombining, Opcode::kBar, 0},
    {"barrier", "uu?", kBarriers | kCombining, Opcode::kBar, 0},
    {"membar", "", kFences, Opcode::kMembar, 0},
    {"fence", "", kFences, Opcode::kMembar, 0},
    {"exit", "", 0, Opcode::kExit, 0},
    {"ret", "", kUniform, Opcode::kExit, 0, Kind::kReturn},
    {"call", "", kUniform, Opcode::kBra, 0, Kind::kCall},
    {"trap", "", 0, Opcode::kTrap, 0},
    {"brkpt", "", 0, Opcode::kTrap, 0},
    {"prefetch", "x", kSpaces | kLevels | kCaching, Opcode::kNop, 0},
    {"prefetchu", "x", kLevels, Opcode::kNop, 0},
    {"pmevent", "x", 0, Opcode::kNop, 0},
    {"nanosleep", "x", 0, Opcode::kNop, 1},
};

}  // namespace

MnemonicTable mnemonics() { return {std::begin(kRows), std::end(kRows)}; }

}  // namespace heddle::ptx
