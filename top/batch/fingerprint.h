#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace heddle {

/// Tells contents apart: 128 bits, by FNV-1a from two beginnings. Not against those who look for two contents
/// with the same fingerprint.
class Fingerprint {
 public:
  /// The parts' borders count: "a", "b" is not "ab".
  Fingerprint& add(std::string_view part);
  /// What a file holds; one that can't be read is told from an empty one.
  Fingerprint& add_file(const std::string& path);
  /// 32 hexadecimal digits.
  std::string text() const;

 private:
  void add_bytes(std::string_view bytes);

  std::uint64_t first_ = 0xcbf29ce484222325;
  std::uint64_t second_ = 0x84222325cbf29ce4;
};

/// Of the program that runs: by the linker's build id, or, without one, by its file.
std::string program_fingerprint();

}  // namespace heddle
