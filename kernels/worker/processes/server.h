// A worker that serves: it forks a child for each order, and nothing of a student's touches it itself.
//
// A launch needs a process of its own (docs/decisions/one-worker-per-launch.md), but neither a program to be loaded for it nor a sandbox
// to be built: the child of a server that has done nothing yet is as clean as a new process, and there a tenth sooner of the time.
// The server reads fixed messages into fixed memory and allocates nothing, so that every child
// begins in the same state, with the same addresses. Server and child drop privileges before they
// get any request: giving_up.h.
//
// The other side is cells.h. It sends an Order with descriptors and gets a Reply when the child is dead. The server ends, and with it the
// child, when the other side closes the socket.
#pragma once

#include <cstdint>

namespace histolab::kernels::worker {

inline constexpr int serve_socket = 3;  // a SOCK_SEQPACKET pair's end

inline constexpr int not_begun = 126;   // status of a child that could not be made what it should be

// With it come, in this order: standard output, standard error, then the descriptors that the worker knows as 3, 4, ...
struct Order {
  std::uint64_t cpu_seconds = 0, data_bytes = 0;
  std::uint64_t spreads = 0;  // 1: it may make processes until it runs the kernel
};

struct Reply {
  int failure = 0;  // errno where no child could be made; then `status` means nothing
  int status = 0;   // as of waitpid
  std::int64_t processor_us = 0;  // of the child and of the processes that it waited for
};

// Does not return in the server; in a child it returns with everything in place, and the child then
// does what the worker does. `give_up` is called in the child last of all; `keeps_processes` is
// Order::spreads. If it returns false, it could not give up everything, and the child must not
// continue.
void serve(bool (*give_up)(bool keeps_processes));

}  // namespace histolab::kernels::worker
