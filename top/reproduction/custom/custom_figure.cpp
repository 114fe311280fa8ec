#include "top/reproduction/custom/custom_figure.h"

#include <fmt/format.h>

#include <array>

#include "base/nearest_name.h"
#include "top/reproduction/custom/tb_intervals.h"
#include "top/reproduction/custom/tb_order.h"

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

constexpr std::array<Entry, 2> kEntries = {
    {{"tb_intervals", &make<TbIntervals>}, {"tb_order", &make<TbOrder>}}};

}  // namespace

std::set<std::string> CustomFigure::wanted_figures(const FigureDefinition& /*figure*/) const { return {}; }

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
