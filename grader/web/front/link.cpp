#include "grader/web/front/link.h"

#include <sys/socket.h>

#include <array>
#include <cerrno>

namespace histolab::web {
namespace {

// Returns the number of bytes that were sent. A link that has ended is noticed by receive().
std::size_t sent_at_once(int descriptor, const std::string& bytes) {
  const ssize_t sent = ::send(descriptor, bytes.data(), bytes.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
  return sent > 0 ? static_cast<std::size_t>(sent) : 0;
}

}  // namespace

bool Link::send(const FromFront& message) {
  const std::string frame = framed(message);
  const std::lock_guard guard{lock_};
  if (!unsent_.empty()) return unsent_ += frame, false;
  const std::size_t sent = sent_at_once(descriptor_, frame);
  unsent_.assign(frame, sent);
  return !unsent_.empty();
}

bool Link::send_rest() {
  const std::lock_guard guard{lock_};
  if (!unsent_.empty()) unsent_.erase(0, sent_at_once(descriptor_, unsent_));
  return !unsent_.empty();
}

std::size_t Link::unsent() const {
  const std::lock_guard guard{lock_};
  return unsent_.size();
}

Status Link::receive(std::vector<ToFront>& into) {
  std::array<char, 64 * 1024> bytes;
  for (int reads = 0; reads < 16; ++reads) {
    const ssize_t got = recv(descriptor_, bytes.data(), bytes.size(), MSG_DONTWAIT);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) return Done{};
    if (got <= 0) return Error{"the service has ended"};
    decoder_.add({bytes.data(), static_cast<std::size_t>(got)});
    for (;;) {
      auto message = decoder_.next();
      if (!message) return message.error();
      if (!*message) break;
      into.push_back(std::move(**message));
    }
    if (static_cast<std::size_t>(got) < bytes.size()) return Done{};
  }
  return Done{};
}

}  // namespace histolab::web
