// Lists the running child processes of a process, from /proc.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace histolab::kernels::testing {

// `process` is a number or "self". Empty if that process has ended.
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
