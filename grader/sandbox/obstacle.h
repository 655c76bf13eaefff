// What stands in the way of a tier, told by what the machine said when it was tried.
#pragma once

#include <string>

#include "grader/sandbox/sandbox.h"

namespace histolab::sandbox {

[[nodiscard]] Obstacle no_bubblewrap();

// `errors`: what bubblewrap, or histolab-confine, wrote. `root`: the folder in which the machine's
// /proc is looked for.
[[nodiscard]] Obstacle obstacle_from(Tier tier, const std::string& errors,
                                     const std::string& root = "");

// Since Linux 5.14 RLIMIT_NPROC counts the processes of a user namespace apart from the user's
// others. `release`: as uname has it.
[[nodiscard]] bool counts_processes_by_namespace(const std::string& release);

}  // namespace histolab::sandbox
