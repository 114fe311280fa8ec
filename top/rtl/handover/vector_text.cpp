#include "top/rtl/handover/vector_text.h"

#include <fmt/format.h>

#include <vector>

#include "top/rtl/rtl_text.h"

namespace heddle {

namespace {

std::vector<std::string> names_of(const std::vector<TwinInput>& inputs) {
  std::vector<std::string> names;
  for (const TwinInput input : inputs) names.emplace_back(port_name(input));
  return names;
}

std::vector<std::string> output_names(const TwinDesign& design) {
  std::vector<std::string> names;
  for (unsigned i = 0; i < design.outputs(); ++i) names.emplace_back(port_name(static_cast<TwinOutput>(i)));
  return names;
}

std::string name_function(const char* function, const std::vector<std::string>& names) {
  std::string text = fmt::format("  function automatic string {}(int unsigned i);\n    case (i)\n", function);
  for (std::size_t i = 0; i < names.size(); ++i) {
    const bool last = i + 1 == names.size();
    text += fmt::format("      {}: return \"{}\";\n", last ? "default" : std::to_string(i), names[i]);
  }
  return text + "    endcase\n  endfunction\n";
}

}  // namespace

std::string vectors_package_text(const TwinDesign& design) {
  return fmt::format(
             "{}/// The columns of golden vectors of {}.\npackage heddle_vectors_pkg;\n"
             "  parameter int unsigned NumInputs = {};\n  parameter int unsigned NumOutputs = {};\n"
             "  /// Bits of the widest.\n  parameter int unsigned W = {};\n",
             kRtlHeader, design.scheduler, design.inputs.size(), design.outputs(), design.widest()) +
         name_function("input_name", names_of(design.inputs)) +
         name_function("output_name", output_names(design)) + "endpackage\n";
}

std::string vectors_dut_text(const TwinDesign& design) {
  std::string text = fmt::format(
      "{}/// heddle_scheduler with its inputs side by side in one vector, the first in the lowest bits, and\n"
      "/// its outputs in another.\nmodule heddle_vectors_dut\n  import heddle_vectors_pkg::*;\n(\n  input  "
      "logic clk_i,\n"
      "  input  logic rst_ni,\n  input  logic [NumInputs*W-1:0] in_i,\n"
      "  output logic [NumOutputs*W-1:0] out_o\n);\n\n"
      "  heddle_scheduler i_scheduler (\n    .clk_i,\n    .rst_ni,\n",
      kRtlHeader);
  const std::vector<std::string> inputs = names_of(design.inputs);
  for (std::size_t i = 0; i < inputs.size(); ++i)
    text += fmt::format("    .{}(in_i[{}*W+:{}]),\n", inputs[i], i, design.input_bits[i]);
  const std::vector<std::string> outputs = output_names(design);
  std::string unused;
  for (std::size_t i = 0; i < outputs.size(); ++i)
    text += fmt::format("    .{}(out_o[{}*W+:{}]){}\n", outputs[i], i, design.warps,
                        i + 1 < outputs.size() ? "," : "");
  for (std::size_t i = 0; i < outputs.size() && design.widest() > design.warps; ++i)
    unused += fmt::format("  assign out_o[{0}*W+{1}+:W-{1}] = '0;\n", i, design.warps);
  return text + "  );\n" + unused + "\nendmodule\n";
}

}  // namespace heddle
