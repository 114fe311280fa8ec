#pragma once

#include <set>
#include <string>
#include <vector>

namespace heddle::test {

/// A page named in a text, with the sections that are named after it: page.md, "Section" and "Other section".
struct Citation {
  std::string page;
  std::vector<std::string> sections;  ///< on one line each, without the comment marks of a broken line
};

/// The pages that `text` (a source, a configuration, a page) names by a name that ends in .md, links
/// included.
std::vector<Citation> citations(const std::string& text);

/// Headings of a page in Markdown, without those in code blocks.
std::set<std::string> headings(const std::string& page);

/// The anchor of a heading as GitHub makes it: "Parts and time" is parts-and-time.
std::string anchor_of(const std::string& heading);

/// Targets of the links in a page, without those that lead elsewhere (https: and so on) or stand in code.
std::vector<std::string> relative_links(const std::string& page);

/// Words in the code of a page: in back quotes, in fenced blocks and in indented ones.
std::vector<std::string> code_words(const std::string& page);

/// A path with placeholders as the text of a regular expression: <name>, NAME and * stand for a part of a
/// name, {a,b} for either.
std::string path_pattern(std::string path);

}  // namespace heddle::test
