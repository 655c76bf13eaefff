// Dropping privileges in a serving worker, so that a kernel that takes the worker over gains
// nothing. This is layer 5 of the sandbox (grader/sandbox/sandbox.h).
#pragma once

namespace histolab::kernels::worker {

// Descriptors of two system call filters for the children, each an array of struct sock_filter. The
// first is for running a kernel, the second for the time before that, if the launch may be spread
// over several processes. Either both are open or none.
inline constexpr int serve_filter = 4, serve_loading_filter = 5;

// For the server. Drops the right to open any file, by Landlock if the system has it. (If it has
// not, the children's filter does the same.) Also reads the filters. Returns false if a filter is
// there but cannot be read.
[[nodiscard]] bool drop_files();

// For the server's child, before it reads anything: drops all system calls that the filter does not
// allow. Returns false if the system refuses it.
[[nodiscard]] bool drop_system_calls(bool keeps_processes);

// Drops the remaining rights, in each process that runs a kernel, before the kernel's first
// instruction. Ends the process if the system refuses it.
void drop_processes();

// Tries all of this, the parts for a child in a child. Returns the process's exit status: 0 if
// everything could be dropped.
[[nodiscard]] int try_to_drop_privileges();

}  // namespace histolab::kernels::worker
