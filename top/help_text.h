#pragma once

namespace heddle {

/// Texts of `heddle --help` and of the commands' own --help; the option tables are appended to the latter.
extern const char* const kGeneralHelp;
extern const char* const kRunHelp;
extern const char* const kCheckHelp;
extern const char* const kConfigHelp;
extern const char* const kListHelp;

}  // namespace heddle
