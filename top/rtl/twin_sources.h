#pragma once

#include <string>

namespace heddle {

/// The folder of the SystemVerilog that twins are made of.
class TwinSources {
 public:
  explicit TwinSources(std::string folder) : folder_(std::move(folder)) {}

  const std::string& folder() const { return folder_; }
  /// Of a file of it; throws RtlError when it is not there.
  std::string path_of(const std::string& file) const;

 private:
  std::string folder_;
};

}  // namespace heddle
