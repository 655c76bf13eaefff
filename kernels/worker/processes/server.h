// The server side of a worker: it forks a child per order, which runs the launch. The server itself
// never handles untrusted data. The client side is worker_pool.h. See docs/architecture.md, "How
// children are started and ended".
#pragma once

#include <cstdint>

namespace histolab::kernels::worker {

inline constexpr int serve_socket = 3;  // one end of a SOCK_SEQPACKET pair

inline constexpr int not_begun = 126;  // exit status of a child that could not be set up

// A request to fork a child. It comes with descriptors in this order: standard output, standard
// error, then the worker's descriptors 3, 4, ...
struct Order {
  std::uint64_t cpu_seconds = 0, data_bytes = 0;
};

// Sent when the child is dead.
struct Reply {
  int failure = 0;                // errno if fork failed; `status` is meaningless then
  int status = 0;                 // as from waitpid()
  std::int64_t processor_us = 0;  // CPU time of the child and of the processes that it waited for
};

// Serves orders until the client closes the socket. Does not return in the server. Returns in each
// child when everything is in place, and the child then does the worker's job. `drop_privileges` is
// called last in the child. It returns false if a privilege could not be dropped; the child then
// ends.
void serve(bool (*drop_privileges)());

}  // namespace histolab::kernels::worker
