#include "top/batch/fingerprint.h"

#include <fmt/format.h>
#include <link.h>

#include <array>
#include <cstring>
#include <filesystem>
#include <fstream>

namespace heddle {

namespace {

constexpr std::size_t kBlockBytes = 1 << 16;

std::size_t padded(std::size_t bytes) { return (bytes + 3) / 4 * 4; }

/// The contents of the note NT_GNU_BUILD_ID among the notes of a segment; "" when there is none.
std::string_view build_id_in(std::string_view notes) {
  constexpr std::string_view kName("GNU\0", 4);
  while (notes.size() >= sizeof(ElfW(Nhdr))) {
    ElfW(Nhdr) head;
    std::memcpy(&head, notes.data(), sizeof head);
    notes.remove_prefix(sizeof head);
    const std::size_t name = padded(head.n_namesz);
    const std::size_t bytes = padded(head.n_descsz);
    if (notes.size() < name + bytes) break;
    if (head.n_type == NT_GNU_BUILD_ID && notes.substr(0, head.n_namesz) == kName) {
      return notes.substr(name, head.n_descsz);
    }
    notes.remove_prefix(name + bytes);
  }
  return {};
}

/// Of the first object that is loaded, which is the program.
int find_build_id(dl_phdr_info* object, std::size_t /*size*/, void* found) {
  for (unsigned i = 0; i < object->dlpi_phnum; ++i) {
    const ElfW(Phdr)& segment = object->dlpi_phdr[i];
    if (segment.p_type != PT_NOTE) continue;
    const auto* const notes = reinterpret_cast<const char*>(object->dlpi_addr + segment.p_vaddr);
    const std::string_view id = build_id_in({notes, segment.p_memsz});
    if (!id.empty()) *static_cast<std::string_view*>(found) = id;
  }
  return 1;
}

}  // namespace

Fingerprint& Fingerprint::add(std::string_view part) {
  add_bytes(std::to_string(part.size()) + ":");
  add_bytes(part);
  return *this;
}

Fingerprint& Fingerprint::add_file(const std::string& path) {
  std::error_code error;
  const bool regular = std::filesystem::is_regular_file(path, error);  // a pipe or a device may never end
  std::ifstream file;
  if (regular) file.open(path, std::ios::binary);
  add_bytes(file.is_open() ? "file:" : "no file:");
  std::array<char, kBlockBytes> block;
  std::uint64_t bytes = 0;
  while (file.is_open() && (file.read(block.data(), block.size()) || file.gcount() > 0)) {
    const auto count = static_cast<std::size_t>(file.gcount());
    add_bytes({block.data(), count});
    bytes += count;
  }
  add_bytes(std::to_string(bytes) + ":");
  return *this;
}

std::string Fingerprint::text() const { return fmt::format("{:016x}{:016x}", first_, second_); }

void Fingerprint::add_bytes(std::string_view bytes) {
  constexpr std::uint64_t kPrime = 0x100000001b3;
  for (const char c : bytes) {
    first_ = (first_ ^ static_cast<unsigned char>(c)) * kPrime;
    second_ = (second_ ^ (static_cast<unsigned char>(c) + 0x5aU)) * kPrime;
  }
}

std::string program_fingerprint() {
  std::string_view id;
  dl_iterate_phdr(&find_build_id, &id);
  Fingerprint fingerprint;
  return id.empty() ? fingerprint.add_file("/proc/self/exe").text() : fingerprint.add(id).text();
}

}  // namespace heddle
