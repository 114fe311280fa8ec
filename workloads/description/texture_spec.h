#pragma once

#include <optional>
#include <string>

#include "workloads/description/marked_expression.h"
#include "workloads/launch/texture.h"

namespace heddle {

/// A texture of a workload file: its sizes are expressions, everything else is known.
struct TextureSpec {
  std::string name;
  SourceMark mark;
  std::string buffer;
  SourceMark format_mark;
  /// Of the dimensions that it has, x first.
  std::array<std::optional<MarkedExpression>, 3> size;
  std::optional<MarkedExpression>
      pitch_bytes;  ///< of pitched memory; when missing, that of rows without gaps
  /// All but addresses, sizes and pitch.
  Texture texture;
};

}  // namespace heddle
