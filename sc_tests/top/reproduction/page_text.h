#pragma once

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

namespace heddle::test {

inline std::string contents(const std::filesystem::path& file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

inline bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace heddle::test
