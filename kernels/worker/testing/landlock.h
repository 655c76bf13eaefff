// Returns whether this Linux has Landlock, without using any of our own programs.
#pragma once

#include <linux/landlock.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace histolab::kernels::testing {

inline bool has_landlock() {
  return syscall(SYS_landlock_create_ruleset, nullptr, 0, LANDLOCK_CREATE_RULESET_VERSION) >= 1;
}

}  // namespace histolab::kernels::testing
