#include "sc_tests/fuzz/inputs/expression_writer.h"

#include <array>

namespace heddle::fuzz {

namespace {

constexpr std::array<const char*, 12> kNumbers = {
    "0", "1", "2", "7", "64", "1000", "0x1F", "1.5", "2147483648", "1e-3", "-1", "9223372036854775807"};
constexpr std::array<const char*, 11> kOperators = {
    " + ", " - ", " * ", " / ", " % ", " == ", " != ", " < ", " <= ", " > ", " >= "};
constexpr std::array<const char*, 8> kUnary = {"abs", "floor", "sqrt", "exp", "log", "sin", "cos", "hash"};
constexpr std::array<const char*, 3> kBinary = {"min", "max", "ceil_div"};

std::string term(test::ChoiceStream& choices, const std::vector<std::string>& names, unsigned depth) {
  constexpr unsigned kMostDeep = 4;
  const std::uint32_t kind = depth < kMostDeep ? choices.below(8) : 0;
  const auto below = [&] { return term(choices, names, depth + 1); };
  switch (kind) {
    case 2:
    case 3:
      return "(" + below() + choices.one_of(kOperators) + below() + ")";
    case 4:
      return std::string(choices.one_of(kUnary)) + "(" + below() + ")";
    case 5: {
      const std::string name = choices.one_of(kBinary);
      const std::string first = below();
      return name + "(" + first + ", " + below() + ")";
    }
    case 6: {
      const std::string condition = below();
      const std::string first = below();
      return "select(" + condition + ", " + first + ", " + below() + ")";
    }
    case 7:
      return "-" + below();
    default:
      return !names.empty() && choices.one_in(2) ? choices.one_of(names) : choices.one_of(kNumbers);
  }
}

}  // namespace

std::string write_expression(test::ChoiceStream& choices, const std::vector<std::string>& names) {
  std::string text = term(choices, names, 0);
  if (choices.one_in(3)) text += choices.one_of(kOperators) + term(choices, names, 1);
  return text;
}

}  // namespace heddle::fuzz
