#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>

#include "workloads/description/workload_loader.h"
#include "workloads/host/functional_run.h"
#include "workloads/host/host_program.h"
#include "workloads/ptx/text/ptx_error.h"

namespace heddle::test {

/// Workloads whose files lie in a folder of the test's own.
class ProgramFolder : public testing::Test {
 protected:
  ProgramFolder() {
    const auto* const info = testing::UnitTest::GetInstance()->current_test_info();
    folder_ = std::filesystem::temp_directory_path() / ("heddle_" + std::string(info->test_suite_name()) +
                                                        "_" + info->name() + "_" + std::to_string(getpid()));
    std::filesystem::create_directories(folder_);
  }
  ~ProgramFolder() override { std::filesystem::remove_all(folder_); }

  void write(const std::string& file, const std::string& text) const {
    std::ofstream(folder_ / file, std::ios::binary) << text;
  }

  Workload workload(const std::string& text) const { return load_workload_text(text, folder_ / "w.yaml"); }

  /// The message of what loading, running and checking throws, without the folder's name.
  std::string error(const std::string& text) const {
    std::string message = "no error";
    try {
      HostProgram program(workload(text));
      run_functionally(program);
      program.check();
    } catch (const WorkloadError& failure) {
      message = failure.what();
    } catch (const ptx::PtxError& failure) {
      message = failure.what();
    }
    const std::string folder = folder_.string() + "/";
    for (std::size_t at; (at = message.find(folder)) != std::string::npos;) message.erase(at, folder.size());
    return message;
  }

  /// The program after its end.
  std::unique_ptr<HostProgram> run(const std::string& text) const {
    auto program = std::make_unique<HostProgram>(workload(text));
    run_functionally(*program);
    return program;
  }

  template <typename T>
  static T element(const HostProgram& program, const std::string& buffer, unsigned index) {
    T value{};
    const std::uint64_t address = program.memory().find(buffer)->address + index * sizeof(T);
    std::memcpy(&value, program.memory().host(address), sizeof(T));
    return value;
  }

  std::filesystem::path folder_;
};

}  // namespace heddle::test
