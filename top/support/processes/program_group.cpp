#include "top/support/processes/program_group.h"

#include <chrono>
#include <csignal>
#include <thread>

#include "base/stop.h"

namespace heddle {

namespace {

ChildStart start_of(const std::vector<std::string>& command) {
  ChildStart start;
  start.command = command;
  start.output = ChildStart::Output::kRead;
  start.own_group = true;
  return start;
}

}  // namespace

ProgramGroup::ProgramGroup(const std::vector<std::string>& command) : program_(start_of(command)) {}

ProgramGroup::~ProgramGroup() {
  constexpr unsigned kLooks = 50;
  constexpr std::chrono::milliseconds kBetweenLooks{10};
  if (program_.poll()) return;
  program_.signal_group(SIGTERM);
  for (unsigned look = 0; look < kLooks && !program_.poll(); ++look)
    std::this_thread::sleep_for(kBetweenLooks);
}

std::string ProgramGroup::read_output() {
  constexpr int kLookMilliseconds = 20;
  std::string printed;
  while (program_.read_some(printed, kLookMilliseconds)) throw_if_stopped();
  throw_if_stopped();
  return printed;
}

}  // namespace heddle
