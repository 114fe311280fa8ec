#include "sc_tests/support/kernel_generator.h"

#include <algorithm>
#include <array>

#include "sc_tests/support/kernel_instructions.h"

namespace heddle::test {

namespace {

constexpr const char* kModule = R"(.version 6.0
.target sm_70
.address_size 64
.const .align 4 .u32 tab[16] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 0xFFFFFFFF};
.global .align 4 .u32 words[4] = {0x7FFFFFFF, 0x80000000, 77, 0};
.global .texref line;
.global .texref rows;
.global .texref square;
.global .texref box;
.func (.reg .b32 %sum) twice(.reg .b32 %x, .reg .b32 %y)
{
add.s32 %sum, %x, %y;
add.s32 %sum, %sum, %x;
ret;
}
.func (.param .b32 result) bounded(.param .b32 value)
{
.reg .b32 %v;
.reg .pred %big;
ld.param.b32 %v, [value];
setp.gt.u32 %big, %v, 1000;
@!%big bra small;
rem.u32 %v, %v, 1000;
small:
st.param.b32 [result], %v;
ret;
}
.visible .entry k(.param .u64 in, .param .u64 out, .param .u64 sums, .param .u32 n)
{
.reg .b32 %r<8>;
.reg .b64 %l<4>;
.reg .b16 %h<4>;
.reg .f32 %f<4>;
.reg .f64 %d<4>;
.reg .pred %p<4>;
.reg .pred %again;
.reg .b32 %t<4>;
.reg .b64 %a<4>;
.reg .b32 %count<4>;
.reg .b32 %limit<4>;
.reg .b64 %in;
.reg .b64 %out;
.reg .b64 %sums;
.reg .b32 %thread;
.reg .b32 %mine;
.local .align 16 .b8 local[64];
.shared .align 4 .b8 exchange[384];
.shared .align 4 .u32 total[4];
ld.param.u64 %in, [in];
ld.param.u64 %out, [out];
ld.param.u64 %sums, [sums];
mov.u32 %thread, %tid.x;
mov.u32 %t0, %ctaid.x;
mov.u32 %t1, %ntid.x;
mad.lo.u32 %r4, %t0, %t1, %thread;
mad.wide.u32 %out, %r4, 128, %out;
mov.u32 %mine, exchange;
mad.lo.u32 %mine, %thread, 4, %mine;
and.b32 %t0, %r4, 63;
mad.wide.u32 %a0, %t0, 16, %in;
ld.global.v4.u32 {%r0, %r1, %r2, %r3}, [%a0];
mov.u32 %r5, %thread;
mov.u32 %r6, 1;
mov.u32 %r7, 0x80000000;
mov.b64 %l0, {%r0, %r1};
cvt.u64.u32 %l1, %r4;
mov.u64 %l2, 0;
mov.u64 %l3, -1;
mov.b32 %f0, %r1;
cvt.rn.f32.u32 %f1, %r4;
mov.f32 %f2, 0f3FC00000;
mov.f32 %f3, 0f00000000;
cvt.f64.f32 %d0, %f0;
cvt.rn.f64.s32 %d1, %r2;
mov.f64 %d2, 0d3FF8000000000000;
mov.b64 %d3, %l0;
cvt.u16.u32 %h0, %r0;
cvt.u16.u32 %h1, %r4;
mov.u16 %h2, 1;
mov.u16 %h3, 0x8000;
setp.lt.u32 %p0, %r0, %r1;
setp.eq.u32 %p1, %thread, 0;
setp.ne.u32 %p2, %r4, %r4;
setp.lt.u32 %p3, %thread, 16;
)";

/// Of shared memory, which the hardware leaves as it is.
constexpr const char* kClearTotals = R"(mov.u32 %t0, 0;
st.shared.u32 [total], %t0;
st.shared.u32 [total+4], %t0;
st.shared.u32 [total+8], %t0;
bar.sync 0;
)";

/// Every value register goes to memory.
constexpr const char* kEnd = R"(cvt.u32.u16 %t0, %h0;
xor.b32 %r0, %r0, %t0;
cvt.u32.u16 %t0, %h1;
xor.b32 %r1, %r1, %t0;
cvt.u32.u16 %t0, %h2;
xor.b32 %r2, %r2, %t0;
cvt.u32.u16 %t0, %h3;
xor.b32 %r3, %r3, %t0;
selp.b32 %t0, 1, 0, %p0;
xor.b32 %r4, %r4, %t0;
selp.b32 %t0, 1, 0, %p1;
xor.b32 %r5, %r5, %t0;
selp.b32 %t0, 1, 0, %p2;
xor.b32 %r6, %r6, %t0;
selp.b32 %t0, 1, 0, %p3;
xor.b32 %r7, %r7, %t0;
mov.b64 %a0, %d0;
xor.b64 %l0, %l0, %a0;
mov.b64 %a0, %d1;
xor.b64 %l1, %l1, %a0;
mov.b64 %a0, %d2;
xor.b64 %l2, %l2, %a0;
mov.b64 %a0, %d3;
xor.b64 %l3, %l3, %a0;
st.global.v4.u32 [%out+64], {%r0, %r1, %r2, %r3};
st.global.v4.u32 [%out+80], {%r4, %r5, %r6, %r7};
st.global.v2.u64 [%out+96], {%l0, %l1};
st.global.v2.u64 [%out+112], {%l2, %l3};
st.global.v4.f32 [%out+48], {%f0, %f1, %f2, %f3};
ret;
}
)";

/// One of each kind of memory, with filters, address modes and formats.
struct NamedTexture {
  const char* name;
  const char* description;
};
constexpr std::array<NamedTexture, 4> kTextures = {
    {{"line", "memory: linear, width: 256"},
     {"rows",
      "memory: pitched, width: 16, height: 8, pitch_bytes: 96, format: u8x4, read: normalized_float, "
      "filter: linear, address: border"},
     {"square", "memory: array, width: 20, height: 12"},
     {"box",
      "memory: array, width: 5, height: 6, depth: 7, format: i16x2, read: normalized_float, filter: "
      "linear, normalized: true, address: [wrap, mirror, clamp]"}}};

constexpr std::array<const char*, 16> kValues = {
    "0", "1",  "2",          "3",          "-1",         "31",   "32",  "33",
    "7", "64", "0x7FFFFFFF", "0x80000000", "0xFFFFFFFF", "1000", "255", "-32768"};
constexpr std::array<const char*, 8> kWideValues = {
    "0", "1", "-1", "3", "0x7FFFFFFFFFFFFFFF", "0x8000000000000000", "4096", "0xFFFFFFFF"};

/// The entry of a table with its places filled in, a line break after each line.
class Filler {
 public:
  explicit Filler(ChoiceStream& choices) : choices_(choices) {}

  std::string fill(std::string_view entry) {
    std::string text;
    for (std::size_t at = 0; at < entry.size(); ++at) {
      if (entry[at] == '@') {
        text += destination(entry[++at]);
      } else if (entry[at] == '#') {
        text += source(entry[++at]);
      } else {
        text += entry[at];
      }
    }
    return text + '\n';
  }

  std::string destination(char kind) { return numbered(kind, kind == 'r' ? 8 : 4); }

  std::string source(char kind) {
    switch (kind) {
      case 'i':
        return choices_.one_in(2) ? choices_.one_of(kValues) : destination('r');
      case 'j':
        return choices_.one_in(2) ? choices_.one_of(kWideValues) : destination('l');
      case 's':
        return choices_.one_in(4) ? destination('r') : std::to_string(choices_.below(64));
      case 'k':
        return std::to_string(choices_.below(32));
      case 'b':
        return std::to_string(choices_.below(256));
      case 'q':
        return (choices_.one_in(2) ? "!" : "") + destination('p');
      default:
        return destination(kind);
    }
  }

 private:
  std::string numbered(char kind, unsigned count) {
    return std::string("%") + kind + std::to_string(choices_.below(count));
  }

  ChoiceStream& choices_;
};

/// The statements of a kernel.
class Body {
 public:
  Body(ChoiceStream& choices, bool barriers) : choices_(choices), filler_(choices), barriers_(barriers) {}

  std::string write(unsigned statements) {
    left_ = statements;
    sequence(statements);
    return std::move(text_);
  }

 private:
  static constexpr unsigned kMostNested = 3;
  static constexpr unsigned kMostLoops = 2;
  static constexpr unsigned kMostRounds = 4;

  void sequence(unsigned statements) {
    for (unsigned i = 0; i < statements && left_ > 0 && !choices_.used_up(); ++i) statement();
  }

  void statement() {
    --left_;
    const std::uint32_t kind = choices_.below(16);
    if (kind < 9) {
      instruction();
    } else if (kind < 11 && barriers_ && uniform_) {
      line(filler_.fill(choices_.one_of(block_instructions())));
    } else if (kind < 13 && nested_ < kMostNested) {
      branch();
    } else if (kind < 15 && nested_ < kMostNested && loops_ < kMostLoops) {
      loop();
    } else if (kind == 15 && !barriers_ && choices_.one_in(4)) {
      line("@" + filler_.source('q') + " exit;\n");
    } else if (!leave_.empty() && choices_.one_in(3)) {
      line("@" + filler_.source('q') + " bra " + leave_ + ";\n");
    } else {
      instruction();
    }
  }

  void instruction() {
    const std::string text = filler_.fill(choices_.one_of(thread_instructions()));
    const bool single = std::count(text.begin(), text.end(), '\n') == 1;
    if (single && choices_.one_in(4)) line("@" + filler_.source('q') + " ");
    line(text);
  }

  /// A uniform one is taken by whole blocks.
  void branch() {
    const std::string number = std::to_string(labels_++);
    const bool by_block = choices_.one_in(3);
    if (by_block) {
      line("mov.u32 %t0, %ctaid.x;\nand.b32 %t0, %t0, 1;\nsetp.eq.u32 %again, %t0, 0;\n@%again bra else" +
           number + ";\n");
    } else {
      line("@" + filler_.source('q') + " bra else" + number + ";\n");
    }
    const bool uniform = uniform_;
    uniform_ = uniform && by_block;
    ++nested_;
    sequence(choices_.between(1, 4));
    if (choices_.one_in(2)) {
      line("bra.uni end" + number + ";\nelse" + number + ":\n");
      sequence(choices_.between(1, 4));
      line("end" + number + ":\n");
    } else {
      line("else" + number + ":\n");
    }
    --nested_;
    uniform_ = uniform;
  }

  void loop() {
    const std::string number = std::to_string(labels_++);
    const std::string level = std::to_string(loops_);
    const bool by_block = choices_.one_in(2);
    const std::string left = leave_;
    const bool uniform = uniform_;
    line("mov.u32 %count" + level + ", 0;\n");
    if (by_block) {
      line("mov.u32 %limit" + level + ", " + std::to_string(choices_.between(1, kMostRounds)) + ";\n");
    } else {
      line("and.b32 %limit" + level + ", " + filler_.source('r') + ", " + std::to_string(kMostRounds - 1) +
           ";\n");
      leave_ = "left" + number;
      uniform_ = false;
    }
    // A thread that leaves a loop by way of an outer one's label would leave this one's others behind.
    if (by_block) leave_.clear();
    line("again" + number + ":\n");
    ++nested_;
    ++loops_;
    sequence(choices_.between(1, 4));
    --loops_;
    --nested_;
    line("add.u32 %count" + level + ", %count" + level + ", 1;\nsetp.lt.u32 %again, %count" + level +
         ", %limit" + level + ";\n@%again bra again" + number + ";\n");
    if (!by_block) line("left" + number + ":\n");
    leave_ = left;
    uniform_ = uniform;
  }

  void line(const std::string& text) { text_ += text; }

  ChoiceStream& choices_;
  Filler filler_;
  bool barriers_;
  std::string text_;
  unsigned left_ = 0;  ///< statements that may still be written
  unsigned nested_ = 0;
  unsigned loops_ = 0;
  unsigned labels_ = 0;
  bool uniform_ = true;  ///< all threads of a block come by
  std::string leave_;    ///< label past the innermost loop, when threads may leave it one by one
};

}  // namespace

GeneratedKernel generate_kernel(ChoiceStream& choices) {
  constexpr std::array<std::uint32_t, 6> kThreads = {32, 1, 33, 64, 96, 20};
  GeneratedKernel kernel;
  kernel.threads_per_block = choices.one_of(kThreads);
  kernel.blocks = choices.between(1, 4);
  kernel.barriers = choices.one_in(2);
  kernel.ptx = kModule;
  if (kernel.barriers) kernel.ptx += kClearTotals;
  const unsigned statements = choices.between(0, 30);
  kernel.ptx += Body(choices, kernel.barriers).write(statements) + kEnd;
  return kernel;
}

std::string textures_of(std::string_view ptx) {
  std::string text;
  for (const NamedTexture& texture : kTextures) {
    if (ptx.find(std::string(".texref ") + texture.name + ";") == std::string_view::npos) continue;
    text += std::string("  ") + texture.name + ": {buffer: in, " + texture.description + "}\n";
  }
  return text.empty() ? "" : "textures:\n" + text;
}

std::string generate_instruction(ChoiceStream& choices) {
  Filler filler(choices);
  const InstructionTable& table = choices.one_in(16) ? block_instructions() : thread_instructions();
  return filler.fill(choices.one_of(table));
}

std::vector<std::string> kernels_of_single_instructions() {
  std::vector<std::string> kernels;
  for (const InstructionTable* const table : {&thread_instructions(), &block_instructions()}) {
    for (const std::string_view entry : *table) {
      ChoiceStream choices(std::string_view("\x01\x02\x03\x01\x03\x02\x01", 7));
      kernels.push_back(kModule + std::string(kClearTotals) + Filler(choices).fill(entry) + kEnd);
    }
  }
  return kernels;
}

}  // namespace heddle::test
