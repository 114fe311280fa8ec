#include "workloads/ptx/text/token_stream.h"

#include <algorithm>

#include "workloads/ptx/text/ptx_error.h"

namespace heddle::ptx {

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
  std::size_t end = at_;
  while (end + 1 < tokens_.size() && !tokens_[end].is(';')) {
    // Without its ';' the statement ends where the next line begins a new one or its block ends.
    if (end > at_ && tokens_[end].position.line > tokens_[end - 1].position.line &&
        tokens_[end].kind != Token::Kind::kPunctuation && !tokens_[end - 1].is(',') &&
        !tokens_[end - 1].is('(') && tokens_[at_].text != "call") {
      break;
    }
    ++end;
  }
  std::string text;
  for (std::size_t i = at_; i < end; ++i) {
    const Token& token = tokens_[i];
    const Token& previous = tokens_[i == at_ ? i : i - 1];
    const char* const previous_end = previous.text.data() + previous.text.size();
    if (i > at_ && token.kind != Token::Kind::kDotted && token.text.data() != previous_end) {
      text += ' ';
    }
    text += token.kind == Token::Kind::kDotted ? "." : "";
    text += token.text;
  }
  return text;
}

void TokenStream::fail(Position position, const std::string& message) const {
  throw PtxError(file_, position.line, position.column,
                 instruction_.empty() ? message : "in '" + instruction_ + "': " + message);
}

void TokenStream::fail_expected(std::string_view what) const {
  fail(peek().position, "found " + describe(peek()) + ", expected " + std::string(what));
}

}  // namespace heddle::ptx
