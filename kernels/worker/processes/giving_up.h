// What a worker that serves gives up, so that a kernel which took it over could do nothing with it: layer 5 of the sandbox
// (grader/sandbox/sandbox.h).
#pragma once

namespace histolab::kernels::worker {

// What its children may ask the system, as struct sock_filter, one after another: while they run a kernel, and until then where the launch may be
// spread over several processes. Both are there, or none.
inline constexpr int serve_filter = 4, serve_loading_filter = 5;

// The server: all files, by Landlock, where the system has it (where not, the children's filter says the same). And reads the filters.
// False: one is there and cannot be read.
[[nodiscard]] bool give_up_files();

// Its child, before it reads anything: all system calls but those of a filter. False: the system does not let it.
[[nodiscard]] bool give_up_system_calls(bool keeps_processes);

// Before a kernel's first instruction, in each process that runs one: the rest. Ends the process where the system does not let it.
void give_up_processes();

// Does both, the second in a child, and says whether it could: the status to exit with.
[[nodiscard]] int try_to_give_up();

}  // namespace histolab::kernels::worker
