#pragma once

#include <optional>
#include <string>
#include <vector>

#include "top/reproduction/definition/paper_definition.h"
#include "top/reproduction/figures/paper_results.h"

namespace heddle {

/// How far ours is from the paper's: within a third of its gain, or, for what is no gain, of its number.
enum class Closeness : std::uint8_t { kUnknown, kWithinAThird, kFurther };

/// A headline figure with what came out.
struct Headline {
  const HeadlineDefinition* definition = nullptr;
  std::optional<double> full;
  std::optional<double> quick;

  /// Of full size when there is one.
  std::optional<double> ours() const { return full ? full : quick; }
  /// Ours over the paper's.
  std::optional<double> ratio() const;
  /// Our gain over the paper's; nothing when it is no gain.
  std::optional<double> share_of_gain() const;
  Closeness closeness() const;
};

std::vector<Headline> headlines_of(const PaperDefinition& paper, const PaperResults& results);

}  // namespace heddle
