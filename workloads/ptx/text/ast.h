#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "workloads/ptx/isa/mnemonic.h"
#include "workloads/ptx/isa/operation.h"
#include "workloads/ptx/text/lexer.h"
#include "workloads/ptx/text/ptx_error.h"

namespace heddle::ptx::ast {

constexpr std::uint32_t kNoRegister = 0xFFFFFFFFU;

struct Function;
struct Variable;

/// One scalar of a variable's initialiser.
struct InitialValue {
  std::uint64_t element = 0;         ///< index in the variable, multi-dimensional ones flattened
  std::uint64_t bits = 0;            ///< in the variable's type; with a symbol: the constant added to it
  const Variable* symbol = nullptr;  ///< address of another variable
};

/// Variables without a value of their own: what a name stands for is bound from outside.
enum class Opaque : std::uint8_t { kNo, kTexture, kSampler, kSurface };

/// A variable of any space but .reg. Parameters of kernels, functions and calls are in Space::kParam.
struct Variable {
  std::string name;
  Space space = Space::kGlobal;
  Type type = Type::kB8;
  std::uint64_t bytes = 0;  ///< 0 for an array without a size (extern .shared)
  std::uint64_t alignment = 1;
  bool is_extern = false;
  Opaque opaque = Opaque::kNo;  ///< .texref, .samplerref, .surfref; the last two can't be used
  bool is_preset = false;       ///< a .texref with an initialiser, which can't be used
  std::vector<InitialValue> initial;
  std::string function;  ///< whose address it holds at first, itself or by a pointer: then it can't be used
  Position position;
};

struct Operand {
  enum class Kind : std::uint8_t {
    kRegister,
    kSpecial,
    kInteger,
    kFloat32,  ///< value: IEEE bits
    kFloat64,
    kSymbol,    ///< address of `symbol` plus `offset`
    kFunction,  ///< address of a function: can't be used
    kAddress,   ///< [reg or symbol or nothing, plus offset]; of tex: [.., elements]
    kVector,    ///< {elements}
    kPair,      ///< first|second
    kLabel,
    kSink,  ///< _
  };
  Kind kind = Kind::kSink;
  bool negated = false;  ///< !%p
  Special special = Special::kTidX;
  std::uint32_t reg = kNoRegister;  ///< index into Function::registers
  std::uint32_t target = 0;         ///< kLabel: index into Function::body
  std::uint64_t value = 0;
  std::int64_t offset = 0;
  const Variable* symbol = nullptr;
  std::vector<Operand> elements;
  std::string_view text;
  Position position;
};

struct Instruction {
  Position position;
  std::string text;  ///< the instruction in one line, blanks collapsed, without ';'
  std::uint32_t guard = kNoRegister;
  bool guard_inverted = false;
  Mnemonic mnemonic;
  /// Operands in order. Of a call: its arguments.
  std::vector<Operand> operands;
  std::vector<Operand> results;  ///< of a call
  const Function* callee = nullptr;
};

/// A formal parameter or result: a .param variable, or (old style) a register.
struct Formal {
  const Variable* variable = nullptr;
  std::uint32_t reg = kNoRegister;
};

constexpr unsigned kMostRegisters = 512;  ///< that .maxnreg is looked at for

struct Function {
  std::string name;
  bool is_entry = false;
  bool has_body = false;
  std::vector<Formal> results;
  std::vector<Formal> parameters;
  std::vector<Type> registers;
  std::vector<Instruction> body;
  /// Instructions before which .pragma "nounroll" stands: loops that begin there are not unrolled.
  std::vector<std::uint32_t> kept_loops;
  unsigned max_threads = 0;    ///< .maxntid or .reqntid product; 0 when there is none
  unsigned max_registers = 0;  ///< .maxnreg; 0 when there is none
  Position position;
  /// The first error in its parameters or its body, which is not read further then.
  std::optional<PtxError> error;
};

/// From this line of the PTX file on, up to the next mark, instructions are of a line of the program that it
/// was made of (.loc).
struct SourceMark {
  std::uint32_t at_line = 0;
  std::uint32_t file = 0;  ///< key of File::source_files
  std::uint32_t line = 0;  ///< 0: of none
};

/// A parsed file. Variables and functions keep their addresses.
struct File {
  std::string name;
  std::vector<SourceMark> source_marks;  ///< in the order of the file
  std::map<std::uint32_t, std::string> source_files;
  std::deque<Variable> variables;
  std::deque<Function> functions;
};

}  // namespace heddle::ptx::ast
