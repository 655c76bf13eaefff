// Which processes a process has started and that still are, as Linux tells it.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace histolab::kernels::testing {

// `process`: a number, or "self". None where it has ended.
inline std::vector<pid_t> children_of(const std::string& process) {
  std::vector<pid_t> children;
  std::error_code gone;
  for (const auto& task : std::filesystem::directory_iterator("/proc/" + process + "/task", gone)) {
    std::ifstream list(task.path() / "children");
    for (pid_t child = 0; list >> child;) children.push_back(child);
  }
  return children;
}

}  // namespace histolab::kernels::testing
