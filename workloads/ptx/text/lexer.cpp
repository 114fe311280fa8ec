#include "workloads/ptx/text/lexer.h"

#include <cctype>
#include <charconv>
#include <cstdlib>
#include <cstring>

#include "workloads/ptx/text/ptx_error.h"

namespace heddle::ptx {

namespace {

bool is_name_start(char c) {
  return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '$' || c == '%';
}
bool is_name_part(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '$'; }
bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }
bool is_hex_digit(char c) { return std::isxdigit(static_cast<unsigned char>(c)) != 0; }

class Lexer {
 public:
  Lexer(std::string_view text, const std::string& file) : text_(text), file_(file) {}

  std::vector<Token> run() {
    std::vector<Token> tokens;
    tokens.reserve(text_.size() / 4 + 1);
    for (;;) {
      skip_blanks();
      tokens.push_back(next());
      if (tokens.back().kind == Token::Kind::kEnd) {
        return tokens;
      }
    }
  }

 private:
  char peek(std::size_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }

  Position here() const { return {line_, static_cast<std::uint32_t>(at_ - line_start_ + 1)}; }

  [[noreturn]] void fail(const std::string& message) const {
    throw PtxError(file_, here().line, here().column, message);
  }

  /// '\n', and '\r' alone.
  bool at_line_end() const { return peek() == '\n' || (peek() == '\r' && peek(1) != '\n'); }

  void advance() {
    if (at_line_end()) {
      ++line_;
      line_start_ = at_ + 1;
    }
    ++at_;
  }

  void skip_line() {
    while (at_ < text_.size() && !at_line_end()) {
      advance();
    }
  }

  void skip_blanks() {
    while (at_ < text_.size()) {
      if (std::isspace(static_cast<unsigned char>(peek())) != 0) {
        advance();
      } else if ((peek() == '/' && peek(1) == '/') || (peek() == '#' && at_ == line_start_)) {
        skip_line();
      } else if (peek() == '/' && peek(1) == '*') {
        skip_block_comment();
      } else {
        return;
      }
    }
  }

  void skip_block_comment() {
    const std::size_t end = text_.find("*/", at_ + 2);
    if (end == std::string_view::npos) {
      fail("found a comment that starts with '/*', expected its end '*/'");
    }
    while (at_ < end + 2) {
      advance();
    }
  }

  Token make(Token::Kind kind, std::size_t length) {
    Token token{kind, text_.substr(at_, length), here(), 0};
    at_ += length;
    return token;
  }

  Token next() {
    const char c = peek();
    if (c == '\0') {
      if (at_ < text_.size()) {
        fail("found a zero byte, expected PTX text");
      }
      return make(Token::Kind::kEnd, 0);
    }
    if (is_name_start(c)) {
      return name();
    }
    if (is_digit(c)) {
      return number();
    }
    if (c == '.' && (is_name_start(peek(1)) || is_digit(peek(1)))) {
      return dotted();
    }
    if (c == '"') {
      return string();
    }
    if ((c == '<' && peek(1) == '<') || (c == '>' && peek(1) == '>')) {
      return make(Token::Kind::kPunctuation, 2);
    }
    if (std::strchr(",;:{}()[]<>+-*/=@!|&^~.?", c) != nullptr) {
      return make(Token::Kind::kPunctuation, 1);
    }
    const auto byte = static_cast<unsigned char>(c);
    fail(byte >= 0x7F || byte < 0x20 ? "found a byte that is not ASCII text, expected a PTX token"
                                     : std::string("found '") + c + "', expected a PTX token");
  }

  Token name() {
    std::size_t length = 1;
    while (is_name_part(peek(length))) {
      ++length;
    }
    return make(Token::Kind::kIdentifier, length);
  }

  Token dotted() {
    std::size_t length = 1;
    while (is_name_part(peek(length)) || (peek(length) == ':' && peek(length + 1) == ':') ||
           (peek(length) == ':' && peek(length - 1) == ':')) {
      ++length;
    }
    Token token = make(Token::Kind::kDotted, length);
    token.text.remove_prefix(1);
    return token;
  }

  Token string() {
    std::size_t length = 1;
    while (peek(length) != '"') {
      if (peek(length) == '\0' || peek(length) == '\n') {
        fail("found a string without its closing quote");
      }
      length += peek(length) == '\\' ? 2 : 1;
    }
    Token token = make(Token::Kind::kString, length + 1);
    token.text = token.text.substr(1, token.text.size() - 2);
    return token;
  }

  Token number() {
    const char second = peek(1);
    if (peek() == '0' && (second == 'f' || second == 'F')) {
      return float_bits(Token::Kind::kFloat32, 8);
    }
    if (peek() == '0' && (second == 'd' || second == 'D')) {
      return float_bits(Token::Kind::kFloat64, 16);
    }
    std::size_t length = 0;
    while (is_name_part(peek(length)) && peek(length) != '$') {
      ++length;
    }
    const bool prefixed = peek() == '0' && std::strchr("xXbB", second) != nullptr && second != '\0';
    if (!prefixed && ((peek(length) == '.' && is_digit(peek(length + 1))) ||
                      text_.substr(at_, length).find_first_of("eE") != std::string_view::npos)) {
      return decimal_float();
    }
    return integer(length);
  }

  Token float_bits(Token::Kind kind, std::size_t digits) {
    std::size_t length = 2;
    while (is_hex_digit(peek(length))) {
      ++length;
    }
    if (length != digits + 2) {
      fail("found the floating-point literal '" + std::string(text_.substr(at_, length)) + "', expected " +
           std::to_string(digits) + " hexadecimal digits after '" + std::string(text_.substr(at_, 2)) + "'");
    }
    Token token = make(kind, length);
    std::from_chars(token.text.data() + 2, token.text.data() + length, token.value, 16);
    return token;
  }

  Token decimal_float() {
    std::size_t length = 0;
    while (is_digit(peek(length)) || peek(length) == '.') {
      ++length;
    }
    if (peek(length) == 'e' || peek(length) == 'E') {
      ++length;
      length += peek(length) == '+' || peek(length) == '-' ? 1 : 0;
      while (is_digit(peek(length))) {
        ++length;
      }
    }
    Token token = make(Token::Kind::kFloat64, length);
    const double value = std::strtod(std::string(token.text).c_str(), nullptr);
    std::memcpy(&token.value, &value, sizeof value);
    return token;
  }

  Token integer(std::size_t length) {
    std::string_view digits = text_.substr(at_, length);
    if (digits.back() == 'U' || digits.back() == 'u') {
      digits.remove_suffix(1);
    }
    int base = 10;
    if (digits.size() > 1 && digits.front() == '0') {
      const char second = digits[1];
      base = second == 'x' || second == 'X' ? 16 : second == 'b' || second == 'B' ? 2 : 8;
      digits.remove_prefix(base == 8 ? 1 : 2);
    }
    std::uint64_t value = 0;
    const char* end = digits.data() + digits.size();
    const auto [stop, error] = std::from_chars(digits.data(), end, value, base);
    if (stop != end || error != std::errc()) {
      fail("found '" + std::string(text_.substr(at_, length)) + "', expected an integer of at most 64 bits");
    }
    Token token = make(Token::Kind::kInteger, length);
    token.value = value;
    return token;
  }

  std::string_view text_;
  const std::string& file_;
  std::size_t at_ = 0;
  std::size_t line_start_ = 0;
  std::uint32_t line_ = 1;
};

}  // namespace

std::vector<Token> tokenize(std::string_view text, const std::string& file) {
  return Lexer(text, file).run();
}

}  // namespace heddle::ptx
