// Sends and receives calls and replies.
#include "kernels/program/calls/messages.h"

#include <sys/socket.h>
#include <sys/uio.h>

#include <cerrno>

namespace histolab::kernels::program {
namespace {

struct CallHeader {
  std::uint32_t magic = call_magic, has_arguments = 0;
  Function function{};
  std::uint32_t pad = 0;
  std::uint64_t caller = 0;
};

struct ReplyHeader {
  std::uint32_t magic = reply_magic;
  std::int32_t error = 0;
  std::uint64_t values[Reply::most_values] = {};
  std::uint64_t operation = 0;
  std::uint32_t guarded = 0, completed = 0, printed_bytes = 0, text_bytes = 0;
};

// The sandbox's filter allows sendmsg() and recvmsg(), but not sendto() and recvfrom(), which
// send() and recv() call.
msghdr message_of(iovec& part) {
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  return message;
}

bool send_bytes(int socket, const void* bytes, std::size_t count) {
  auto* at = static_cast<char*>(const_cast<void*>(bytes));
  while (count != 0) {
    iovec part{at, count};
    const msghdr message = message_of(part);
    const ssize_t sent = sendmsg(socket, &message, MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) return false;
    at += sent;
    count -= static_cast<std::size_t>(sent);
  }
  return true;
}

bool receive_bytes(int socket, void* bytes, std::size_t count) {
  auto* at = static_cast<char*>(bytes);
  while (count != 0) {
    iovec part{at, count};
    msghdr message = message_of(part);
    const ssize_t received = recvmsg(socket, &message, 0);
    if (received < 0 && errno == EINTR) continue;
    if (received <= 0) return false;
    at += received;
    count -= static_cast<std::size_t>(received);
  }
  return true;
}

template <class T>
bool receive_list(int socket, std::vector<T>& list, std::uint32_t count) {
  if (count > most_listed) return false;
  list.resize(count);
  return receive_bytes(socket, list.data(), count * sizeof(T));
}

}  // namespace

bool send_call(int socket, const Call& call) {
  // One message, so that the parent wakes up once.
  struct {
    CallHeader header;
    std::uint64_t values[Call::most_values];
    emulator::RawArguments arguments;
  } message;
  message.header = {};
  message.header.has_arguments = call.is_launch() ? 1 : 0;
  message.header.function = call.function;
  message.header.caller = call.caller;
  std::memcpy(message.values, call.values, sizeof call.values);
  message.arguments = call.arguments;
  const std::size_t bytes = sizeof message - (call.is_launch() ? 0 : sizeof message.arguments);
  return send_bytes(socket, &message, bytes);
}

bool receive_call(int socket, Call& call) {
  CallHeader header;
  if (!receive_bytes(socket, &header, sizeof header) || header.magic != call_magic ||
      static_cast<std::uint32_t>(header.function) >= function_count)
    return false;
  call.function = header.function;
  call.caller = header.caller;
  call.arguments = {};
  if (!receive_bytes(socket, call.values, sizeof call.values) ||
      header.has_arguments != (call.is_launch() ? 1u : 0u))
    return false;
  return !call.is_launch() || (receive_bytes(socket, &call.arguments, sizeof call.arguments) &&
                               call.arguments.stack_bytes <= call.arguments.stack.size() &&
                               call.arguments.has_vectors <= 1);
}

bool send_reply(int socket, const Reply& reply) {
  ReplyHeader header;
  header.error = reply.error;
  std::memcpy(header.values, reply.values, sizeof header.values);
  header.operation = reply.operation;
  header.guarded = static_cast<std::uint32_t>(reply.guarded.size());
  header.completed = static_cast<std::uint32_t>(reply.completed.size());
  header.printed_bytes = static_cast<std::uint32_t>(reply.printed.size());
  header.text_bytes = static_cast<std::uint32_t>(reply.text.size());
  return send_bytes(socket, &header, sizeof header) &&
         send_bytes(socket, reply.guarded.data(), reply.guarded.size() * sizeof(GuardedRange)) &&
         send_bytes(socket, reply.completed.data(),
                    reply.completed.size() * sizeof(std::uint64_t)) &&
         send_bytes(socket, reply.printed.data(), reply.printed.size()) &&
         send_bytes(socket, reply.text.data(), reply.text.size());
}

bool receive_reply(int socket, Reply& reply) {
  ReplyHeader header;
  if (!receive_bytes(socket, &header, sizeof header) || header.magic != reply_magic ||
      header.text_bytes > most_text_bytes || header.printed_bytes > most_text_bytes)
    return false;
  reply.error = header.error;
  std::memcpy(reply.values, header.values, sizeof header.values);
  reply.operation = header.operation;
  if (!receive_list(socket, reply.guarded, header.guarded) ||
      !receive_list(socket, reply.completed, header.completed))
    return false;
  reply.printed.resize(header.printed_bytes);
  reply.text.resize(header.text_bytes);
  return receive_bytes(socket, &reply.printed[0], header.printed_bytes) &&
         receive_bytes(socket, &reply.text[0], header.text_bytes);
}

}  // namespace histolab::kernels::program
