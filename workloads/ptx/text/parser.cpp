#include "workloads/ptx/text/parser.h"

#include <string>

#include "workloads/ptx/isa/limits.h"
#include "workloads/ptx/text/literal.h"
#include "workloads/ptx/text/parse_context.h"
#include "workloads/ptx/text/parse_declarations.h"
#include "workloads/ptx/text/parse_instructions.h"

namespace heddle::ptx {

namespace {

constexpr std::uint64_t kMostProduct = 1U << 31U;  ///< that is told apart of .maxntid and the like

class FileParser {
 public:
  FileParser(std::string_view text, ast::File& file)
      : context_{TokenStream(tokenize(text, file.name), file.name), file, {}, {}, 0, 16},
        tokens_(context_.tokens) {}

  void parse() {
    while (tokens_.peek().kind != Token::Kind::kEnd) {
      parse_module_statement();
    }
  }

 private:
  void parse_module_statement() {
    const Token token = tokens_.peek();
    if (token.is(';')) {
      tokens_.take();
    } else if (token.is_dotted("version")) {
      parse_version();
    } else if (token.is_dotted("address_size")) {
      parse_address_size();
    } else if (token.is_dotted("file") || token.is_dotted("loc")) {
      parse_source_directive();
    } else if (token.is_dotted("target")) {
      parse_target();
    } else if (token.is('@')) {
      tokens_.skip_line();  // @@DWARF is of old compilers
    } else if (token.is_dotted("pragma") || token.is_dotted("alias")) {
      tokens_.skip_statement();
    } else if (token.is_dotted("section")) {
      tokens_.take();
      tokens_.skip_balanced('{', '}');
    } else {
      parse_declaration();
    }
  }

  /// Which GPU it was compiled for does not matter: its names are skipped.
  void parse_target() {
    tokens_.take();
    do {
      tokens_.expect(Token::Kind::kIdentifier, "a target such as sm_20");
    } while (tokens_.accept(','));
  }

  /// `.file 1 "name"`, `.loc 1 line column`, with what may follow; a line that does not say this is skipped.
  void parse_source_directive() {
    const Token directive = tokens_.peek();
    const Token number = tokens_.peek(1);
    const Token what = tokens_.peek(2);
    const bool numbered = number.kind == Token::Kind::kInteger;
    if (numbered && directive.is_dotted("file") && what.kind == Token::Kind::kString) {
      context_.file.source_files[static_cast<std::uint32_t>(number.value)] = what.text;
      take(3);
      while (tokens_.peek().is(',') && tokens_.peek(1).kind == Token::Kind::kInteger) take(2);
    } else if (numbered && directive.is_dotted("loc") && what.kind == Token::Kind::kInteger &&
               tokens_.peek(3).kind == Token::Kind::kInteger) {
      context_.file.source_marks.push_back({directive.position.line, static_cast<std::uint32_t>(number.value),
                                            static_cast<std::uint32_t>(what.value)});
      take(4);
      skip_inlined_at();
    } else {
      tokens_.skip_line();
    }
  }

  /// `, function_name label + 5, inlined_at 1 line column`
  void skip_inlined_at() {
    if (tokens_.peek().is(',') && tokens_.peek(1).text == "function_name") {
      take(3);
      if (tokens_.accept('+')) tokens_.take();
    }
    if (tokens_.peek().is(',') && tokens_.peek(1).text == "inlined_at") take(5);
  }

  void take(unsigned tokens) {
    for (unsigned i = 0; i < tokens; ++i) tokens_.take();
  }

  void parse_version() {
    tokens_.take();
    const Token number = tokens_.take();
    const double version = std::strtod(std::string(number.text).c_str(), nullptr);
    if (version < 3.0 || version >= 10.0) {
      tokens_.fail(number.position,
                   "found PTX version " + std::string(number.text) + ", expected 3.0 to 9.x");
    }
  }

  void parse_address_size() {
    tokens_.take();
    const Token size = tokens_.take();
    if (size.text != "64") {
      tokens_.fail(size.position, "found .address_size " + std::string(size.text) + ", expected 64");
    }
  }

  void parse_declaration() {
    bool is_extern = false;
    for (;;) {
      if (tokens_.accept_dotted("extern") || tokens_.accept_dotted("common")) {
        is_extern = true;
      } else if (!tokens_.accept_dotted("visible") && !tokens_.accept_dotted("weak")) {
        break;
      }
    }
    const Token& token = tokens_.peek();
    if (token.is_dotted("entry") || token.is_dotted("func")) {
      parse_function();
    } else if (declared_space(token)) {
      parse_variables(context_, is_extern, false);
      tokens_.expect(';', "after a variable");
    } else {
      tokens_.fail_expected("a directive such as .entry, .func, .global, .const or .shared");
    }
  }

  std::vector<ast::Formal> parse_formals(ast::Function& function) {
    std::vector<ast::Formal> formals;
    if (!tokens_.accept('(')) {
      return formals;
    }
    while (!tokens_.accept(')')) {
      ast::Formal formal;
      if (tokens_.peek().is_dotted("reg")) {
        formal.reg = parse_registers(context_, function, true);
      } else if (tokens_.peek().is_dotted("param")) {
        formal.variable = &parse_variables(context_, false, true);
      } else {
        tokens_.fail_expected(".param or .reg in a parameter list");
      }
      formals.push_back(formal);
      tokens_.check_most(formals.size(), limits::kParameters, "parameters of a function");
      if (!tokens_.accept(',') && !tokens_.peek().is(')')) {
        tokens_.fail_expected("',' or ')' in a parameter list");
      }
    }
    return formals;
  }

  void parse_function() {
    ast::Function parsed;
    parsed.is_entry = tokens_.take().text == "entry";
    const std::size_t outside = context_.scopes.current();
    context_.scopes.enter();
    skip_attributes();
    parsed.results = parse_formals(parsed);
    skip_attributes();
    const Token name = tokens_.expect(Token::Kind::kIdentifier, "the name of a function");
    parsed.name = std::string(name.text);
    parsed.position = name.position;
    try {
      parsed.parameters = parse_formals(parsed);
      parse_performance_directives(parsed);
    } catch (const PtxError& error) {
      skip_head(error);
      parsed.error = error;
    }
    ast::Function*& known = context_.functions[name.text];
    if (known == nullptr) {
      tokens_.check_most(context_.file.functions.size() + 1, limits::kFunctions, "functions");
      known = &context_.file.functions.emplace_back();
    }
    if (known->has_body && tokens_.peek().is('{')) {
      tokens_.fail(name.position, "found a second body of '" + parsed.name + "', the first is in line " +
                                      std::to_string(known->position.line));
    }
    if (!known->has_body) {
      *known = std::move(parsed);
    }
    if (tokens_.peek().is('{')) {
      known->has_body = true;
      parse_or_skip_body(*known);
    } else {
      tokens_.expect(';', "or a body after the head of a function");
    }
    context_.scopes.leave_to(outside);
  }

  /// Goes on at what ends the head of a function. Throws `error` when the next function or the end comes
  /// first.
  void skip_head(const PtxError& error) {
    for (; !tokens_.peek().is('{') && !tokens_.peek().is(';'); tokens_.take()) {
      const Token& token = tokens_.peek();
      if (token.kind == Token::Kind::kEnd || token.is_dotted("entry") || token.is_dotted("func")) {
        throw PtxError(error);
      }
    }
  }

  /// An error in a body is the function's: those who don't call it can be launched. Of a body without an end
  /// it is the file's.
  void parse_or_skip_body(ast::Function& function) {
    const std::size_t start = tokens_.place();
    const std::size_t variables = context_.file.variables.size();
    if (!function.error) {
      try {
        tokens_.take();
        parse_body(function);
        return;
      } catch (const PtxError& error) {
        function.error = error;
      }
    }
    context_.file.variables.resize(variables);  // without the one that may be half read
    tokens_.set_instruction("");
    tokens_.go_back(start);
    try {
      tokens_.skip_balanced('{', '}');
    } catch (const PtxError&) {
      throw PtxError(*function.error);
    }
  }

  /// .noreturn, .attribute(...) and their kind around a function's name.
  void skip_attributes() {
    while (tokens_.peek().kind == Token::Kind::kDotted) {
      if (tokens_.take().text == "attribute") {
        tokens_.skip_balanced('(', ')');
      }
    }
  }

  void parse_performance_directives(ast::Function& function) {
    while (tokens_.peek().kind == Token::Kind::kDotted) {
      const Token directive = tokens_.take();
      if (directive.text == "pragma") {
        tokens_.skip_statement();
        continue;
      }
      std::uint64_t product = 1;
      while (tokens_.peek().kind == Token::Kind::kInteger) {
        const std::uint64_t factor = tokens_.take().value;
        product = factor != 0 && product > kMostProduct / factor ? kMostProduct : product * factor;
        tokens_.accept(',');
      }
      if (directive.text == "maxntid" || directive.text == "reqntid") {
        if (product == 0 || product > limits::kTbThreads) {
          tokens_.fail(directive.position, "found " + describe(directive) + " of " +
                                               (product == kMostProduct ? "more than " : "") +
                                               std::to_string(product) + " threads, expected 1 to " +
                                               std::to_string(limits::kTbThreads));
        }
        function.max_threads = static_cast<unsigned>(product);
      } else if (directive.text == "maxnreg") {
        function.max_registers = static_cast<unsigned>(std::min<std::uint64_t>(product, ast::kMostRegisters));
      }
    }
  }

  void parse_body(ast::Function& function) {
    InstructionParser instructions(context_, function);
    context_.file.source_marks.push_back({tokens_.peek().position.line, 0, 0});
    for (std::size_t depth = 1; depth > 0;) {
      const Token token = tokens_.peek();
      if (token.is('{')) {
        tokens_.take();
        tokens_.check_most(depth + 1, limits::kNesting, "blocks in one another");
        tokens_.check_most(context_.scopes.number(), limits::kBlocks, "blocks in the file");
        context_.scopes.enter();
        ++depth;
      } else if (token.is('}')) {
        tokens_.take();
        --depth;
        if (depth > 0) {
          context_.scopes.leave();
        }
      } else if (token.is(';')) {
        tokens_.take();
      } else if (token.kind == Token::Kind::kDotted) {
        parse_body_directive(function);
      } else if (token.kind == Token::Kind::kIdentifier && tokens_.peek(1).is(':')) {
        parse_label(function);
      } else if (token.is('@') && tokens_.peek(1).is('@')) {
        tokens_.skip_line();
      } else if (token.is('@') || token.kind == Token::Kind::kIdentifier) {
        instructions.parse();
      } else {
        tokens_.fail_expected("an instruction, a label, a declaration or '}'");
      }
    }
    instructions.resolve_labels();
  }

  void parse_label(const ast::Function& function) {
    const Token name = tokens_.take();
    tokens_.take();
    if (!context_.scopes.declare_label(name.text, static_cast<std::uint32_t>(function.body.size()))) {
      tokens_.fail(name.position, "found a second label '" + std::string(name.text) + "'");
    }
  }

  static void keep_loop(ast::Function& function) {
    const auto next = static_cast<std::uint32_t>(function.body.size());
    if (function.kept_loops.empty() || function.kept_loops.back() != next)
      function.kept_loops.push_back(next);
  }

  void parse_body_directive(ast::Function& function) {
    const Token& token = tokens_.peek();
    if (token.is_dotted("loc") || token.is_dotted("file")) {
      parse_source_directive();
      return;
    }
    if (token.is_dotted("pragma")) {
      if (tokens_.peek(1).text.find("nounroll") != std::string_view::npos) keep_loop(function);
      tokens_.skip_statement();
      return;
    }
    if (token.is_dotted("callprototype") || token.is_dotted("calltargets") ||
        token.is_dotted("branchtargets")) {
      tokens_.skip_statement();
      return;
    }
    const bool is_extern = tokens_.accept_dotted("extern");
    if (tokens_.peek().is_dotted("reg")) {
      parse_registers(context_, function, false);
    } else if (declared_space(tokens_.peek())) {
      parse_variables(context_, is_extern, false);
    } else {
      tokens_.fail_expected("a declaration such as .reg, .shared, .local or .param");
    }
    tokens_.expect(';', "after a declaration");
  }

  ParseContext context_;
  TokenStream& tokens_;
};

}  // namespace

ast::File parse(std::string_view text, const std::string& file) {
  ast::File parsed;
  parsed.name = file;
  FileParser(text, parsed).parse();
  return parsed;
}

}  // namespace heddle::ptx
