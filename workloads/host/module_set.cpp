#include "workloads/host/module_set.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "base/nearest_name.h"
#include "workloads/host/kernel_arguments.h"

namespace heddle {

namespace {

bool has_kernel(const ptx::Module& module, const std::string& name) {
  return module.find(name) != nullptr || module.find_refused(name) != nullptr;
}

/// Two files may have the same name.
std::vector<std::string> once_each(std::vector<std::string> names) {
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

const ptx::Variable* find_variable(const ptx::Module& module, const std::string& name) {
  const auto found = std::find_if(module.variables.begin(), module.variables.end(),
                                  [&name](const ptx::Variable& variable) { return variable.name == name; });
  return found == module.variables.end() ? nullptr : &*found;
}

}  // namespace

ModuleSet::ModuleSet(const Workload& workload, const std::vector<ptx::CompileOptions>& compile)
    : workload_(workload) {
  for (const PtxFile& file : workload.ptx) {
    if (!std::filesystem::exists(file.path))
      throw WorkloadError(file.mark, fmt::format("there is no PTX file '{}'", file.path));
    const std::size_t place = modules_.size();
    modules_.push_back(
        ptx::load_file(file.path, place < compile.size() ? compile[place] : ptx::CompileOptions()));
  }
  check_launches(workload.launches);
  for (const StreamSpec& stream : workload.streams) check_launches(stream.launches);
}

void ModuleSet::place(DeviceMemory& memory, std::uint64_t code_base) {
  for (ptx::Module& module : modules_) {
    loaded_.push_back(std::make_unique<ptx::LoadedModule>(std::move(module), memory, code_base));
    code_base = code_end();
  }
  modules_.clear();
}

const ptx::LoadedModule& ModuleSet::of(const LaunchStatement& launch, const SourceMark& mark) const {
  return *loaded_[file_of(launch, mark)];
}

ModuleSet::Symbol ModuleSet::symbol(const SymbolSpec& spec) const {
  const std::vector<std::size_t> files = files_with(
      spec.ptx, [&spec](const ptx::Module& module) { return find_variable(module, spec.name) != nullptr; });
  if (files.empty()) {
    std::vector<std::string> known;
    for (const std::size_t file : files_with(spec.ptx, [](const ptx::Module&) { return true; })) {
      for (const ptx::Variable& variable : module(file).variables) known.push_back(variable.name);
    }
    throw WorkloadError(
        spec.mark,
        fmt::format("unknown symbol '{}' in {}, expected a .global or .const variable{}", spec.name,
                    names(spec.ptx), name_hint(spec.name, once_each(known), "symbols")));
  }
  if (files.size() > 1) fail_several(spec.mark, fmt::format("symbol '{}'", spec.name), files);
  const ptx::LoadedModule& loaded = *loaded_[files.front()];
  const ptx::Variable& variable = *find_variable(loaded.module(), spec.name);
  return {loaded.address_of(variable), variable.bytes};
}

std::vector<std::string> ModuleSet::texture_references() const {
  std::vector<std::string> names;
  for (std::size_t file = 0; file < workload_.ptx.size(); ++file) {
    const std::vector<std::string>& of_file = module(file).texture_references;
    names.insert(names.end(), of_file.begin(), of_file.end());
  }
  return once_each(std::move(names));
}

const ptx::Module& ModuleSet::module(std::size_t file) const {
  return loaded_.empty() ? modules_[file] : loaded_[file]->module();
}

void ModuleSet::check_launches(const std::vector<Statement>& statements) const {
  for (const Statement& statement : statements) {
    if (const auto* launch = std::get_if<LaunchStatement>(&statement.action)) {
      const ptx::Module& owner = module(file_of(*launch, statement.mark));
      if (const ptx::RefusedKernel* const refused = owner.find_refused(launch->kernel)) {
        throw WorkloadError(statement.mark,
                            fmt::format("kernel '{}' can't be launched: {}", launch->kernel, refused->error));
      }
      check_arguments(*launch, statement.mark, *owner.find(launch->kernel));
    } else if (const auto* repeat = std::get_if<RepeatStatement>(&statement.action)) {
      check_launches(repeat->body);
    } else if (const auto* loop = std::get_if<WhileStatement>(&statement.action)) {
      check_launches(loop->body);
    }
  }
}

std::size_t ModuleSet::file_of(const LaunchStatement& launch, const SourceMark& mark) const {
  const std::vector<std::size_t> files = files_with(
      launch.ptx, [&launch](const ptx::Module& module) { return has_kernel(module, launch.kernel); });
  if (files.empty()) {
    std::vector<std::string> known;
    for (const std::size_t file : files_with(launch.ptx, [](const ptx::Module&) { return true; })) {
      for (const ptx::Code& code : module(file).kernels) known.push_back(code.program.name);
      for (const ptx::RefusedKernel& refused : module(file).refused) known.push_back(refused.name);
    }
    throw WorkloadError(mark, fmt::format("unknown kernel '{}' in {}{}", launch.kernel, names(launch.ptx),
                                          name_hint(launch.kernel, once_each(known), "kernels")));
  }
  if (files.size() > 1) fail_several(mark, fmt::format("kernel '{}'", launch.kernel), files);
  return files.front();
}

std::vector<std::size_t> ModuleSet::files_with(const PtxChoice& choice,
                                               const std::function<bool(const ptx::Module&)>& has) const {
  std::vector<std::size_t> files;
  for (std::size_t file = 0; file < workload_.ptx.size(); ++file) {
    if ((!choice || *choice == file) && has(module(file))) files.push_back(file);
  }
  return files;
}

void ModuleSet::fail_several(const SourceMark& mark, const std::string& what,
                             const std::vector<std::size_t>& files) const {
  const std::string& first = workload_.ptx[files[0]].name;
  throw WorkloadError(
      mark, fmt::format("{} is in {} and in {}: expected `ptx`, as in `ptx: {}`, to say which", what, first,
                        workload_.ptx[files[1]].name, first));
}

std::string ModuleSet::names(const PtxChoice& choice) const {
  std::string text;
  for (const std::size_t file : files_with(choice, [](const ptx::Module&) { return true; }))
    text += (text.empty() ? "" : ", ") + workload_.ptx[file].path;
  return text;
}

}  // namespace heddle
