#pragma once

#include <string>

#include "sc_tests/support/choice_stream.h"

namespace heddle::fuzz {

// Files of the kinds that Heddle reads back, with values drawn.
std::string write_alone_run(test::ChoiceStream& choices);          ///< pairs' cache of runs alone
std::string write_stats(test::ChoiceStream& choices);              ///< stats.json and cost.json in one
std::string write_results(test::ChoiceStream& choices);            ///< the same, with all that a report needs
std::string write_run_identity(test::ChoiceStream& choices);       ///< run.json
std::string write_report_log(test::ChoiceStream& choices);         ///< thread_blocks.json or predictions.csv
std::string write_profile(test::ChoiceStream& choices);            ///< profile.json
std::string write_accepted_speeds(test::ChoiceStream& choices);    ///< top/bench/accepted.json
std::string write_reference_figures(test::ChoiceStream& choices);  ///< gpgpusim.csv
std::string write_technologies(test::ChoiceStream& choices);       ///< configs/technology
std::string write_energy_table(test::ChoiceStream& choices);       ///< configs/energy
std::string write_paper_tables(test::ChoiceStream& choices);       ///< workloads/papers
std::string write_timed_workload(test::ChoiceStream& choices);     ///< a workload of kind `timed`
std::string write_experiment(test::ChoiceStream& choices);         ///< of `heddle sweep`
std::string write_timeline(test::ChoiceStream& choices);           ///< timeline.json
std::string write_command_line(test::ChoiceStream& choices);       ///< an argument a line

}  // namespace heddle::fuzz
