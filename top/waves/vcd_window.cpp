#include "top/waves/vcd_window.h"

namespace heddle {

VcdWindow::VcdWindow(const sc_core::sc_module_name& name, std::string path,
                     const std::vector<WaveSignal>& signals, CycleWindow window,
                     const sc_core::sc_time& core_period)
    : sc_module(name), path_(std::move(path)), signals_(signals), window_(window), period_(core_period) {
  SC_METHOD(edge);
  sensitive << event_;
  dont_initialize();
}

void VcdWindow::follow(ClockTree& tree) {
  tree_ = &tree;
  tree.edge_handled.listen([this] { look(); });
  tree.kernel_arrived.listen([this] { show(); });
}

VcdWindow::~VcdWindow() { close(); }

void VcdWindow::start_of_simulation() {
  cycle_ = window_.from;
  event_.notify(sc_core::sc_time::from_value(window_.from * period_.value()));
}

void VcdWindow::edge() {
  if (!started_) {
    open();
  } else if (tree_ == nullptr) {
    ++cycle_;
  } else {
    show();
  }
  if (cycle_ >= window_.to) {
    close();
  } else if (tree_ == nullptr || cycle_ + 1 == window_.to) {
    event_.notify(period_);
  } else if (window_.to != CycleWindow().to) {
    // The last cycle of the window is shown even if nothing changes in it.
    event_.notify(sc_core::sc_time::from_value((window_.to - 1 - cycle_) * period_.value()));
  }
}

void VcdWindow::look() {
  const Ticks now = tree_->time();
  if (now % period_.value() != 0) return;
  if (!started_) {
    // The edge at which the file is opened, by a process that has not run yet.
    if (now / period_.value() >= window_.from) tree_->give_way();
    return;
  }
  if (file_ == nullptr || !changed()) return;
  tree_->wait_for_kernel();
}

bool VcdWindow::changed() const {
  for (std::size_t i = 0; i < shown_.size(); ++i) {
    if (shown_[i] != *variables_[i]) return true;
  }
  return false;
}

void VcdWindow::show() {
  cycle_ = sc_core::sc_time_stamp().value() / period_.value();
  for (std::size_t i = 0; i < shown_.size(); ++i) shown_[i] = *variables_[i];
}

void VcdWindow::open() {
  started_ = true;
  file_ = sc_core::sc_create_vcd_trace_file(path_.c_str());
  file_->set_time_unit(1, sc_core::SC_FS);
  sc_core::sc_trace(file_, cycle_, "core_cycle", 64);
  if (tree_ != nullptr) {
    for (const WaveSignal& signal : signals_) variables_.push_back(signal.variable);
    shown_.resize(signals_.size());
    show();
  }
  for (std::size_t i = 0; i < signals_.size(); ++i) {
    const WaveSignal& signal = signals_[i];
    const std::uint64_t& variable = tree_ == nullptr ? *signal.variable : shown_[i];
    sc_core::sc_trace(file_, variable, signal.full_name(), static_cast<int>(signal.bits));
  }
}

void VcdWindow::close() {
  if (file_ != nullptr) {
    sc_core::sc_close_vcd_trace_file(file_);
    file_ = nullptr;
  }
}

}  // namespace heddle
