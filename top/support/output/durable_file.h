#pragma once

#include <filesystem>

namespace heddle {

/// What is in a file, or which names are in a folder, stays after a loss of power. Throws OutputError.
void sync_to_disk(const std::filesystem::path& path);

/// Moves a file, also from one file system to another; it stays there after a loss of power. Folders that are
/// missing are made. Throws OutputError.
void move_durably(const std::filesystem::path& from, const std::filesystem::path& to);

/// The file is there, and not empty, as a loss of power may leave one that was not synced.
bool has_contents(const std::filesystem::path& path);
/// The file was written since the machine was started, so that no loss of power has come between.
bool written_since_start(const std::filesystem::path& path);

}  // namespace heddle
