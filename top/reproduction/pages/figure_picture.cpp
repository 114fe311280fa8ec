#include "top/reproduction/pages/figure_picture.h"

#include "top/reproduction/charts/figure_chart.h"
#include "top/reproduction/custom/custom_figure.h"

namespace heddle {

namespace {

/// Without the rows that count others.
FigureTable drawn_rows(const FigureTable& table) {
  FigureTable drawn = table;
  drawn.rows.clear();
  drawn.cells.clear();
  for (std::size_t r = 0; r < table.rows.size(); ++r) {
    if (table.rows[r].counts) continue;
    drawn.rows.push_back(table.rows[r]);
    drawn.cells.push_back(table.cells[r]);
  }
  return drawn;
}

}  // namespace

std::string figure_picture(const FigureDefinition& figure, const FigureTable& table) {
  if (table.rows.empty()) return "";
  if (!figure.by.empty()) {
    const std::string picture = make_custom_figure(figure)->draw(figure, table);
    if (!picture.empty()) return picture;
  }
  const FigureTable drawn = drawn_rows(table);
  const FigureChart chart{
      figure.name + ": " + figure.title, drawn, figure.paper, figure.format, figure.unit, figure.reference};
  switch (figure.drawing) {
    case FigureDrawing::kBars:
      return draw_bars(chart);
    case FigureDrawing::kLines:
      return draw_lines(chart);
    default:
      return "";
  }
}

std::string picture_file(const std::string& paper_id, const FigureDefinition& figure) {
  return "pictures/" + paper_id + "_" + figure.id() + ".svg";
}

}  // namespace heddle
