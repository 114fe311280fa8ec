#include "workloads/ptx/text/initialiser.h"

#include "workloads/ptx/isa/type_info.h"
#include "workloads/ptx/text/literal.h"

namespace heddle::ptx {

namespace {

class InitialiserParser {
 public:
  InitialiserParser(ParseContext& context, ast::Variable& variable,
                    const std::vector<std::uint64_t>& dimensions)
      : context_(context), tokens_(context.tokens), variable_(variable), dimensions_(dimensions) {}

  /// Parses the braces at nesting `depth`, whose first element is number `first`. Returns the number of
  /// entries of this level.
  std::uint64_t parse_braces(std::size_t depth, std::uint64_t first) {
    if (depth >= dimensions_.size()) {
      tokens_.fail(tokens_.peek().position, "found braces in braces, expected as many as '" + variable_.name +
                                                "' has dimensions, " + std::to_string(dimensions_.size()));
    }
    const Nesting nesting(tokens_);
    tokens_.expect('{', "to open the initialiser of an array");
    const std::uint64_t step = elements_below(depth);
    std::uint64_t count = 0;
    while (!tokens_.accept('}')) {
      const std::uint64_t element = first + count * step;
      if (dimensions_[depth] != 0 && count >= dimensions_[depth]) {
        tokens_.fail(tokens_.peek().position, "found more values than the " +
                                                  std::to_string(dimensions_[depth]) + " elements of '" +
                                                  variable_.name + "'");
      }
      if (tokens_.peek().is('{')) {
        parse_braces(depth + 1, element);
      } else {
        parse_value(element);
      }
      ++count;
      if (!tokens_.accept(',') && !tokens_.peek().is('}')) {
        tokens_.fail_expected("',' or '}' in an initialiser");
      }
    }
    return count;
  }

  void parse_value(std::uint64_t element) {
    ast::InitialValue value;
    value.element = element;
    const Position position = tokens_.peek().position;
    if (tokens_.peek().kind == Token::Kind::kIdentifier && !at_constant(tokens_)) {
      parse_symbol(value);
    } else {
      const Constant constant = parse_constant(tokens_);
      const auto bits = encode(constant, variable_.type);
      if (!bits) {
        tokens_.fail(position, "found a constant that does not fit type ." +
                                   std::string(spelling(variable_.type)) + " of '" + variable_.name + "'");
      }
      value.bits = *bits;
    }
    variable_.initial.push_back(value);
  }

 private:
  std::uint64_t elements_below(std::size_t depth) const {
    std::uint64_t elements = 1;
    for (std::size_t level = depth + 1; level < dimensions_.size(); ++level) {
      elements *= dimensions_[level];
    }
    return elements;
  }

  void parse_symbol(ast::InitialValue& value) {
    bool generic = false;
    if (tokens_.peek().text == "generic" && tokens_.peek(1).is('(')) {
      tokens_.take();
      tokens_.take();
      generic = true;
    }
    const Token name = tokens_.expect(Token::Kind::kIdentifier, "a constant or the name of a variable");
    value.symbol = context_.scopes.find_variable(name.text);
    if (value.symbol == nullptr && context_.functions.count(name.text) != 0) {
      variable_.function = name.text;
    } else {
      check_symbol(name, value.symbol);
    }
    if (bits_of(variable_.type) != 64) {
      tokens_.fail(name.position, "found an address in a variable of type ." +
                                      std::string(spelling(variable_.type)) + ", expected a 64-bit type");
    }
    if (generic) {
      tokens_.expect(')', "after generic(name");
    }
    if (tokens_.peek().is('+') || tokens_.peek().is('-')) {
      value.bits = static_cast<std::uint64_t>(parse_integer(tokens_));
    }
  }

  void check_symbol(const Token& name, const ast::Variable* symbol) {
    if (symbol == nullptr) {
      tokens_.fail(name.position, "found the unknown name '" + std::string(name.text) + "'" +
                                      context_.suggest_name(name.text));
    }
    if (symbol->opaque != ast::Opaque::kNo) {
      tokens_.fail(name.position, "found the address of '" + std::string(name.text) +
                                      "', but textures and surfaces are not supported");
    }
    if (symbol->space != Space::kGlobal && symbol->space != Space::kConst) {
      tokens_.fail(name.position, "found the address of '" + std::string(name.text) +
                                      "', expected a .global or .const variable");
    }
    if (!symbol->function.empty()) variable_.function = symbol->function;
  }

  ParseContext& context_;
  TokenStream& tokens_;
  ast::Variable& variable_;
  const std::vector<std::uint64_t>& dimensions_;
};

}  // namespace

void parse_initialiser(ParseContext& context, ast::Variable& variable,
                       std::vector<std::uint64_t>& dimensions) {
  if (variable.space != Space::kGlobal && variable.space != Space::kConst) {
    context.tokens.fail(context.tokens.peek().position, "found an initialiser of '" + variable.name +
                                                            "', expected one only in .global or .const");
  }
  InitialiserParser parser(context, variable, dimensions);
  if (dimensions.empty()) {
    const bool braces = context.tokens.peek().is('{');
    if (braces) {
      const std::vector<std::uint64_t> one = {1};
      InitialiserParser(context, variable, one).parse_braces(0, 0);
    } else {
      parser.parse_value(0);
    }
    return;
  }
  const std::uint64_t count = parser.parse_braces(0, 0);
  if (dimensions.front() == 0) {
    dimensions.front() = count;
  }
}

}  // namespace heddle::ptx
