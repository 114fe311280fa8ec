#include <filesystem>

#include "sc_tests/fuzz/runs/scratch_folder.h"
#include "sc_tests/fuzz/target.h"
#include "top/page/report_data.h"
#include "top/page/report_page.h"
#include "top/support/results.h"

namespace heddle::fuzz {

namespace {

using test::ChoiceStream;

/// The input is srtf.json, of whose figures classes of their own draw the most.
Verdict run_reproduction(std::string_view input) {
  const std::string folder = ScratchFolder::get().file("papers");
  std::filesystem::create_directories(folder);
  ScratchFolder::get().write("papers/srtf.json", input);
  try {
    report_page(report_data({folder}));
  } catch (const ResultsError&) {
    return Verdict::kRefused;
  }
  return Verdict::kLoaded;
}

std::string number(ChoiceStream& choices) {
  if (choices.one_in(8)) return "null";
  return choices.one_in(2) ? std::to_string(choices.word()) : "0." + std::to_string(choices.below(200));
}

std::string table(ChoiceStream& choices, unsigned series, const std::string& extra) {
  std::string text = "{\"series\": [";
  for (unsigned s = 0; s < series; ++s)
    text += (s == 0 ? "" : ", ") + std::string("{\"name\": \"s") + std::to_string(s) + "\"}";
  text += "],\n\"rows\": [\n";
  for (unsigned row = choices.between(1, 4); row > 0; --row) {
    text += "{\"label\": \"row\", " + std::string(choices.one_in(3) ? "\"summary\": true, " : "") +
            "\"values\": [";
    for (unsigned s = 0; s < series; ++s) text += (s == 0 ? "" : ", ") + number(choices);
    text += row == 1 ? "]}\n]" : "]},\n";
  }
  return text + extra + "}";
}

std::string write_paper_numbers(ChoiceStream& choices) {
  const auto cycles = [&choices] { return std::to_string(choices.below(200)); };
  const std::string stairs = ",\n\"extra\": {\"sm\": " + cycles() + ", \"starts\": [0, " + cycles() +
                             "], \"ends\": [" + cycles() + ", " + cycles() + "]}";
  const std::string boxes =
      ",\n\"extra\": [{\"group\": \"a\", \"series\": \"b\", \"numbers\": [0, 1, 2, 3, " + cycles() +
      ", 0, 4],\n\"outliers\": [" + cycles() + "]}]";
  const std::string dispatch = ",\n\"extra\": [{\"name\": \"fifo\", \"end\": " + cycles() +
                               ", \"kernels\": [\"k\", \"l\"],\n\"sms\": [{\"tbs\": [[" +
                               std::to_string(choices.below(2)) + ", 0, 3, " + cycles() +
                               "]],\n\"intervals\": [[\"sampled\", 1, " + cycles() + "]]}]}]";
  return "{\"experiments\": {\n\"alone\": {\"quick\": {\"points\": " + cycles() +
         ", \"complete\": " + cycles() +
         ", \"failed\": [\"w: deadlock\"], \"cpu_seconds\": 3, \"longest_seconds\": 2}}},\n\"figures\": "
         "{\n\"figure_1\": "
         "{\"quick\": " +
         table(choices, choices.between(1, 3), "") + ",\n\"full\": " + table(choices, 1, "") +
         "},\n\"figure_2\": {\"quick\": " + table(choices, 3, stairs) +
         "},\n\"figure_4\": {\"quick\": " + table(choices, 2, boxes) +
         "},\n\"figure_12\": {\"full\": " + table(choices, 4, dispatch) + "}}}\n";
}

}  // namespace

Target reproduction_target() {
  return {"reproduction", "the numbers of a paper's figures, as heddle report reads them", 4096,
          &run_reproduction, &write_paper_numbers};
}

}  // namespace heddle::fuzz
