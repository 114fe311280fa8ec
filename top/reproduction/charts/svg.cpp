#include "top/reproduction/charts/svg.h"

#include <fmt/format.h>

#include "top/text/text_width.h"

namespace heddle {

namespace {

std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : text) {
    switch (c) {
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '&':
        result += "&amp;";
        break;
      case '"':
        result += "&quot;";
        break;
      default:
        result += c;
    }
  }
  return result;
}

/// Tenths of a pixel are enough.
std::string length(double value) {
  std::string text = fmt::format("{:.1f}", value);
  if (text.compare(text.size() - 2, 2, ".0") == 0) text.resize(text.size() - 2);
  return text == "-0" ? "0" : text;
}

std::string places(const std::vector<std::pair<double, double>>& points) {
  std::string text;
  for (const auto& [x, y] : points) {
    if (!text.empty()) text += ' ';
    text += length(x) + "," + length(y);
  }
  return text;
}

std::string element(std::string_view name, const std::string& attributes, std::string_view hint) {
  if (hint.empty()) return fmt::format("<{} {}/>\n", name, attributes);
  return fmt::format("<{0} {1}><title>{2}</title></{0}>\n", name, attributes, escaped(hint));
}

}  // namespace

Svg::Svg(double width, double height, std::string_view label) {
  text_ = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\" "
      "role=\"img\" font-family=\"sans-serif\">\n<title>{2}</title>\n",
      length(width), length(height), escaped(label));
  rect(0, 0, width, height, "#ffffff");
}

void Svg::rect(double x, double y, double width, double height, std::string_view fill,
               std::string_view hint) {
  text_ += element("rect",
                   fmt::format("x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"{}\"", length(x),
                               length(y), length(width), length(height), fill),
                   hint);
}

void Svg::line(double x1, double y1, double x2, double y2, std::string_view colour, double width,
               bool dashed) {
  text_ += element("line",
                   fmt::format("x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\" stroke=\"{}\" stroke-width=\"{}\"{}",
                               length(x1), length(y1), length(x2), length(y2), colour, length(width),
                               dashed ? " stroke-dasharray=\"4 3\"" : ""),
                   "");
}

void Svg::polyline(const std::vector<std::pair<double, double>>& points, std::string_view colour) {
  text_ += element(
      "polyline",
      fmt::format("points=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"1.5\"", places(points), colour),
      "");
}

void Svg::circle(double x, double y, double radius, std::string_view fill, std::string_view hint) {
  text_ += element(
      "circle",
      fmt::format("cx=\"{}\" cy=\"{}\" r=\"{}\" fill=\"{}\"", length(x), length(y), length(radius), fill),
      hint);
}

void Svg::shape(const std::vector<std::pair<double, double>>& points, std::string_view fill,
                std::string_view outline, std::string_view hint) {
  text_ += element("polygon",
                   fmt::format("points=\"{}\" fill=\"{}\" stroke=\"{}\" stroke-width=\"1.5\"", places(points),
                               fill, outline),
                   hint);
}

void Svg::text(double x, double y, std::string_view text, Anchor anchor, double size, double degrees) {
  constexpr const char* kAnchors[] = {"start", "middle", "end"};
  std::string turn;
  if (degrees != 0)
    turn = fmt::format(" transform=\"rotate({} {} {})\"", length(degrees), length(x), length(y));
  text_ += fmt::format(
      "<text x=\"{}\" y=\"{}\" font-size=\"{}\" fill=\"#222222\" text-anchor=\"{}\"{}>{}</text>\n", length(x),
      length(y), length(size), kAnchors[static_cast<int>(anchor)], turn, escaped(text));
}

double svg_text_width(std::string_view text, double size) {
  constexpr double kMeanWidth = 0.58;  // of a sans serif's letters, in sizes
  return static_cast<double>(display_width(text)) * size * kMeanWidth;
}

}  // namespace heddle
