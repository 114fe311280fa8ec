#include "workloads/ptx/mnemonic_table.h"

#include <iterator>

namespace heddle::ptx {

namespace {

using Kind = Mnemonic::Kind;

constexpr std::uint32_t kFloatFlags = kRoundings | kFlushing | kSaturating;
constexpr std::uint32_t kMemory = kSpaces | kCaching | kScopes;

// Letters of the signatures: operand_binder.h.
constexpr MnemonicRow kRows[] = {
    {"mov", Opcode::kMov, 0, 1, "", Kind::kMov},
    {"add", Opcode::kAdd, kFloatFlags | kCarries, 1, "daa"},
    {"addc", Opcode::kAdd, kCarries, 1, "daa", Kind::kPlain, true},
    {"sub", Opcode::kSub, kFloatFlags | kCarries, 1, "daa"},
    {"subc", Opcode::kSub, kCarries, 1, "daa", Kind::kPlain, true},
    {"mul", Opcode::kMul, kFloatFlags | kParts, 1, "Daa"},
    {"mad", Opcode::kMad, kFloatFlags | kParts | kCarries, 1, "Daaw"},
    {"madc", Opcode::kMad, kParts | kCarries, 1, "Daaw", Kind::kPlain, true},
    {"mul24", Opcode::kMul24, kParts, 1, "daa"},
    {"mad24", Opcode::kMad24, kParts | kSaturating, 1, "daaa"},
    {"sad", Opcode::kSad, 0, 1, "daaa"},
    {"div", Opcode::kDiv, kFloatFlags | kApproximate, 1, "daa"},
    {"rem", Opcode::kRem, 0, 1, "daa"},
    {"abs", Opcode::kAbs, kFlushing, 1, "da"},
    {"neg", Opcode::kNeg, kFlushing, 1, "da"},
    {"min", Opcode::kMin, kFlushing, 1, "daa"},
    {"max", Opcode::kMax, kFlushing, 1, "daa"},
    {"fma", Opcode::kFma, kFloatFlags, 1, "daaa"},
    {"rcp", Opcode::kRcp, kFloatFlags | kApproximate, 1, "da"},
    {"sqrt", Opcode::kSqrt, kFloatFlags | kApproximate, 1, "da"},
    {"rsqrt", Opcode::kRsqrt, kFlushing | kApproximate, 1, "da"},
    {"sin", Opcode::kSin, kFlushing | kApproximate, 1, "da"},
    {"cos", Opcode::kCos, kFlushing | kApproximate, 1, "da"},
    {"lg2", Opcode::kLg2, kFlushing | kApproximate, 1, "da"},
    {"ex2", Opcode::kEx2, kFlushing | kApproximate, 1, "da"},
    {"tanh", Opcode::kTanh, kApproximate, 1, "da"},
    {"copysign", Opcode::kCopysign, 0, 1, "daa"},
    {"testp", Opcode::kTestp, kClasses, 1, "Pa"},
    {"and", Opcode::kAnd, 0, 1, "daa"},
    {"or", Opcode::kOr, 0, 1, "daa"},
    {"xor", Opcode::kXor, 0, 1, "daa"},
    {"not", Opcode::kNot, 0, 1, "da"},
    {"cnot", Opcode::kCnot, 0, 1, "da"},
    {"lop3", Opcode::kLop3, 0, 1, "daaai"},
    {"shl", Opcode::kShl, 0, 1, "dau"},
    {"shr", Opcode::kShr, 0, 1, "dau"},
    {"shf", Opcode::kShf, kDirections | kClamping, 1, "daau"},
    {"bfe", Opcode::kBfe, 0, 1, "dauu"},
    {"bfi", Opcode::kBfi, 0, 1, "daauu"},
    {"bfind", Opcode::kBfind, kShiftAmount, 1, "Ua"},
    {"brev", Opcode::kBrev, 0, 1, "da"},
    {"clz", Opcode::kClz, 0, 1, "Ua"},
    {"popc", Opcode::kPopc, 0, 1, "Ua"},
    {"bmsk", Opcode::kBmsk, kClamping, 1, "duu"},
    {"szext", Opcode::kSzext, kClamping, 1, "dau"},
    {"prmt", Opcode::kPrmt, kPermutes, 1, "daau"},
    {"fns", Opcode::kFns, 0, 1, "daun"},
    {"dp2a", Opcode::kDp2a, kParts, 2, "Uaun"},
    {"dp4a", Opcode::kDp4a, 0, 2, "Uaun"},
    {"setp", Opcode::kSetp, kComparisons | kCombining | kFlushing, 1, "paac?"},
    {"set", Opcode::kSet, kComparisons | kCombining | kFlushing, 2, "dssc?"},
    {"selp", Opcode::kSelp, 0, 1, "daac"},
    {"slct", Opcode::kSlct, kFlushing, 2, "daas"},
    {"cvt", Opcode::kCvt, kFloatFlags, 2, "rR"},
    {"cvta", Opcode::kCvta, kSpaces | kToSpace, 1, "da"},
    {"isspacep", Opcode::kIsspacep, kSpaces, 0, "Pg"},
    {"ld", Opcode::kLd, kMemory | kVectors, 1, "Vm"},
    {"ldu", Opcode::kLd, kMemory | kVectors, 1, "Vm"},
    {"st", Opcode::kSt, kMemory | kVectors, 1, "mv"},
    {"atom", Opcode::kAtom, kSpaces | kScopes | kAtomics, 1, "kmaa?"},
    {"red", Opcode::kRed, kSpaces | kScopes | kAtomics, 1, "ma"},
    {"vote", Opcode::kVote, kVotes | kMasked, 1, "Pcu?"},
    {"match", Opcode::kMatch, kVotes | kMasked, 1, "Oau"},
    {"shfl", Opcode::kShfl, kShuffles | kMasked, 1, "oauuu?"},
    {"activemask", Opcode::kActivemask, 0, 1, "d"},
    {"bra", Opcode::kBra, kUniform, 0, "l"},
    {"bar", Opcode::kBar, kBarriers | kCombining, 0, "uu?"},
    {"barrier", Opcode::kBar, kBarriers | kCombining, 0, "uu?"},
    {"membar", Opcode::kMembar, kFences, 0, ""},
    {"fence", Opcode::kMembar, kFences, 0, ""},
    {"exit", Opcode::kExit, 0, 0, ""},
    {"ret", Opcode::kExit, kUniform, 0, "", Kind::kReturn},
    {"call", Opcode::kBra, kUniform, 0, "", Kind::kCall},
    {"trap", Opcode::kTrap, 0, 0, ""},
    {"brkpt", Opcode::kTrap, 0, 0, ""},
    {"prefetch", Opcode::kNop, kSpaces | kLevels | kCaching, 0, "x"},
    {"prefetchu", Opcode::kNop, kLevels, 0, "x"},
    {"pmevent", Opcode::kNop, 0, 0, "x"},
    {"nanosleep", Opcode::kNop, 0, 1, "x"},
};

}  // namespace

MnemonicTable mnemonics() { return {std::begin(kRows), std::end(kRows)}; }

}  // namespace heddle::ptx
