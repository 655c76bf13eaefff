#include "grader/sandbox/user_number.h"

#include <fmt/format.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <random>

namespace histolab::sandbox {
namespace {

using kernels::worker::Descriptor;

// Debian and its derivatives leave these numbers unused (systemd, "Users, Groups, UIDs and GIDs":
// unused).
constexpr std::uint32_t first = 60578, count = 600;

bool bind_name_of(std::uint32_t number, const Descriptor& socket) {
  sockaddr_un address{.sun_family = AF_UNIX, .sun_path = {}};
  const std::string name = fmt::format("histolab-user-{}", number);
  std::ranges::copy(name, address.sun_path + 1);  // the leading zero makes it abstract
  const auto bytes = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + name.size());
  return bind(socket.get(), reinterpret_cast<const sockaddr*>(&address), bytes) == 0;
}

}  // namespace

Result<UserNumber> UserNumber::take() {
  const std::uint32_t from = std::random_device{}() % count;
  // mutant 0 -> 1: the first number is only missed if it is the last free one: once in 600 times
  // one would be shared too early
  for (std::uint32_t step = 0; step < count; ++step) {
    const std::uint32_t number = first + (from + step) % count;
    Descriptor socket(::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0));
    if (socket.get() < 0)
      return Error{fmt::format("cannot make a socket: {}", std::strerror(errno))};
    if (bind_name_of(number, socket)) return UserNumber(number, std::move(socket));
    // mutant never: such a name is only refused if it exists already or memory runs out, which a
    // test cannot provoke
    if (errno != EADDRINUSE)
      return Error{fmt::format("cannot take user number {}: {}", number, std::strerror(errno))};
  }
  // All numbers are taken. Sharing one with another sandbox, as containers do, is better than no
  // sandbox.
  return UserNumber(first + from, Descriptor());
}

}  // namespace histolab::sandbox
