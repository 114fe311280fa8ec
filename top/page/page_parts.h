#pragma once

namespace heddle {

// The files of top/page/assets and D3, which the build writes into a source file (cmake/WritePage.cmake).
extern const char* const kPageHtml;
extern const char* const kPageStyle;
extern const char* const kPageScript;  ///< charts.js, sections.js, page.js
extern const char* const kPageD3;

}  // namespace heddle
