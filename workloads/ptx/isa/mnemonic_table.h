#pragma once

#include <cstdint>
#include <string_view>

#include "workloads/ptx/isa/mnemonic.h"

namespace heddle::ptx {

/// Families of modifiers; a mnemonic allows some of them.
enum ModifierFamily : std::uint32_t {
  kRoundings = 1U << 0U,
  kFlushing = 1U << 1U,     ///< .ftz
  kSaturating = 1U << 2U,   ///< .sat
  kApproximate = 1U << 3U,  ///< .approx, .full
  kComparisons = 1U << 4U,
  kCombining = 1U << 5U,  ///< .and .or .xor of setp, set and bar.red; .popc
  kParts = 1U << 6U,      ///< .lo .hi .wide
  kCarries = 1U << 7U,    ///< .cc
  kSpaces = 1U << 8U,
  kCaching = 1U << 9U,  ///< .cg, .volatile, .relaxed, .L1::...
  kScopes = 1U << 10U,  ///< .cta .gpu .sys and the memory orders
  kVectors = 1U << 11U,
  kAtomics = 1U << 12U,
  kVotes = 1U << 13U,
  kShuffles = 1U << 14U,
  kPermutes = 1U << 15U,
  kClamping = 1U << 16U,  ///< .clamp .wrap
  kDirections = 1U << 17U,
  kMasked = 1U << 18U,  ///< .sync with a member mask
  kUniform = 1U << 19U,
  kToSpace = 1U << 20U,
  kShiftAmount = 1U << 21U,
  kClasses = 1U << 22U,   ///< testp
  kBarriers = 1U << 23U,  ///< .sync .red .warp .cta .aligned
  kFences = 1U << 24U,    ///< .cta .gl .sys .sc .acq_rel
  kLevels = 1U << 25U,    ///< .L1 .L2 of prefetch
  kShapes = 1U << 26U,    ///< .1d .2d .3d of tex
};

struct MnemonicRow {
  std::string_view name;
  std::string_view signature;
  std::uint32_t families;
  Opcode opcode;
  std::uint8_t types;  ///< how many types follow: 0, 1 or 2
  Mnemonic::Kind kind = Mnemonic::Kind::kPlain;
  bool carry_in = false;
};

struct ModifierRow {
  ModifierFamily family;
  std::string_view name;
  void (*apply)(Mnemonic&);
};

struct MnemonicTable {
  const MnemonicRow* begin_rows;
  const MnemonicRow* end_rows;
  const MnemonicRow* begin() const { return begin_rows; }
  const MnemonicRow* end() const { return end_rows; }
};

struct ModifierTable {
  const ModifierRow* begin_rows;
  const ModifierRow* end_rows;
  const ModifierRow* begin() const { return begin_rows; }
  const ModifierRow* end() const { return end_rows; }
};

MnemonicTable mnemonics();
ModifierTable modifiers();

}  // namespace heddle::ptx
