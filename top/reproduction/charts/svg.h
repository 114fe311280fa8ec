#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace heddle {

/// Builds a picture as SVG, with a white ground, so that it can be read on light and dark pages. Lengths are
/// in pixels from the upper left corner.
class Svg {
 public:
  enum class Anchor { kStart, kMiddle, kEnd };

  /// `label`: what it shows, for screen readers.
  Svg(double width, double height, std::string_view label);

  /// `hint`: shown to who points at it.
  void rect(double x, double y, double width, double height, std::string_view fill,
            std::string_view hint = "");
  void line(double x1, double y1, double x2, double y2, std::string_view colour, double width = 1,
            bool dashed = false);
  void polyline(const std::vector<std::pair<double, double>>& points, std::string_view colour);
  void circle(double x, double y, double radius, std::string_view fill, std::string_view hint = "");
  /// Points are joined and filled.
  void shape(const std::vector<std::pair<double, double>>& points, std::string_view fill,
             std::string_view outline, std::string_view hint = "");
  /// `degrees`: turned about its place, clockwise.
  void text(double x, double y, std::string_view text, Anchor anchor = Anchor::kStart, double size = 11,
            double degrees = 0);

  /// The file.
  std::string str() const { return text_ + "</svg>\n"; }

 private:
  std::string text_;
};

/// What a text of this size takes, about.
double svg_text_width(std::string_view text, double size = 11);

}  // namespace heddle
