// The reason why a tier is unavailable, derived from the machine's messages when it was tried.
#pragma once

#include <string>

#include "grader/sandbox/sandbox.h"

namespace histolab::sandbox {

[[nodiscard]] Obstacle no_bubblewrap();

// `errors`: the output of bubblewrap or histolab-confine. `root`: the folder that contains the
// machine's /proc.
[[nodiscard]] Obstacle obstacle_from(Tier tier, const std::string& errors,
                                     const std::string& root = "");

// Since Linux 5.14, RLIMIT_NPROC counts the processes of a user namespace separately from the
// user's others. `release` is in the format of uname.
[[nodiscard]] bool counts_processes_by_namespace(const std::string& release);

}  // namespace histolab::sandbox
