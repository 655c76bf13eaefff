// Dropping privileges in a serving worker, so that a kernel that takes the worker over gains
// nothing. This is layer 5 of the sandbox (grader/sandbox/sandbox.h).
#pragma once

namespace histolab::kernels::worker {

// Descriptor of the system call filter for the children, an array of struct sock_filter. It may be
// closed: then there is no filter.
inline constexpr int serve_filter = 4;

// For the server. Drops the right to open any file, by Landlock if the system has it. (If it has
// not, the children's filter does the same.) Also reads the filter. Returns false if it is there
// but cannot be read.
[[nodiscard]] bool drop_files();

// For the server's child, before it reads anything: drops all system calls that the filter does not
// allow. Returns false if the system refuses it.
[[nodiscard]] bool drop_system_calls();

// Tries all of this, the parts for a child in a child. Returns the process's exit status: 0 if
// everything could be dropped.
[[nodiscard]] int try_to_drop_privileges();

}  // namespace histolab::kernels::worker
