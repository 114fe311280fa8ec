#include "workloads/ptx/text/token_stream.h"

#include <algorithm>

#include "workloads/ptx/isa/limits.h"
#include "workloads/ptx/text/ptx_error.h"

namespace heddle::ptx {

namespace {

constexpr std::size_t kStatementChars = 512;  ///< that messages and waves show of a statement

}  // namespace

Nesting::Nesting(TokenStream& tokens) : tokens_(tokens) {
  tokens.check_most(tokens.depth_ + 1, limits::kNesting, "parentheses, operators or braces in one another");
  ++tokens.depth_;
}

std::string describe(const Token& token) {
  switch (token.kind) {
    case Token::Kind::kEnd:
      return "the end of the file";
    case Token::Kind::kDotted:
      return "'." + std::string(token.text) + "'";
    case Token::Kind::kString:
      return "the string \"" + std::string(token.text) + "\"";
    default:
      return "'" + std::string(token.text) + "'";
  }
}

const Token& TokenStream::peek(std::size_t ahead) const {
  return tokens_[std::min(at_ + ahead, tokens_.size() - 1)];
}

Token TokenStream::take() {
  const Token token = peek();
  if (at_ + 1 < tokens_.size()) {
    ++at_;
  }
  return token;
}

bool TokenStream::accept(char punctuation) {
  if (!peek().is(punctuation)) {
    return false;
  }
  take();
  return true;
}

bool TokenStream::accept_dotted(std::string_view name) {
  if (!peek().is_dotted(name)) {
    return false;
  }
  take();
  return true;
}

void TokenStream::expect(char punctuation, std::string_view where) {
  if (!accept(punctuation)) {
    fail_expected(std::string("'") + punctuation + "' " + std::string(where));
  }
}

Token TokenStream::expect(Token::Kind kind, std::string_view what) {
  if (peek().kind != kind) {
    fail_expected(what);
  }
  return take();
}

void TokenStream::skip_statement() {
  while (!accept(';')) {
    if (peek().kind == Token::Kind::kEnd) {
      fail_expected("';'");
    }
    take();
  }
}

void TokenStream::skip_line() {
  const std::uint32_t line = peek().position.line;
  while (peek().kind != Token::Kind::kEnd && peek().position.line == line) {
    take();
  }
}

void TokenStream::skip_balanced(char open, char close) {
  for (unsigned depth = 0;;) {
    if (peek().kind == Token::Kind::kEnd) {
      fail_expected(std::string("'") + (depth == 0 ? open : close) + "'");
    }
    const Token token = take();
    if (token.is(open)) {
      ++depth;
    } else if (token.is(close) && depth > 0 && --depth == 0) {
      return;
    }
  }
}

std::string TokenStream::statement_text() const {
  std::string text;
  for (std::size_t i = at_; i + 1 < tokens_.size() && !tokens_[i].is(';'); ++i) {
    const Token& token = tokens_[i];
    if (i > at_) {
      const Token& previous = tokens_[i - 1];
      // Without its ';' the statement ends where the next line begins a new one or its block ends.
      if (token.position.line > previous.position.line && token.kind != Token::Kind::kPunctuation &&
          !previous.is(',') && !previous.is('(') && tokens_[at_].text != "call")
        break;
      const char* const previous_end = previous.text.data() + previous.text.size();
      if (token.kind != Token::Kind::kDotted && token.text.data() != previous_end) text += ' ';
    }
    text += token.kind == Token::Kind::kDotted ? "." : "";
    text += token.text;
    if (text.size() > kStatementChars) return text.substr(0, kStatementChars) + "...";
  }
  return text;
}

void TokenStream::check_most(std::uint64_t number, std::uint64_t most, std::string_view what) const {
  if (number > most)
    fail(peek().position, over_limit("more than " + std::to_string(most) + " " + std::string(what), most));
}

void TokenStream::fail(Position position, const std::string& message) const {
  throw PtxError(file_, position.line, position.column,
                 instruction_.empty() ? message : "in '" + instruction_ + "': " + message);
}

void TokenStream::fail_expected(std::string_view what) const {
  fail(peek().position, "found " + describe(peek()) + ", expected " + std::string(what));
}

}  // namespace heddle::ptx
