#include "workloads/ptx/load.h"

#include <algorithm>
#include <map>
#include <optional>

#include "base/input_file.h"
#include "workloads/ptx/allocation/register_count.h"
#include "workloads/ptx/allocation/spilling.h"
#include "workloads/ptx/isa/limits.h"
#include "workloads/ptx/isa/type_info.h"
#include "workloads/ptx/program/assembler.h"
#include "workloads/ptx/program/inliner.h"
#include "workloads/ptx/program/pressure.h"
#include "workloads/ptx/text/parser.h"

namespace heddle::ptx {

namespace {

[[noreturn]] void refuse(const std::string& file, Position position, const std::string& message) {
  throw PtxError(file, position.line, position.column, message);
}

bool is_module_data(const ast::Variable& variable) {
  return (variable.space == Space::kGlobal || variable.space == Space::kConst) && !variable.is_extern &&
         variable.opaque == ast::Opaque::kNo;
}

bool is_texture_reference(const ast::Variable& variable) {
  return variable.opaque == ast::Opaque::kTexture && variable.space == Space::kGlobal && !variable.is_extern;
}

VariableIndex index_variables(const ast::File& file) {
  VariableIndex index;
  std::unordered_map<std::string, std::uint32_t> defined;
  for (const ast::Variable& variable : file.variables) {
    if (is_module_data(variable)) {
      const auto number = static_cast<std::uint32_t>(index.size());
      index.emplace(&variable, number);
      defined.emplace(variable.name, number);
    }
  }
  std::uint32_t textures = 0;
  for (const ast::Variable& variable : file.variables) {
    if (is_texture_reference(variable)) index.emplace(&variable, textures++);
  }
  // What was read between an extern declaration and its definition refers to the declaration.
  for (const ast::Variable& variable : file.variables) {
    const auto found = defined.find(variable.name);
    if (variable.is_extern && found != defined.end()) {
      index.emplace(&variable, found->second);
    }
  }
  return index;
}

Variable make_variable(const std::string& file, const ast::Variable& parsed, const VariableIndex& index) {
  Variable variable;
  variable.name = parsed.name;
  variable.space = parsed.space;
  variable.bytes = parsed.bytes;
  variable.alignment = parsed.alignment;
  if (!parsed.initial.empty()) {
    variable.initial.assign(parsed.bytes, 0);
  }
  const unsigned width = bytes_of(parsed.type);
  for (const ast::InitialValue& value : parsed.initial) {
    const std::uint64_t offset = value.element * width;
    for (unsigned byte = 0; byte < width; ++byte) {
      variable.initial.at(offset + byte) = static_cast<std::uint8_t>(value.bits >> (8 * byte));
    }
    if (value.symbol == nullptr) continue;
    const auto found = index.find(value.symbol);
    if (found == index.end()) {
      refuse(file, parsed.position,
             "found the address of '" + value.symbol->name + "' in '" + parsed.name +
                 "', which is declared .extern in line " + std::to_string(value.symbol->position.line) +
                 " but nowhere defined in this file");
    }
    variable.pointers.emplace_back(offset, found->second);
  }
  return variable;
}

/// Before memory is taken for them.
void check_variables(const ast::File& parsed) {
  std::uint64_t number = 0;
  std::uint64_t const_end = 0;
  std::uint64_t initial = 0;
  for (const ast::Variable& variable : parsed.variables) {
    if (!is_module_data(variable)) continue;
    const auto check = [&](std::uint64_t found, std::uint64_t most, const std::string& what) {
      if (found > most) {
        refuse(parsed.name, variable.position,
               "variable '" + variable.name + "': " + over_limit(std::to_string(found) + " " + what, most));
      }
    };
    check(++number, limits::kModuleVariables, "variables so far");
    if (!variable.initial.empty()) initial += variable.bytes;
    check(initial, limits::kInitialBytes, "bytes of variables with initial values so far");
    if (variable.space != Space::kConst) continue;
    const_end = align_up(const_end, variable.alignment) + variable.bytes;
    check(const_end, limits::kConstBytes, "bytes of .const variables so far");
  }
}

std::vector<Code::Param> lay_out_params(const ast::Function& kernel, const std::string& file,
                                        std::unordered_map<const ast::Variable*, std::uint64_t>& offsets) {
  std::vector<Code::Param> params;
  std::uint64_t end = 0;
  for (const ast::Formal& formal : kernel.parameters) {
    if (formal.variable == nullptr) {
      refuse(file, kernel.position,
             "found a .reg parameter of kernel '" + kernel.name + "', expected .param");
    }
    const std::uint64_t offset = align_up(end, formal.variable->alignment);
    end = offset + formal.variable->bytes;
    if (end > limits::kParamBytes) {
      refuse(file, formal.variable->position,
             "parameters of kernel '" + kernel.name + "': " +
                 over_limit(std::to_string(end) + " bytes up to '" + formal.variable->name + "'",
                            limits::kParamBytes));
    }
    offsets.emplace(formal.variable, offset);
    params.push_back({formal.variable->name, formal.variable->type,
                      static_cast<unsigned>(formal.variable->bytes), static_cast<unsigned>(offset)});
  }
  return params;
}

void check_calls(const std::string& file, const ast::Function& kernel) {
  const Calls calls = look_at_calls(kernel);
  if (!calls.recursion.empty()) {
    refuse(file, kernel.position,
           "found recursion in kernel '" + kernel.name + "': " + calls.recursion +
               "; device functions are inlined, so they can't call themselves");
  }
  if (calls.depth > limits::kCallDepth) {
    refuse(file, kernel.position,
           "kernel '" + kernel.name +
               "': " + over_limit(std::to_string(calls.depth) + " calls in one another", limits::kCallDepth));
  }
}

unsigned least_limit(unsigned a, unsigned b) { return a == 0 || b == 0 ? std::max(a, b) : std::min(a, b); }

/// Tells the lines of the program that the PTX was made of, as far as its .loc directives do.
void tell_source(const ast::File& parsed, Program& program) {
  const std::vector<ast::SourceMark>& marks = parsed.source_marks;
  std::map<std::uint32_t, std::uint32_t> places;
  std::vector<SourceLine> source(program.code.size());
  for (std::size_t i = 0; i < source.size(); ++i) {
    auto mark = std::upper_bound(
        marks.begin(), marks.end(), program.code[i].line,
        [](std::uint32_t line, const ast::SourceMark& later) { return line < later.at_line; });
    if (mark == marks.begin() || (--mark)->line == 0) continue;
    const auto file = parsed.source_files.find(mark->file);
    if (file == parsed.source_files.end()) continue;
    const auto [place, is_new] =
        places.emplace(mark->file, static_cast<std::uint32_t>(program.source_files.size()));
    if (is_new) program.source_files.push_back(file->second);
    source[i] = {place->second, mark->line};
  }
  if (!places.empty()) program.source = std::move(source);
}

std::uint64_t operations_of(const Module& module) {
  std::uint64_t sum = 0;
  for (const std::vector<Code>* codes : {&module.kernels, &module.spilled}) {
    for (const Code& code : *codes) sum += code.operations.size();
  }
  return sum;
}

/// Enters the kernel in the module.
void load_kernel(const std::string& file, const ast::Function& kernel, const VariableIndex& index,
                 ParamAccesses& accesses, const CompileOptions& options, Module& module) {
  if (const ast::Function* const unreadable = find_unreadable(kernel)) throw PtxError(*unreadable->error);
  check_calls(file, kernel);
  std::unordered_map<const ast::Variable*, std::uint64_t> offsets;
  const std::vector<Code::Param> params = lay_out_params(kernel, file, offsets);
  const auto make = [&](VirtualCode lowered, unsigned registers) {
    Code code = assemble(file, kernel, std::move(lowered), registers);
    code.params = params;
    if (!params.empty()) code.program.param_bytes = params.back().offset + params.back().bytes;
    return code;
  };
  VirtualCode lowered = Inliner(file, kernel, index, accesses).run(offsets);
  const std::uint64_t operations = operations_of(module) + lowered.operations.size();
  if (operations > limits::kFileOperations) {
    refuse(file, kernel.position,
           "kernel '" + kernel.name + "': " +
               over_limit(std::to_string(operations) + " instructions of kernels so far",
                          limits::kFileOperations));
  }
  check_pressure(file, kernel, lowered);
  const auto told = options.registers.find(kernel.name);
  const unsigned wanted =
      told != options.registers.end() ? told->second : count_registers(lowered, Effort::kFast).registers;
  const unsigned limit = least_limit(options.max_registers, kernel.max_registers);
  const unsigned registers = limit == 0 ? wanted : std::min(wanted, limit);
  std::optional<Code> spilled;
  if (wanted > registers && count_registers(lowered, Effort::kSmall).registers > registers)
    spilled = make(spill(file, kernel, lowered, registers), registers);
  module.kernels.push_back(make(std::move(lowered), registers));
  if (spilled) module.spilled.push_back(std::move(*spilled));
}

}  // namespace

const Code* Module::find(const std::string& entry) const {
  const auto found = std::find_if(kernels.begin(), kernels.end(),
                                  [&](const Code& code) { return code.program.name == entry; });
  return found == kernels.end() ? nullptr : &*found;
}

const Code* Module::find_spilled(const std::string& entry) const {
  const auto found = std::find_if(spilled.begin(), spilled.end(),
                                  [&](const Code& code) { return code.program.name == entry; });
  return found == spilled.end() ? nullptr : &*found;
}

const RefusedKernel* Module::find_refused(const std::string& entry) const {
  const auto found = std::find_if(refused.begin(), refused.end(),
                                  [&](const RefusedKernel& kernel) { return kernel.name == entry; });
  return found == refused.end() ? nullptr : &*found;
}

Module load_text(std::string_view text, const std::string& file, const CompileOptions& options) {
  if (text.size() > limits::kFileBytes)
    throw PtxError(file, 0, 0,
                   over_limit("a file of " + std::to_string(text.size()) + " bytes", limits::kFileBytes));
  const ast::File parsed = parse(text, file);
  check_variables(parsed);
  const VariableIndex index = index_variables(parsed);
  Module module;
  module.file = file;
  for (const ast::Variable& variable : parsed.variables) {
    if (is_module_data(variable)) {
      module.variables.push_back(make_variable(file, variable, index));
    }
  }
  for (const ast::Variable& variable : parsed.variables) {
    if (is_texture_reference(variable)) module.texture_references.push_back(variable.name);
  }
  ParamAccesses accesses;
  for (const ast::Function& function : parsed.functions) {
    if (function.is_entry && function.has_body) {
      try {
        load_kernel(file, function, index, accesses, options, module);
      } catch (const PtxError& error) {
        module.refused.push_back({function.name, error.what()});
      }
    }
  }
  for (std::vector<Code>* codes : {&module.kernels, &module.spilled}) {
    for (Code& code : *codes) tell_source(parsed, code.program);
  }
  return module;
}

Module load_file(const std::string& path, const CompileOptions& options) {
  std::string text;
  try {
    text = read_input_file(path, limits::kFileBytes);
  } catch (const InputFileError& error) {
    throw PtxError(path, 0, 0, error.problem());
  }
  if (text.empty()) throw PtxError(path, 0, 0, "the file is empty, expected PTX text");
  return load_text(text, path, options);
}

}  // namespace heddle::ptx
