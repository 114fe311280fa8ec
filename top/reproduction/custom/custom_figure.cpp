#include "top/reproduction/custom/custom_figure.h"

#include <fmt/format.h>

#include <array>

#include "base/nearest_name.h"
#include "top/reproduction/custom/dispatch_timeline.h"
#include "top/reproduction/custom/instructions_per_warp.h"
#include "top/reproduction/custom/log_boxes.h"
#include "top/reproduction/custom/pareto.h"
#include "top/reproduction/custom/resident_tbs.h"
#include "top/reproduction/custom/staircase.h"
#include "top/reproduction/custom/tb_durations.h"
#include "top/reproduction/custom/tb_intervals.h"
#include "top/reproduction/custom/tb_order.h"
#include "top/reproduction/custom/texture_misses.h"
#include "top/reproduction/custom/warp_lives.h"

namespace heddle {

namespace {

template <typename Figure>
std::unique_ptr<CustomFigure> make() {
  return std::make_unique<Figure>();
}

struct Entry {
  const char* name;
  std::unique_ptr<CustomFigure> (*make)();
};

constexpr std::array<Entry, 11> kEntries = {{{"dispatch_timeline", &make<DispatchTimeline>},
                                             {"instructions_per_warp", &make<InstructionsPerWarp>},
                                             {"log_boxes", &make<LogBoxes>},
                                             {"pareto", &make<Pareto>},
                                             {"resident_tbs", &make<ResidentTbs>},
                                             {"staircase", &make<Staircase>},
                                             {"tb_durations", &make<TbDurations>},
                                             {"tb_intervals", &make<TbIntervals>},
                                             {"tb_order", &make<TbOrder>},
                                             {"texture_misses", &make<TextureMisses>},
                                             {"warp_lives", &make<WarpLives>}}};

}  // namespace

std::set<std::string> CustomFigure::wanted_figures(const FigureDefinition& /*figure*/) const { return {}; }

void CustomFigure::check(const FigureTable& /*table*/) const {}

std::string CustomFigure::draw(const FigureDefinition& /*figure*/, const FigureTable& /*table*/) const {
  return "";
}

std::unique_ptr<CustomFigure> make_custom_figure(const FigureDefinition& figure) {
  std::vector<std::string> known;
  for (const Entry& entry : kEntries) {
    if (figure.by == entry.name) return entry.make();
    known.emplace_back(entry.name);
  }
  throw WorkloadError(figure.mark, fmt::format("{}, by: there is no figure '{}'{}", figure.name, figure.by,
                                               name_hint(figure.by, known, "figures")));
}

}  // namespace heddle
