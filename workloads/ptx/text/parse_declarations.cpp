#include "workloads/ptx/text/parse_declarations.h"

#include "base/nearest_name.h"
#include "workloads/ptx/isa/limits.h"
#include "workloads/ptx/isa/type_info.h"
#include "workloads/ptx/text/initialiser.h"
#include "workloads/ptx/text/literal.h"

namespace heddle::ptx {

namespace {

/// Types that only registers and storage can have: they hold bits.
std::optional<Type> storage_type_named(std::string_view name) {
  if (name == "f16x2" || name == "bf16x2") {
    return Type::kB32;
  }
  if (name == "bf16") {
    return Type::kB16;
  }
  return type_named(name);
}

Type parse_type(ParseContext& context) {
  TokenStream& tokens = context.tokens;
  const Token token = tokens.expect(Token::Kind::kDotted, "a type such as .u32");
  if (const auto type = storage_type_named(token.text)) {
    return *type;
  }
  std::vector<std::string_view> known;
  for (auto type = Type::kU8; type <= Type::kPred; type = static_cast<Type>(static_cast<int>(type) + 1)) {
    known.push_back(spelling(type));
  }
  tokens.fail(token.position, "found " + describe(token) + ", expected a type such as .u32" +
                                  did_you_mean(token.text, known));
}

struct Prototype {
  Space space = Space::kGlobal;
  Type type = Type::kB8;
  std::uint64_t element_bytes = 1;
  std::uint64_t alignment = 0;
  ast::Opaque opaque = ast::Opaque::kNo;
};

/// `.ptr .global .align 4` of a kernel parameter describes what it points to: nothing that matters here.
void skip_pointer_attributes(TokenStream& tokens) {
  while (tokens.peek().kind == Token::Kind::kDotted) {
    if (tokens.accept_dotted("align")) {
      parse_integer(tokens);
    } else {
      tokens.take();
    }
  }
}

ast::Opaque parse_opaque(TokenStream& tokens) {
  if (tokens.accept_dotted("texref")) return ast::Opaque::kTexture;
  if (tokens.accept_dotted("samplerref")) return ast::Opaque::kSampler;
  return tokens.accept_dotted("surfref") ? ast::Opaque::kSurface : ast::Opaque::kNo;
}

Prototype parse_prototype(ParseContext& context) {
  TokenStream& tokens = context.tokens;
  Prototype prototype;
  prototype.space = declared_space(tokens.take()).value_or(Space::kGlobal);
  std::uint64_t vector = 1;
  for (;;) {
    if (tokens.accept_dotted("align")) {
      const Position position = tokens.peek().position;
      const std::int64_t alignment = parse_integer(tokens);
      if (alignment <= 0 || alignment > 4096 || (alignment & (alignment - 1)) != 0) {
        tokens.fail(position, "found alignment " + std::to_string(alignment) +
                                  ", expected a power of two from 1 to 4096");
      }
      prototype.alignment = static_cast<std::uint64_t>(alignment);
    } else if (tokens.accept_dotted("attribute")) {
      tokens.skip_balanced('(', ')');
    } else if (tokens.accept_dotted("v2")) {
      vector = 2;
    } else if (tokens.accept_dotted("v4")) {
      vector = 4;
    } else {
      break;
    }
  }
  prototype.opaque = parse_opaque(tokens);
  if (prototype.opaque != ast::Opaque::kNo) {
    prototype.element_bytes = 8;
  } else {
    prototype.type = parse_type(context);
    if (prototype.type == Type::kPred) {
      tokens.fail(tokens.peek().position,
                  "found a variable of type .pred, expected a type of at least 8 bits");
    }
    prototype.element_bytes = bytes_of(prototype.type) * vector;
  }
  if (prototype.space == Space::kParam) {
    skip_pointer_attributes(tokens);
  }
  if (prototype.alignment == 0) {
    prototype.alignment = prototype.element_bytes;
  }
  return prototype;
}

/// `[4][2]`: the dimensions; an empty first one is 0 until the initialiser tells.
std::vector<std::uint64_t> parse_dimensions(TokenStream& tokens) {
  std::vector<std::uint64_t> dimensions;
  while (tokens.accept('[')) {
    std::int64_t size = 0;
    const Position position = tokens.peek().position;
    if (!tokens.peek().is(']')) {
      size = parse_integer(tokens);
      const std::int64_t least = dimensions.empty() ? 0 : 1;
      if (size < least || static_cast<std::uint64_t>(size) > limits::kGlobalBytes) {
        tokens.fail(position, "found array size " + std::to_string(size) + ", expected " +
                                  std::to_string(least) + " to 2^33");
      }
    } else if (!dimensions.empty()) {
      tokens.fail_expected("an array size, which only the first dimension may leave out");
    }
    tokens.check_most(dimensions.size() + 1, limits::kOperands, "dimensions");
    tokens.expect(']', "after an array size");
    dimensions.push_back(static_cast<std::uint64_t>(size));
  }
  return dimensions;
}

std::uint64_t count_elements(const std::vector<std::uint64_t>& dimensions) {
  std::uint64_t count = 1;
  for (const std::uint64_t size : dimensions) {
    const bool fits = size == 0 || count <= limits::kGlobalBytes / size;
    count = fits ? count * size : limits::kGlobalBytes + 1;
  }
  return count;
}

std::uint64_t most_bytes(const ast::Variable& variable) {
  switch (variable.space) {
    case Space::kGlobal:
      return variable.initial.empty() ? limits::kGlobalBytes : limits::kInitialBytes;
    case Space::kConst:
      return limits::kConstBytes;
    case Space::kShared:
      return limits::kSharedBytes;
    default:  // a .param of a call may lie in local memory
      return limits::kLocalBytes;
  }
}

void check_size(const TokenStream& tokens, const ast::Variable& variable) {
  const std::uint64_t most = most_bytes(variable);
  if (variable.bytes > most) {
    tokens.fail(variable.position,
                over_limit("'" + variable.name + "' of " + std::to_string(variable.bytes) + " bytes", most));
  }
}

const ast::Variable& parse_declarator(ParseContext& context, const Prototype& prototype, bool is_extern) {
  TokenStream& tokens = context.tokens;
  const Token name = tokens.expect(Token::Kind::kIdentifier, "the name of a variable");
  tokens.check_most(context.file.variables.size() + 1, limits::kVariables, "variables");
  ast::Variable& variable = context.file.variables.emplace_back();
  variable.name = std::string(name.text);
  variable.space = prototype.space;
  variable.type = prototype.type;
  variable.alignment = prototype.alignment;
  variable.is_extern = is_extern;
  variable.opaque = prototype.opaque;
  variable.position = name.position;
  std::vector<std::uint64_t> dimensions = parse_dimensions(tokens);
  if (tokens.accept('=')) {
    if (prototype.opaque != ast::Opaque::kNo) {
      variable.is_preset = true;
      tokens.skip_balanced('{', '}');
    } else {
      parse_initialiser(context, variable, dimensions);
    }
  }
  variable.bytes = count_elements(dimensions) * prototype.element_bytes;
  check_size(tokens, variable);
  // A variable may be declared extern and then defined; the definition wins.
  if (name.text != "_" && !context.scopes.declare_variable(name.text, variable)) {
    const ast::Variable* const earlier = context.scopes.find_variable(name.text);
    if (!earlier->is_extern && !is_extern) {
      tokens.fail(name.position, "found a second variable '" + variable.name + "', the first is in line " +
                                     std::to_string(earlier->position.line));
    }
    if (earlier->is_extern && !is_extern) {
      context.scopes.redeclare_variable(name.text, variable);
    }
  }
  return variable;
}

}  // namespace

std::optional<Space> declared_space(const Token& token) {
  if (token.kind != Token::Kind::kDotted) {
    return std::nullopt;
  }
  constexpr std::pair<std::string_view, Space> kSpaces[] = {{"global", Space::kGlobal},
                                                            {"const", Space::kConst},
                                                            {"shared", Space::kShared},
                                                            {"local", Space::kLocal},
                                                            {"param", Space::kParam}};
  for (const auto& [name, space] : kSpaces) {
    if (token.text == name) {
      return space;
    }
  }
  return std::nullopt;
}

const ast::Variable& parse_variables(ParseContext& context, bool is_extern, bool single) {
  const Prototype prototype = parse_prototype(context);
  const ast::Variable* last = &parse_declarator(context, prototype, is_extern);
  while (!single && context.tokens.accept(',')) {
    last = &parse_declarator(context, prototype, is_extern);
  }
  return *last;
}

std::uint32_t parse_registers(ParseContext& context, ast::Function& function, bool single) {
  TokenStream& tokens = context.tokens;
  tokens.take();  // .reg
  const Type type = parse_type(context);
  for (;;) {
    const Token name = tokens.expect(Token::Kind::kIdentifier, "the name of a register");
    const auto first = static_cast<std::uint32_t>(function.registers.size());
    std::optional<std::uint32_t> count;
    if (tokens.accept('<')) {
      const Position position = tokens.peek().position;
      const std::int64_t number = parse_integer(tokens);
      if (number < 1 || static_cast<std::uint64_t>(number) > limits::kDeclaredRegisters) {
        tokens.fail(position, "found " + std::to_string(number) + " registers, expected 1 to " +
                                  std::to_string(limits::kDeclaredRegisters));
      }
      count = static_cast<std::uint32_t>(number);
      tokens.expect('>', "after the number of registers");
    }
    if (name.text != "_" && !context.scopes.declare_register(name.text, first, count)) {
      tokens.fail(name.position, "found a second declaration of register '" + std::string(name.text) + "'");
    }
    const std::size_t registers = function.registers.size() + count.value_or(1);
    if (registers > limits::kDeclaredRegisters) {
      tokens.fail(name.position, over_limit(std::to_string(registers) + " registers of a function",
                                            limits::kDeclaredRegisters));
    }
    function.registers.resize(registers, type);
    if (single || !tokens.accept(',')) {
      return static_cast<std::uint32_t>(function.registers.size() - 1);
    }
  }
}

}  // namespace heddle::ptx
