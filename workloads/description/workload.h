#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "workloads/description/marked_expression.h"
#include "workloads/description/texture_spec.h"
#include "workloads/description/workload_error.h"
#include "workloads/expression/element_type.h"
#include "workloads/expression/expression.h"

namespace heddle {

/// How a buffer's elements get their values.
struct BufferInit {
  enum class Kind : std::uint8_t {
    kNone,  ///< they stay what they are: zeros, or in a symbol what the PTX says
    kValue,
    kFormula,
    kLcg,
    kRandom,
    kChase,
    kPointerChase,
    kAddresses,  ///< of other buffers
    kFile,
  };
  /// An address in a buffer.
  struct Address {
    std::string buffer;
    SourceMark mark;
    MarkedExpression offset;  ///< bytes from its start
  };
  Kind kind = Kind::kNone;
  SourceMark mark;
  MarkedExpression value;  ///< kValue, kFormula (of i), kChase (elements), kPointerChase (bytes)
  MarkedExpression seed;   ///< kLcg, kRandom
  MarkedExpression low;
  MarkedExpression high;
  std::string path;  ///< kFile: resolved against the workload file's folder
  /// kAddresses: a table, or with value_of_index one whose offset is an expression of i.
  std::vector<Address> addresses;
  bool value_of_index = false;
};

struct ElementWrite {
  MarkedExpression index;
  MarkedExpression value;
};

/// One of the PTX files of a workload.
struct PtxFile {
  std::string name;  ///< as the workload calls it
  std::string path;  ///< resolved against the workload file's folder
  SourceMark mark;
};

/// Index into Workload::ptx; not set: the only file that has what is looked for.
using PtxChoice = std::optional<std::size_t>;

/// A module-scope variable of the PTX (.global or .const), in which a buffer lies.
struct SymbolSpec {
  std::string name;
  SourceMark mark;
  PtxChoice ptx;
  MarkedExpression offset;  ///< of the buffer's first element in it, in bytes
};

struct BufferSpec {
  std::string name;
  SourceMark mark;
  ElementType type = ElementType::kF32;
  std::optional<MarkedExpression> count;  ///< not set: as many as the rest of the symbol holds
  std::optional<SymbolSpec> symbol;       ///< not set: it has memory of its own
  BufferInit init;
  std::vector<ElementWrite> sets;  ///< applied after init, before anything runs
};

/// One kernel argument.
struct Argument {
  enum class Kind : std::uint8_t {
    kBuffer,   ///< address of a buffer plus an offset in bytes
    kScalar,   ///< a value of the type given
    kNumber,   ///< a value that takes the kernel parameter's type
    kStruct,   ///< members laid out with natural alignment
    kTexture,  ///< handle of a texture object
  };
  Kind kind = Kind::kNumber;
  SourceMark mark;
  std::string buffer;  ///< of kTexture: the texture
  ElementType type = ElementType::kI32;
  MarkedExpression value;  ///< the scalar's value, or the offset in bytes from the buffer's start
  std::vector<Argument> members;
};

struct LaunchStatement {
  std::string kernel;
  PtxChoice ptx;
  std::array<MarkedExpression, 3> grid;
  std::array<MarkedExpression, 3> block;
  MarkedExpression shared_bytes;
  MarkedExpression registers;                      ///< per thread; 0 = from the liveness analysis
  std::optional<MarkedExpression> arrival_cycles;  ///< in a stream: core cycle at which it reaches the GPU
  std::vector<Argument> args;
};

struct SetStatement {
  std::string buffer;
  ElementWrite write;
};

/// Elements of a buffer one after the other.
struct BufferPart {
  std::string buffer;
  SourceMark mark;
  MarkedExpression first;                 ///< index
  std::optional<MarkedExpression> count;  ///< not set: to the buffer's end
};

struct FillStatement {
  BufferPart part;
  BufferInit init;
};

/// Copies as many bytes as `from` has to `to`, which says no count.
struct CopyStatement {
  BufferPart from;
  BufferPart to;
};

/// The two names exchange the memory that they refer to, as a host program swaps two pointers.
struct SwapStatement {
  std::array<std::string, 2> buffers;
};

struct Statement;

struct RepeatStatement {
  MarkedExpression count;
  std::string variable;  ///< counts 0, 1, ...; "" = none
  std::vector<Statement> body;
};

struct WhileStatement {
  enum class Condition : std::uint8_t { kEqual, kNotEqual, kLess, kGreater };
  std::string buffer;
  MarkedExpression index;
  Condition condition = Condition::kNotEqual;
  MarkedExpression value;
  MarkedExpression at_most;  ///< iterations after which a still true condition is an error
  bool test_at_end = false;  ///< do-while
  std::string variable;
  std::vector<Statement> body;
};

struct Statement {
  SourceMark mark;
  std::variant<LaunchStatement, SetStatement, FillStatement, CopyStatement, SwapStatement, RepeatStatement,
               WhileStatement>
      action;
};

/// A host program beside others: its launches run in order, and at the same time as those of other streams.
struct StreamSpec {
  std::string name;
  SourceMark mark;
  MarkedExpression arrival_cycles;  ///< core cycle of its first launch; 0 = at once
  std::vector<Statement> launches;
};

/// What a buffer, or a part of it, must hold at the end. An element passes when |got - expected| <= absolute
/// + relative * |expected|.
struct CheckSpec {
  enum class Kind : std::uint8_t { kReference, kFile, kSum };
  Kind kind = Kind::kReference;
  SourceMark mark;
  BufferPart part;
  MarkedExpression stride;  ///< from one checked element to the next; the part's count is of checked ones
  std::string reference;    ///< kReference: name of a built-in reference
  std::string path;         ///< kFile: resolved
  MarkedExpression sum;     ///< kSum: of all elements, added up in doubles
  MarkedExpression absolute;
  MarkedExpression relative;
};

/// A workload file, parsed and checked as far as that goes without its PTX: what runs, on what data, and
/// how the results are verified.
struct Workload {
  std::string name;
  std::string description;
  std::string file;
  std::vector<PtxFile> ptx;  ///< at least one
  /// In order; a parameter may refer to those before it.
  std::vector<std::pair<std::string, MarkedExpression>> parameters;
  /// Named sets of parameter values.
  std::map<std::string, std::map<std::string, std::int64_t>> sizes;
  std::vector<BufferSpec> buffers;  ///< in address order
  std::vector<TextureSpec> textures;
  std::vector<Statement> launches;  ///< empty when there are streams
  std::vector<StreamSpec> streams;  ///< of concurrent kernels
  std::vector<BufferPart> dumps;    ///< written to files after the end; each buffer at most once
  std::vector<CheckSpec> checks;

  /// Parameter values of a named size; "" and "default" change nothing. Throws std::invalid_argument naming
  /// the sizes that exist.
  std::map<std::string, std::int64_t> size_parameters(const std::string& size) const;
  /// The scope that expressions are evaluated in: every parameter, the overridden ones with their given
  /// values. Throws std::invalid_argument on an override of an unknown parameter, WorkloadError on a
  /// parameter that can't be evaluated.
  Scope scope(const std::map<std::string, std::int64_t>& overrides) const;
  /// Null when there is none.
  const BufferSpec* find_buffer(const std::string& buffer_name) const;
  std::vector<std::string> buffer_names() const;
  std::vector<std::string> parameter_names() const;
};

}  // namespace heddle
