#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

namespace heddle {

/// The figure called `name` of the blocks that its scope means, from "instances" of stats.json. A part of the
/// scope with the number of a block means that one, a part without means all: "sm.ipaws.age3.issued" is of
/// the fourth oldest warp of every SM, "sm0.l1d.hits" of one SM. Counts are added up, of others it is the
/// largest (adds_up()). Nothing when no block has the figure. Throws nlohmann's exceptions for another form.
std::optional<double> block_figure(const nlohmann::json& instances, const std::string& name);

}  // namespace heddle
