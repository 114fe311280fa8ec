#include "top/vcd_window.h"

namespace heddle {

VcdWindow::VcdWindow(const sc_core::sc_module_name& name, std::string path,
                     const std::vector<WaveSignal>& signals, CycleWindow window,
                     const sc_core::sc_time& core_period)
    : sc_module(name), path_(std::move(path)), signals_(signals), window_(window), period_(core_period) {
  SC_METHOD(edge);
  sensitive << event_;
  dont_initialize();
}

VcdWindow::~VcdWindow() { close(); }

void VcdWindow::start_of_simulation() {
  cycle_ = window_.from;
  event_.notify(sc_core::sc_time::from_value(window_.from * period_.value()));
}

void VcdWindow::edge() {
  if (!started_) {
    open();
  } else {
    ++cycle_;
  }
  if (cycle_ >= window_.to) {
    close();
    return;
  }
  event_.notify(period_);
}

void VcdWindow::open() {
  started_ = true;
  file_ = sc_core::sc_create_vcd_trace_file(path_.c_str());
  file_->set_time_unit(1, sc_core::SC_FS);
  sc_core::sc_trace(file_, cycle_, "core_cycle", 64);
  for (const WaveSignal& signal : signals_) {
    sc_core::sc_trace(file_, *signal.variable, signal.full_name(), static_cast<int>(signal.bits));
  }
}

void VcdWindow::close() {
  if (file_ != nullptr) {
    sc_core::sc_close_vcd_trace_file(file_);
    file_ = nullptr;
  }
}

}  // namespace heddle
