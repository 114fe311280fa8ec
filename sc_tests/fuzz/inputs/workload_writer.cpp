#include "sc_tests/fuzz/inputs/workload_writer.h"

#include <array>
#include <vector>

#include "sc_tests/fuzz/inputs/expression_writer.h"

namespace heddle::fuzz {

namespace {

constexpr std::array<const char*, 10> kTypes = {"u32", "f32", "i32", "u64", "f64",
                                                "i64", "u16", "i8",  "u8",  "i16"};
constexpr std::array<const char*, 6> kCounts = {"64", "256", "n", "2 * n", "n + 1", "ceil_div(n, 3)"};

struct Buffer {
  std::string name;
  std::string type;
  std::string count;
};

class Writer {
 public:
  explicit Writer(test::ChoiceStream& choices) : choices_(choices) {}

  std::string write() {
    several_ = choices_.one_in(3);
    text_ = several_ ? "ptx: [kernels.ptx, more.ptx]\n" : "ptx: kernels.ptx\n";
    if (choices_.one_in(4)) text_ += "name: w" + number(100) + "\n";
    write_parameters();
    write_buffers();
    if (choices_.one_in(3)) write_textures();
    if (choices_.one_in(4)) {
      text_ += "streams:\n";
      for (unsigned stream = choices_.between(1, 3); stream > 0; --stream) {
        text_ += "  - name: s" + std::to_string(stream) + "\n";
        if (choices_.one_in(2)) text_ += "    arrival_cycles: " + number(200) + "\n";
        text_ += "    launches:\n";
        write_sample("      ");
        write_statements(6, 0);
      }
    } else {
      text_ += "launches:\n";
      write_sample("  ");
      write_statements(2, 0);
    }
    write_checks();
    return text_;
  }

 private:
  static constexpr unsigned kMostNested = 2;

  std::string number(unsigned count) { return std::to_string(choices_.below(count)); }
  std::string quoted(const std::string& text) { return '"' + text + '"'; }
  std::string expression(const std::vector<std::string>& names) {
    return quoted(write_expression(choices_, names));
  }
  /// A value that is seldom out of what is wanted.
  std::string value() { return choices_.one_in(16) ? expression(names_) : number(64); }
  const std::string& buffer() { return choices_.one_of(buffers_).name; }
  /// One that may be swapped with the buffer.
  const std::string& buffer_like(const std::string& name) {
    std::vector<const Buffer*> alike;
    for (const Buffer& buffer : buffers_) {
      if (buffer.name == name) alike.insert(alike.begin(), &buffer);
    }
    for (const Buffer& buffer : buffers_) {
      if (buffer.type == alike[0]->type && buffer.count == alike[0]->count) alike.push_back(&buffer);
    }
    return choices_.one_of(alike)->name;
  }

  void write_parameters() {
    text_ += "parameters: {n: " + std::to_string(1 + choices_.below(200));
    names_.emplace_back("n");
    for (unsigned more = choices_.below(3); more > 0; --more) {
      const std::string name = "p" + std::to_string(more);
      text_ += ", " + name + ": " + (choices_.one_in(8) ? expression(names_) : number(64));
      names_.push_back(name);
    }
    text_ += "}\n";
    if (choices_.one_in(4)) text_ += "sizes: {small: {n: " + number(16) + "}, large: {n: 1024}}\n";
  }

  void write_buffers() {
    text_ += "buffers:\n";
    for (unsigned count = choices_.between(2, 4); count > 0; --count) {
      const Buffer buffer{"b" + std::to_string(count), choices_.one_of(kTypes), choices_.one_of(kCounts)};
      buffers_.push_back(buffer);
      text_ += "  " + buffer.name + ": {type: " + buffer.type + ", count: " + quoted(buffer.count) +
               init(buffer.type) + set() + "}\n";
    }
    if (several_) write_symbols();
  }

  /// 1 to `most`; seldom 0, which is too few.
  std::string some(unsigned most) {
    return std::to_string(choices_.one_in(32) ? 0 : 1 + choices_.below(most));
  }

  /// Buffers that lie in variables of the PTX, one of them a table of pointers.
  void write_symbols() {
    text_ += "  w: {symbol: weights, type: " + std::string(choices_.one_of(kTypes));
    if (choices_.one_in(2))
      text_ += ", offset: " + std::to_string(8 * choices_.below(8)) + ", count: " + some(24);
    if (choices_.one_in(2)) text_ += ", init: {formula: i % 100}";
    text_ += "}\n  t: {symbol: total, type: u32, ptx: more.ptx";
    if (choices_.one_in(2)) text_ += ", set: [{index: 0, value: " + value() + "}]";
    const std::string address = "{buffer: " + buffer() + ", offset: ";
    text_ += "}\n  p: {symbol: places, type: u64, init: {addresses: " +
             (choices_.one_in(2) ? address + "4 * i}" : "[" + buffer() + ", " + address + value() + "}]") +
             "}}\n";
  }

  /// A reference of the kernels and an object, in each kind of memory.
  void write_textures() {
    constexpr std::array<const char*, 8> kFormats = {"f32",   "u8x4", "f32x4", "i16x2",
                                                     "f32x2", "i8",   "u16",   "i32x4"};
    constexpr std::array<const char*, 4> kAddresses = {"clamp", "border", "wrap", "[mirror, clamp]"};
    has_textures_ = true;
    text_ += "  image: {type: f32, count: 1024, init: {formula: \"hash(i) % 100 - 50\"}}\n";
    text_ += "textures:\n  picture: {buffer: image, memory: ";
    text_ += choices_.one_in(2) ? "array"
                                : "pitched, pitch_bytes: " + std::to_string(256 + 32 * choices_.below(8));
    text_ += ", width: " + some(16) + ", height: " + some(8) + ", format: ";
    const std::string format = choices_.one_of(kFormats);
    text_ += format;
    const bool small = format.find('8') != std::string::npos || format.find('6') != std::string::npos;
    const bool reals = small ? !choices_.one_in(4) : format[0] == 'f';
    if (small && reals) text_ += ", read: normalized_float";
    if (reals && choices_.one_in(2)) text_ += ", filter: linear";
    const std::uint32_t address = choices_.below(4);
    if (address >= 2 || choices_.one_in(2)) text_ += ", normalized: true";
    text_ += std::string(", address: ") + kAddresses.at(address);
    text_ += "}\n  row: {buffer: " + std::string(choices_.one_in(2) ? "image" : buffer()) +
             ", memory: linear, width: " + some(16) + ", format: f32}\n";
  }

  std::string init(const std::string& type) {
    const bool is_real = type[0] == 'f';
    switch (choices_.below(16)) {
      case 1:
        return ", init: " + number(100);
      case 2:
        return ", init: {value: " + value() + "}";
      case 3:
        return ", init: {formula: \"hash(i) % 100\"}";
      case 4: {
        std::vector<std::string> names = names_;
        names.emplace_back("i");
        return ", init: {formula: " + expression(names) + "}";
      }
      case 5:
        return ", init: {lcg: {seed: " + value() + ", low: 0, high: 100}}";
      case 6:
        return ", init: {random: {seed: " + value() + "}}";
      case 7:
        return is_real ? "" : ", init: {chase: " + value() + "}";
      case 8:
        return type == "u64" ? ", init: {pointer_chase: 8}" : "";
      default:
        return "";
    }
  }

  std::string set() {
    return choices_.one_in(5) ? ", set: [{index: " + number(16) + ", value: " + value() + "}]" : "";
  }

  /// A value, or the element of a buffer.
  std::string written() { return choices_.one_in(3) ? '"' + buffer() + '[' + number(16) + "]\"" : value(); }

  /// What a part of a buffer is filled with.
  std::string filled() {
    switch (choices_.below(6)) {
      case 0:
        return "formula: \"i + " + number(16) + '"';
      case 1:
        return "formula: \"" + buffer() + "[i] + " + number(16) + '"';
      case 2:
        return "lcg: {seed: " + number(9) + ", low: 0, high: 100}";
      case 3:
        return "random: {seed: " + value() + "}";
      default:
        return "value: " + written();
    }
  }

  /// A launch that has the texture object, which somebody has to have.
  void write_sample(const char* margin) {
    if (!has_textures_) return;
    text_ += std::string(margin) + "- {kernel: sample, grid: 1, block: 32, args: [" + buffer() +
             ", {texture: row}]}\n";
  }

  void write_statements(unsigned indent, unsigned nested) {
    for (unsigned count = choices_.between(1, 3); count > 0; --count) write_statement(indent, nested);
  }

  void write_statement(unsigned indent, unsigned nested) {
    const std::string margin(indent, ' ');
    const std::uint32_t kind = choices_.below(10);
    if (kind == 4) {
      text_ +=
          margin + "- set: {buffer: " + buffer() + ", index: " + number(32) + ", value: " + written() + "}\n";
    } else if (kind == 8) {
      text_ += margin + "- fill: {buffer: " + buffer() + ", first: " + number(32) +
               (choices_.one_in(2) ? ", count: " + number(32) : "") + ", " + filled() + "}\n";
    } else if (kind == 9) {
      const std::string from = buffer();
      text_ += margin + "- copy: {from: {buffer: " + from + ", first: " + number(16) +
               "}, to: " + buffer_like(from) + ", count: " + number(16) + "}\n";
    } else if (kind == 5) {
      const std::string first = buffer();
      text_ += margin + "- swap: [" + first + ", " + buffer_like(first) + "]\n";
    } else if (kind == 6 && nested < kMostNested) {
      const std::string variable = "k" + std::to_string(nested);
      text_ += margin + "- repeat:\n" + margin + "    count: " + number(4) + "\n" + margin +
               "    as: " + variable + "\n" + margin + "    launches:\n";
      write_body(indent + 6, nested + 1, variable);
    } else if (kind == 7 && nested < kMostNested) {
      const std::string variable = "k" + std::to_string(nested);
      constexpr std::array<const char*, 4> kConditions = {"not_equal", "equal", "less", "greater"};
      text_ += margin + "- while:\n" + margin + "    buffer: " + buffer() + "\n" + margin + "    index: 0\n" +
               margin + "    " + choices_.one_of(kConditions) + ": " + number(4) + "\n" + margin +
               "    at_most: " + number(8) + "\n" + margin + "    as: " + variable + "\n" +
               (choices_.one_in(2) ? margin + "    do: true\n" : "") + margin + "    launches:\n";
      write_body(indent + 6, nested + 1, variable);
    } else {
      text_ += margin + "- " + launch() + "\n";
    }
  }

  void write_body(unsigned indent, unsigned nested, const std::string& variable) {
    names_.push_back(variable);
    write_statements(indent, nested);
    names_.pop_back();
  }

  std::string launch() {
    constexpr std::array<const char*, 5> kBlocks = {"32", "64", "20", "[8, 4]", "\"min(n, 96)\""};
    constexpr std::array<const char*, 4> kGrids = {"1", "2", "[2, 2]", "\"ceil_div(n, 64)\""};
    std::string kernel;
    switch (choices_.below(6 + (has_textures_ ? 2 : 0) + (several_ ? 3 : 0))) {
      case 6:
        if (has_textures_) {
          kernel = "sample";
          arguments_ = buffer() + ", {texture: row}";
          break;
        }
        [[fallthrough]];
      case 7:
        if (several_) {
          kernel = "weigh";
          arguments_ = buffer();
        } else {
          kernel = "sample";
          arguments_ = buffer() + ", {texture: " + (choices_.one_in(4) ? "picture}" : "row}");
        }
        break;
      case 8:
      case 9:
      case 10:
        kernel = choices_.one_in(3) ? "weigh" : "follow";
        arguments_ = kernel == "weigh" ? buffer() : "p, " + number(10);
        break;
      case 0:
        kernel = "copy";
        arguments_ = buffer() + ", " + buffer() + ", " +
                     (choices_.one_in(6) ? '"' + buffer() + "[0] % 64\"" : number(64));
        break;
      case 1:
        kernel = "scale";
        arguments_ = pointer() + ", 2.5, " + value();
        break;
      case 2:
        kernel = several_ ? "count, ptx: " + std::string(choices_.one_in(2) ? "more.ptx" : "kernels.ptx")
                          : "count";
        arguments_ = pointer() + ", " + value();
        break;
      case 3:
        kernel = "members";
        arguments_ = "{struct: [{i32: " + value() + "}, {f64: 0.5}]}, " + buffer();
        break;
      case 4:
        kernel = "kinds";
        arguments_ = buffer() + ", {i64: " + value() + "}, 1.5, {u16: 7}, {u8: " + number(300) + "}";
        break;
      default:
        kernel = "meet";
        arguments_ = buffer();
    }
    std::string more = kernel == "meet" ? ", shared_bytes: 4096" : "";
    if (choices_.one_in(6)) more += ", registers: " + number(64);
    const std::string grid =
        choices_.one_in(8) ? "\"" + buffer() + "[" + number(8) + "] % 3 + 1\"" : choices_.one_of(kGrids);
    return "{kernel: " + kernel + ", grid: " + grid + ", block: " + choices_.one_of(kBlocks) + more +
           ", args: [" + arguments_ + "]}";
  }

  std::string pointer() {
    return choices_.one_in(4) ? "{buffer: " + buffer() + ", offset: " + number(64) + "}" : buffer();
  }

  void write_checks() {
    if (!choices_.one_in(2)) return;
    text_ += "checks:\n";
    for (unsigned count = choices_.between(1, 2); count > 0; --count) {
      text_ += "  - {buffer: " + buffer() + ", sum: " + value();
      if (choices_.one_in(3)) {
        text_ += ", first: " + number(32) + (choices_.one_in(2) ? ", count: " + some(8) : "") +
                 (choices_.one_in(2) ? ", stride: " + some(4) : "");
      }
      if (choices_.one_in(2)) text_ += ", relative: 1e-6";
      if (choices_.one_in(2)) text_ += ", absolute: " + number(4);
      text_ += "}\n";
    }
  }

  test::ChoiceStream& choices_;
  std::string text_;
  std::string arguments_;
  bool several_ = false;  ///< the second PTX file too
  bool has_textures_ = false;
  std::vector<std::string> names_;  ///< of parameters and loops around
  std::vector<Buffer> buffers_;
};

}  // namespace

std::string write_workload(test::ChoiceStream& choices) { return Writer(choices).write(); }

}  // namespace heddle::fuzz
