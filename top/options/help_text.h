#pragma once

namespace heddle {

/// Texts of `heddle --help` and of the commands' own --help; the option tables are appended to the latter.
const char* general_help();
const char* run_help();
const char* cost_help();
const char* compare_help();
const char* sweep_help();
const char* report_help();
const char* check_help();
const char* config_help();
const char* list_help();
const char* pairs_help();

}  // namespace heddle
