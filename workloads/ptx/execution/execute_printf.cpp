#include "workloads/ptx/execution/execute_printf.h"

#include <fmt/format.h>

#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "workloads/ptx/execution/thread_block.h"
#include "workloads/ptx/isa/limits.h"

namespace heddle::ptx {
namespace {

std::FILE*& printed() {
  static std::FILE* stream = stdout;
  return stream;
}

template <class V>
std::string format_one(const std::string& specifier, V value) {
  const int length = std::snprintf(nullptr, 0, specifier.c_str(), value);
  if (length < 0) return specifier;
  std::vector<char> buffer(static_cast<std::size_t>(length) + 1);
  std::snprintf(buffer.data(), buffer.size(), specifier.c_str(), value);
  return {buffer.data(), static_cast<std::size_t>(length)};
}

/// One conversion of a format string: flags, width and precision, length modifier, letter.
struct Conversion {
  std::string flags;
  bool is_long = false;
  char letter = 0;
  std::size_t end = 0;
};

/// Its numbers, width and precision, take memory.
void check_field(const std::string& flags) {
  for (std::size_t at = 0; at < flags.size();) {
    std::size_t digits = 0;
    const std::size_t begin = at;
    for (; at < flags.size() && flags[at] >= '0' && flags[at] <= '9'; ++at)
      digits += flags[at] != '0' || digits != 0;
    if (at == begin) {
      ++at;
      continue;
    }
    const std::string number = flags.substr(at - digits, digits);
    const std::size_t most_digits = std::to_string(limits::kPrintfField).size();
    if (digits > most_digits || (digits != 0 && std::stoul(number) > limits::kPrintfField)) {
      throw MessageError(
          over_limit("a field of " + number + " characters in a format", limits::kPrintfField));
    }
  }
}

Conversion parse_conversion(const std::string& format, std::size_t percent,
                            const std::function<std::uint64_t(unsigned)>& argument) {
  Conversion conversion;
  std::size_t at = percent + 1;
  while (at < format.size() && std::strchr("-+ #0123456789.*", format[at]) != nullptr) {
    if (format[at] == '*') {
      conversion.flags += std::to_string(static_cast<std::int32_t>(argument(4)));
    } else {
      conversion.flags += format[at];
    }
    ++at;
  }
  while (at < format.size() && std::strchr("hlzjt", format[at]) != nullptr) {
    if (format[at] != 'h') conversion.is_long = true;
    ++at;
  }
  if (at < format.size()) conversion.letter = format[at++];
  conversion.end = at;
  check_field(conversion.flags);
  return conversion;
}

std::string convert(const Conversion& conversion, const std::string& source,
                    const std::function<std::uint64_t(unsigned)>& argument,
                    const std::function<std::string(std::uint64_t)>& text) {
  const std::string prefix = "%" + conversion.flags;
  switch (conversion.letter) {
    case 'd':
    case 'i': {
      const std::uint64_t bits = argument(conversion.is_long ? 8 : 4);
      const auto value = conversion.is_long ? static_cast<std::int64_t>(bits)
                                            : std::int64_t{static_cast<std::int32_t>(bits)};
      return format_one(prefix + "lld", static_cast<long long>(value));
    }
    case 'u':
    case 'o':
    case 'x':
    case 'X':
      return format_one(prefix + "ll" + conversion.letter,
                        static_cast<unsigned long long>(argument(conversion.is_long ? 8 : 4)));
    case 'c':
      return format_one(prefix + "c", static_cast<int>(argument(4)));
    case 'p':
      return format_one(prefix + "s",
                        format_one("0x%llx", static_cast<unsigned long long>(argument(8))).c_str());
    case 's':
      return format_one(prefix + "s", text(argument(8)).c_str());
    case '%':
      return "%";
    case 'a':
    case 'A':
    case 'e':
    case 'E':
    case 'f':
    case 'F':
    case 'g':
    case 'G': {
      const std::uint64_t bits = argument(8);
      double value = 0;
      std::memcpy(&value, &bits, sizeof(value));
      return format_one(prefix + conversion.letter, value);
    }
    default:
      return source;
  }
}

}  // namespace

std::string format_message(const std::string& format, const std::function<std::uint64_t(unsigned)>& argument,
                           const std::function<std::string(std::uint64_t)>& text) {
  std::string message;
  std::size_t at = 0;
  while (at < format.size()) {
    const std::size_t percent = format.find('%', at);
    message.append(format, at, percent - at);
    if (percent == std::string::npos) break;
    const Conversion conversion = parse_conversion(format, percent, argument);
    message += convert(conversion, format.substr(percent, conversion.end - percent), argument, text);
    if (message.size() > limits::kPrintfMessage)
      throw MessageError(over_limit("a message of " + std::to_string(message.size()) + " characters",
                                    limits::kPrintfMessage));
    at = conversion.end;
  }
  return message;
}

void print_to(std::FILE* stream) { printed() = stream; }

void BlockState::print(Warp& warp, const BoundOperation& bound) {
  const Operand& result = bound.operation->dst[0];
  for (LaneMask left = warp.context.active; left != 0; left &= left - 1) {
    const auto lane = static_cast<unsigned>(__builtin_ctz(left));
    const std::uint64_t arguments = source_value(warp.context, bound, 1, lane);
    std::uint64_t offset = 0;
    std::uint32_t count = 0;
    const auto next_argument = [&](unsigned bytes) {
      offset = (offset + bytes - 1) / bytes * bytes;
      std::uint64_t value = 0;
      read(warp, bound, lane, arguments + offset, &value, bytes);
      offset += bytes;
      ++count;
      return value;
    };
    std::string message;
    try {
      message = format_message(string_at(warp, bound, lane, source_value(warp.context, bound, 0, lane)),
                               next_argument,
                               [&](std::uint64_t address) { return string_at(warp, bound, lane, address); });
    } catch (const MessageError& error) {
      fault(warp, bound, lane, error.what());
    }
    std::fwrite(message.data(), 1, message.size(), printed());
    if (bound.operation->num_dst > 0 && result.kind == Operand::Kind::kRegister) {
      std::memcpy(
          warp.context.bases[kRegisterRows] + std::size_t{result.slot} * kRowBytes + lane * sizeof(count),
          &count, sizeof(count));
    }
  }
}

void BlockState::trap(Warp& warp, const BoundOperation& bound) {
  const auto lane = static_cast<unsigned>(__builtin_ctz(warp.context.active));
  if (bound.operation->num_src < 3) fault(warp, bound, lane, "the program trapped");
  const std::string message = string_at(warp, bound, lane, source_value(warp.context, bound, 0, lane));
  const std::string file = string_at(warp, bound, lane, source_value(warp.context, bound, 1, lane));
  fault(warp, bound, lane,
        "assertion '" + message + "' failed at " + file + ":" +
            std::to_string(source_value(warp.context, bound, 2, lane)));
}

std::string BlockState::string_at(const Warp& warp, const BoundOperation& bound, unsigned lane,
                                  std::uint64_t address) const {
  std::string text;
  for (;;) {
    char character = 0;
    read(warp, bound, lane, address + text.size(), &character, 1);
    if (character == 0) return text;
    text += character;
    if (text.size() > limits::kPrintfString) {
      fault(warp, bound, lane,
            over_limit(
                fmt::format("a string of more than {} characters at {:#x}", limits::kPrintfString, address),
                limits::kPrintfString));
    }
  }
}

}  // namespace heddle::ptx
