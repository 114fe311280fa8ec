#include "top/report/summary/check_table.h"

namespace heddle {

Table check_table(const std::vector<CheckResult>& checks) {
  Table table({{"buffer", "buffer"},
               {"against", "against"},
               {"passed", "passed"},
               {"elements", "elements", TableColumn::Kind::kWhole},
               {"mismatches", "mismatches", TableColumn::Kind::kWhole}});
  for (const CheckResult& check : checks) {
    table.add({check.buffer, check.against, check.passed, check.elements, check.mismatches});
  }
  return table;
}

}  // namespace heddle
