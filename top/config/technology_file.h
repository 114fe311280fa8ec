#pragma once

#include <optional>
#include <string>
#include <vector>

#include "hw/pricing/technology.h"

namespace heddle {

/// The technologies of a YAML file such as configs/technology/estimates.yaml, in the order of the file.
/// Throws ConfigError ("FILE:LINE:COLUMN: ...") when it can't be read, for unknown keys, numbers that are not
/// above 0, an uncertainty below 1, and figures without a source.
std::vector<hw::Technology> load_technologies(const std::string& path);

/// One of them by name; throws ConfigError naming those that exist.
hw::Technology load_technology(const std::string& path, const std::string& name);

/// The technology that a user names: the NAME of one in `project_file`, a FILE that has one technology, or
/// FILE:NAME. "" is scaled40 of `project_file`, or nothing when there is no such file. Throws ConfigError.
std::optional<hw::Technology> choose_technology(const std::string& choice, const std::string& project_file);
/// The file that it is read from, which need not be there.
std::string technology_path(const std::string& choice, const std::string& project_file);

/// A figure that a technology does not have, and what can't be computed without it.
struct MissingFigure {
  std::string key;
  std::string effect;
};
std::vector<MissingFigure> missing_figures(const hw::Technology& technology);

}  // namespace heddle
