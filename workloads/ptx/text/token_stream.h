#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "workloads/ptx/text/lexer.h"

namespace heddle::ptx {

/// A cursor over a file's tokens, and where its error messages are made.
class TokenStream {
 public:
  TokenStream(std::vector<Token> tokens, const std::string& file) : tokens_(std::move(tokens)), file_(file) {}

  const Token& peek(std::size_t ahead = 0) const;
  Token take();

  /// A place to go back to.
  std::size_t place() const { return at_; }
  void go_back(std::size_t place) { at_ = place; }

  bool accept(char punctuation);
  bool accept_dotted(std::string_view name);
  /// Takes the token or fails: "expected ';' after ...".
  void expect(char punctuation, std::string_view where);
  Token expect(Token::Kind kind, std::string_view what);

  /// Skips up to and including the next `;`, or the rest of the line.
  void skip_statement();
  void skip_line();
  /// Skips up to the next `open` and the balanced list that it opens.
  void skip_balanced(char open, char close);

  /// The text from the next token to the next `;`, in one line; of a very long statement its beginning.
  std::string statement_text() const;
  /// Instruction that errors are said to be in; empty for none.
  void set_instruction(std::string text) { instruction_ = std::move(text); }
  const std::string& instruction() const { return instruction_; }

  [[noreturn]] void fail(Position position, const std::string& message) const;
  /// Fails at the next token when there are more than `most`: "found more than 16 operands, expected ...".
  void check_most(std::uint64_t number, std::uint64_t most, std::string_view what) const;
  /// Fails at the next token: "found X, expected Y".
  [[noreturn]] void fail_expected(std::string_view what) const;

 private:
  friend class Nesting;

  std::vector<Token> tokens_;
  const std::string& file_;
  std::string instruction_;
  std::size_t at_ = 0;
  std::uint64_t depth_ = 0;  ///< of what is being parsed
};

/// Stands for a part of a text that may hold parts of its kind, for as long as it is parsed. Fails when more
/// than limits::kNesting lie in one another: each takes room on the stack.
class Nesting {
 public:
  explicit Nesting(TokenStream& tokens);
  ~Nesting() { --tokens_.depth_; }
  Nesting(const Nesting&) = delete;
  Nesting& operator=(const Nesting&) = delete;

 private:
  TokenStream& tokens_;
};

/// How a token is named in a message.
std::string describe(const Token& token);

}  // namespace heddle::ptx
