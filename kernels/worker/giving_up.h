// What a worker that serves gives up, so that a kernel which took it over could do nothing with it: layer 5 of the sandbox
// (grader/sandbox/sandbox.h).
#pragma once

namespace histolab::kernels::worker {

inline constexpr int serve_filter = 4;  // what its children may ask the system: struct sock_filter, one after another; may be missing

// The server: all files, by Landlock, where the system has it (where not, the children's filter says the same). And reads the filter.
// False: it is there and cannot be read.
[[nodiscard]] bool give_up_files();

// Its child: all system calls but those of the filter. False: the system does not let it.
[[nodiscard]] bool give_up_system_calls();

// Does both, the second in a child, and says whether it could: the status to exit with.
[[nodiscard]] int try_to_give_up();

}  // namespace histolab::kernels::worker
