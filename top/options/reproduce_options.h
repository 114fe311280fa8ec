#pragma once

#include <string>
#include <vector>

#include "top/options/cluster_settings.h"
#include "top/text/output_format.h"

namespace heddle {

/// A paper's figures and tables, from runs of its experiments.
struct ReproduceOptions {
  std::string paper;                 ///< "pro"
  std::vector<std::string> figures;  ///< by number or name; {}: all
  bool quick = false;                ///< the experiments' smaller sizes
  std::string out;                   ///< folder of pages; "" = kOut
  std::string database;              ///< of results; "" = kDatabase
  unsigned jobs = 0;                 ///< runs at once; 0: as many as processors
  bool retry_failed = false;
  bool no_run = false;  ///< what the database has
  bool redraw = false;  ///< what the folder has
  std::string against;  ///< folder of pages that the numbers are compared with; "" = none
  bool quiet = false;   ///< no progress
  ClusterOptions cluster;
  OutputFormat format = OutputFormat::kText;

  static constexpr const char* kOut = "heddle-out/reproduction";
  static constexpr const char* kDatabase = "heddle-out/results.sqlite";
};

}  // namespace heddle
