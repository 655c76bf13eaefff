#include "kernels/worker/processes/worker_pool.h"

#include <fmt/format.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include <cerrno>
#include <cstring>

#include "kernels/worker/processes/server.h"
#include "kernels/worker/processes/supervised_child.h"

namespace histolab::kernels::worker {
namespace {

// Returns false if the server is gone.
bool send_order(int socket, const Order& order, const std::vector<int>& descriptors) {
  std::vector<char> control(CMSG_SPACE(sizeof(int) * descriptors.size()));
  Order copy = order;
  iovec data{&copy, sizeof copy};
  msghdr message{};
  message.msg_iov = &data;
  message.msg_iovlen = 1;
  message.msg_control = control.data();
  message.msg_controllen = control.size();
  cmsghdr* header = CMSG_FIRSTHDR(&message);
  header->cmsg_level = SOL_SOCKET;
  header->cmsg_type = SCM_RIGHTS;
  header->cmsg_len = CMSG_LEN(sizeof(int) * descriptors.size());
  std::memcpy(CMSG_DATA(header), descriptors.data(), sizeof(int) * descriptors.size());
  ssize_t sent;
  while ((sent = sendmsg(socket, &message, MSG_NOSIGNAL)) < 0 && errno == EINTR) {
  }
  return sent == sizeof copy;
}

// Returns false if the server is gone.
bool receive_reply(int socket, Reply& reply) {
  ssize_t got;
  while ((got = recv(socket, &reply, sizeof reply, 0)) < 0 && errno == EINTR) {
  }
  return got == sizeof reply;
}

// Whether an idle server can take an order. The machine may have ended it meanwhile: out of memory,
// it kills processes like this one first.
bool is_waiting(int socket) {
  char any;
  return recv(socket, &any, sizeof any, MSG_PEEK | MSG_DONTWAIT) < 0 &&
         (errno == EAGAIN || errno == EINTR);
}

}  // namespace

Result<std::unique_ptr<WorkerPool::Cell>> WorkerPool::take(const Cancellation* cancellation) {
  {
    const std::lock_guard lock{taking_};
    while (!idle_.empty()) {
      std::unique_ptr<Cell> cell = std::move(idle_.back());
      idle_.pop_back();
      if (is_waiting(cell->socket.get())) return cell;
    }
  }
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0)
    return Error{
        fmt::format("cannot start {}: no descriptor left: {}", worker_, std::strerror(errno))};
  Descriptor ours(ends[0]), servers(ends[1]);
  ProcessSpec spec;
  spec.command = {worker_, "serve"};
  spec.environment = {"LD_BIND_NOW=1"};  // once here instead of in each child
  spec.descriptors = {{servers.get(), serve_socket}};
  spec.limits.cpu_seconds = spec.limits.data_bytes =
      ~0ull;  // its children have limits of their own
  spec.limits.file_bytes = no_file_bytes;
  spec.fixed_addresses = true;
  spec.cancellation = cancellation;
  spec.confinement = confinement_;
  spec.purpose = Purpose::serve;
  Companion server = TRY(Companion::start(spec));
  return std::make_unique<Cell>(Cell{std::move(ours), std::move(server)});
}

Result<ProcessResult> WorkerPool::run(const ProcessSpec& spec) {
  ProcessResult result;
  result.end = ProcessResult::End::cancelled;
  const Unfinished child;
  const auto is_cancelled = [&] {
    return cancelled() || (spec.cancellation != nullptr && spec.cancellation->cancelled());
  };
  if (!child.may_begin() || is_cancelled()) return result;
  SupervisedChild attended(spec);
  if (!attended.open())
    return Error{
        fmt::format("cannot start {}: no descriptor left: {}", worker_, std::strerror(errno))};
  std::vector<int> descriptors{attended.child_output(), attended.child_errors()};
  for (const auto& [ours, childs] : spec.descriptors) {
    if (childs != static_cast<int>(descriptors.size()) + 1)
      return Error{"a worker's descriptors have a gap; this is a bug in histolab"};
    descriptors.push_back(ours);
  }
  if (descriptors.size() > 60)
    return Error{fmt::format(
        "cannot start {}: it would need more than 60 descriptors; use fewer buffers", worker_)};

  Result<std::unique_ptr<Cell>> cell = take(spec.cancellation);
  if (!cell) return is_cancelled() ? Result<ProcessResult>{result} : cell.error();
  const int server = (*cell)->server.pid();
  if (spec.cancellation != nullptr) spec.cancellation->add(server);
  const bool asked = send_order((*cell)->socket.get(),
                                {spec.limits.cpu_seconds, spec.limits.data_bytes}, descriptors);
  attended.close_childs_ends();
  const Result<bool> replied =
      asked ? attended.wait_for((*cell)->socket.get()) : Result<bool>{false};
  Reply reply;
  const bool told = replied && *replied && receive_reply((*cell)->socket.get(), reply);
  if (spec.cancellation != nullptr) spec.cancellation->forget(server);
  const bool as_it_should = told && reply.failure == 0 && WIFEXITED(reply.status);
  // Before the last output is read: afterwards no process can write to the pipes.
  if (!as_it_should) cell->reset();
  attended.finish(result);
  if (is_cancelled()) return result;
  if (!replied) return replied.error();
  if (as_it_should) {
    const std::lock_guard lock{taking_};
    idle_.push_back(std::move(*cell));
  }
  if (told && reply.failure != 0)
    return Error{
        fmt::format("cannot start {}: no process left: {}", worker_, std::strerror(reply.failure))};
  if (asked && !*replied) {
    result.end = ProcessResult::End::timed_out;
    return result;
  }
  // The server was never there, or an outside signal ended it. Either way it is a machine failure.
  if (!told)
    return Error{
        fmt::format("the worker {} is not there or was ended from outside; build it again with "
                    "./histolab, and see `histolab doctor`",
                    worker_)};
  result.end = ProcessResult::End::exited;
  result.set_end(reply.status);
  result.processor = std::chrono::microseconds{reply.processor_us};
  if (result.end == ProcessResult::End::exited && result.code == not_begun)
    return Error{
        fmt::format("the worker {} could not limit itself; see `histolab doctor`", worker_)};
  return result;
}

}  // namespace histolab::kernels::worker
