#include "top/rtl/rtl_text.h"

#include <fmt/format.h>

#include <filesystem>

namespace heddle {

namespace {

constexpr const char* kRange = "[heddle_config_pkg::NumWarps-1:0]";

std::string model_port(TwinOutput output) {
  const std::string name = port_name(output);
  return "model_" + name.substr(0, name.size() - 1) + "i";
}

std::string subject_of(const TwinDesign& design) {
  return design.block.empty() ? fmt::format("its warp scheduler, {}", design.scheduler) : design.subject;
}

std::string range_of(const TwinDesign& design, unsigned bits) {
  return bits == design.warps ? kRange : fmt::format("[{}:0]", bits - 1);
}

std::string input_ports(const TwinDesign& design) {
  std::string text = "  input  logic clk_i,\n  input  logic rst_ni,\n";
  for (std::size_t i = 0; i < design.inputs.size(); ++i)
    text += fmt::format("  input  logic {} {},\n", range_of(design, design.input_bits[i]),
                        port_name(design.inputs[i]));
  return text;
}

std::string output_ports(const TwinDesign& design) {
  std::string text;
  for (std::size_t i = 0; i < design.outputs.size(); ++i) {
    text += fmt::format("{}  output logic {} {}", i == 0 ? "" : ",\n",
                        range_of(design, design.output_bits[i]), port_name(design.outputs[i]));
  }
  return text + "\n";
}

/// A module of the design: `ports` are its further connections.
std::string instance(const TwinDesign::Module& module, const char* name, const std::string& ports) {
  std::string text = fmt::format("  {} #(\n", module.name);
  for (std::size_t i = 0; i < module.parameters.size(); ++i) {
    text += fmt::format("    .{0}(heddle_config_pkg::{0}){1}\n", module.parameters[i],
                        i + 1 < module.parameters.size() ? "," : "");
  }
  return text + fmt::format("  ) {} (\n    .clk_i,\n    .rst_ni,\n{}  );\n", name, ports);
}

/// One input of a module: a port of the same name, but for `ready` and for what goes to each warp.
std::string input_text(const TwinDesign::Module& module, TwinInput input, const std::string& ready) {
  for (const TwinDesign::Spread& spread : module.to_each_warp) {
    if (spread.input == input)
      return fmt::format("    .{}({{heddle_config_pkg::NumWarps{{{}}}}}),\n", spread.port, port_name(input));
  }
  return fmt::format("    .{}{},\n", port_name(input), input == TwinInput::kReady ? ready : "");
}

std::string inputs_text(const TwinDesign::Module& module, const std::string& ready) {
  std::string text;
  for (const TwinInput input : module.inputs) text += input_text(module, input, ready);
  for (const TwinDesign::Connection& connection : module.from_qualifier) {
    text += fmt::format("    .{}({}),\n", connection.port, port_name(connection.output));
  }
  return text;
}

std::string outputs_text(const std::vector<TwinOutput>& outputs) {
  std::string text;
  for (const TwinOutput output : outputs)
    text += fmt::format("{}    .{}", text.empty() ? "" : ",\n", port_name(output));
  return text + "\n";
}

/// A line of a list of files, in which spaces divide names that are not quoted.
std::string list_entry(const std::string& folder, const std::string& file) {
  namespace fs = std::filesystem;
  const std::string path = fs::absolute(fs::path(folder) / file).lexically_normal().string();
  const bool needs_quotes = path.find_first_of(" \t'\"\\") != std::string::npos;
  if (!needs_quotes) return path + "\n";
  std::string text = "\"";
  for (const char letter : path) {
    if (letter == '"' || letter == '\\') text += '\\';
    text += letter;
  }
  return text + "\"\n";
}

}  // namespace

std::string package_text(const TwinDesign& design) {
  std::string text = kRtlHeader;
  text += fmt::format("/// What a configuration of Heddle says of {}.\npackage heddle_config_pkg;\n",
                      subject_of(design));
  for (const TwinDesign::Parameter& parameter : design.parameters) {
    text += fmt::format("  /// {}\n  parameter int unsigned {} = {};\n", parameter.meaning, parameter.name,
                        parameter.value);
  }
  return text + "endpackage\n";
}

std::string top_text(const TwinDesign& design) {
  std::string text = kRtlHeader;
  text += fmt::format(
      "/// {}, with the configuration's parameters. What ports mean is\n"
      "/// said in {}.sv{}.\nmodule heddle_scheduler (\n",
      design.block.empty() ? fmt::format("The warp schedulers of an SM, {}", design.scheduler)
                           : fmt::format("{}: {}", design.block, design.subject),
      design.prioritizer.name, design.qualifier ? fmt::format(" and {}.sv", design.qualifier->name) : "");
  text += input_ports(design) + output_ports(design) + ");\n\n";
  std::string ready;
  if (design.qualifier) {
    text += instance(*design.qualifier, "i_qualifier",
                     inputs_text(*design.qualifier, "") + outputs_text(design.qualifier->outputs)) +
            "\n";
    ready = "(qualified_o & ~under_way_i)";
  }
  return text +
         instance(design.prioritizer, "i_scheduler",
                  inputs_text(design.prioritizer, ready) + outputs_text(design.prioritizer.outputs)) +
         "\nendmodule\n";
}

std::string file_list_text(const TwinDesign& design, const std::string& rtl_folder,
                           const std::string& folder) {
  std::string text;
  for (const std::string& source : design.sources) text += list_entry(rtl_folder, source);
  for (const char* const file : {kPackageFile, kTopFile}) text += list_entry(folder, file);
  return text;
}

std::string lockstep_text(const TwinDesign& design) {
  std::string ports = "  input  logic clk_i,\n  input  logic rst_ni,\n";
  std::string kept;
  std::string connected = "    .clk_i,\n    .rst_ni";
  std::string differs;
  const auto keep = [&](const std::string& name, unsigned bits) {
    const std::string range = range_of(design, bits);
    ports += fmt::format("  input  logic {0} {1},\n  input  logic told_{1},\n", range, name);
    kept += fmt::format("  logic {} {}q;\n  always_ff @(posedge told_{}) {}q <= {};\n", range,
                        name.substr(0, name.size() - 1), name, name.substr(0, name.size() - 1), name);
  };
  for (std::size_t i = 0; i < design.inputs.size(); ++i) {
    const std::string name = port_name(design.inputs[i]);
    keep(name, design.input_bits[i]);
    connected += fmt::format(",\n    .{}({}q)", name, name.substr(0, name.size() - 1));
  }
  for (std::size_t i = 0; i < design.outputs.size(); ++i) {
    const TwinOutput output = design.outputs[i];
    const std::string model = model_port(output);
    keep(model, design.output_bits[i]);
    connected += fmt::format(",\n    .{}", port_name(output));
    differs += fmt::format("{}{} != {}q", i == 0 ? "" : " || ", port_name(output),
                           model.substr(0, model.size() - 1));
  }
  return fmt::format(
      "{}/// heddle_scheduler beside the model: what the model chose is seen in waves, and does nothing.\n"
      "/// An input is taken over when it is told, in the same instant as the clock edge: what follows from "
      "inputs\n"
      "/// and registers is evaluated once for both, and what follows from others than those that are told "
      "is not.\n"
      "module heddle_lockstep (\n{}{});\n\n{}\n  heddle_scheduler i_scheduler (\n{}\n  );\n\n"
      "  logic differs;\n  assign differs = {};\n\nendmodule\n",
      kRtlHeader, ports, output_ports(design), kept, connected, differs);
}

std::string ports_text(const TwinDesign& design) {
  std::string text = "#define HEDDLE_TWIN_INPUTS(PORT)";
  for (const TwinInput input : design.inputs) text += fmt::format(" PORT({})", port_name(input));
  for (const TwinOutput output : design.outputs) text += fmt::format(" PORT({})", model_port(output));
  text += "\n#define HEDDLE_TWIN_OUTPUTS(PORT)";
  for (const TwinOutput output : design.outputs) text += fmt::format(" PORT({})", port_name(output));
  return text + "\n";
}

}  // namespace heddle
