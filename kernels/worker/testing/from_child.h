// Runs a part of a test in its own process, for permanent changes: limits, filters, dropped rights,
// another user.
#pragma once

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <functional>
#include <string>

#include "kernels/worker/processes/descriptor.h"

namespace histolab::kernels::testing {

// Returns the result of `body` in a fork of this process, with "; status N" or "; signal N"
// appended after an abnormal end. Do not use CHECK in `body`: return values, and compare them in
// the caller.
inline std::string from_child(const std::function<std::string()>& body) {
  constexpr int out_of_the_way = 200;  // above the descriptors under test
  worker::Pipe answer;
  if (!answer.open()) std::abort();
  const pid_t child = fork();
  if (child < 0) std::abort();
  if (child == 0) {
    const int to = fcntl(answer.write.get(), F_DUPFD_CLOEXEC, out_of_the_way);
    answer.read.reset();
    answer.write.reset();
    // An exception ends the child instead of running the remaining tests in it.
    const auto text = [&]() noexcept { return body(); }();
    for (std::size_t sent = 0; sent < text.size();) {
      const ssize_t written = write(to, text.data() + sent, text.size() - sent);
      if (written <= 0) _exit(1);
      sent += static_cast<std::size_t>(written);
    }
    _exit(0);
  }
  answer.write.reset();
  std::string text;
  char chunk[4096];
  for (ssize_t got = 0; (got = read(answer.read.get(), chunk, sizeof chunk)) > 0;)
    text.append(chunk, static_cast<std::size_t>(got));
  int status = 0;
  if (waitpid(child, &status, 0) != child) std::abort();
  if (WIFSIGNALED(status)) text += "; signal " + std::to_string(WTERMSIG(status));
  if (WIFEXITED(status) && WEXITSTATUS(status) != 0)
    text += "; status " + std::to_string(WEXITSTATUS(status));
  return text;
}

}  // namespace histolab::kernels::testing
