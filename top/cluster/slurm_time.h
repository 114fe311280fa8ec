#pragma once

#include <optional>
#include <string>

namespace heddle {

/// Seconds of a time limit as sbatch --time takes it: "M", "M:S", "H:M:S", "D-H", "D-H:M" or "D-H:M:S".
/// Nothing for a limit that is none ("0", "UNLIMITED"), or that sbatch will refuse.
std::optional<double> slurm_seconds(const std::string& text);

}  // namespace heddle
