#pragma once

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <functional>
#include <string>

namespace heddle::test {

/// What `run` returns in a process of its own: one process has one simulation. A failure there is one here.
inline std::string apart(const std::function<std::string()>& run) {
  std::array<int, 2> ends{};
  EXPECT_EQ(pipe(ends.data()), 0);
  const pid_t child = fork();
  if (child == 0) {
    close(ends[0]);
    const std::string text = run();
    std::size_t written = 0;
    while (written < text.size()) {
      const ssize_t count = write(ends[1], text.data() + written, text.size() - written);
      if (count <= 0) _exit(1);
      written += static_cast<std::size_t>(count);
    }
    _exit(::testing::Test::HasFailure() ? 1 : 0);
  }
  close(ends[1]);
  std::string text;
  std::array<char, 4096> block{};
  for (ssize_t count = 0; (count = read(ends[0], block.data(), block.size())) > 0;) {
    text.append(block.data(), static_cast<std::size_t>(count));
  }
  close(ends[0]);
  int status = 0;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0) << "the run of its own failed: " << text;
  return text;
}

}  // namespace heddle::test
