// Every executable that links libsystemc defines sc_main; here it runs GoogleTest. A SystemC report of
// warning severity or above fails the test that caused it.
#include <gtest/gtest.h>

#include <systemc>

namespace {

void fail_on_report(const sc_core::sc_report& report, const sc_core::sc_actions& actions) {
  if (report.get_severity() >= sc_core::SC_WARNING) {
    ADD_FAILURE() << "SystemC report: " << sc_core::sc_report_compose_message(report);
  }
  sc_core::sc_report_handler::default_handler(report, actions);
}

}  // namespace

int sc_main(int argc, char** argv) {
  sc_core::sc_set_time_resolution(1, sc_core::SC_FS);
  sc_core::sc_report_handler::set_handler(&fail_on_report);
  ::testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
