#pragma once

#include <set>
#include <string>
#include <utility>

namespace heddle::test {

/// From, to.
using Arrow = std::pair<std::string, std::string>;

/// The arrows in the text of a picture in graphviz's language, which has each on a line of its own: a -> b.
std::set<Arrow> arrows_of_dot(const std::string& text);

/// The words of its labels.
std::set<std::string> label_words_of_dot(const std::string& text);

/// The arrows of an SVG that graphviz's dot has drawn.
std::set<Arrow> arrows_of_svg(const std::string& text);

}  // namespace heddle::test
