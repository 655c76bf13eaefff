#include "grader/web/http/testing/browser.h"

#include <arpa/inet.h>
#include <doctest/doctest.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstdlib>

#include "reference/testing/wait_until.h"

namespace histolab::web::testing {

Browser::Browser(std::uint16_t port, bool six)
    : socket_(socket(six ? AF_INET6 : AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
  sockaddr_in four{};
  four.sin_family = AF_INET;
  four.sin_port = htons(port);
  four.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  sockaddr_in6 long_one{};
  long_one.sin6_family = AF_INET6;
  long_one.sin6_port = htons(port);
  long_one.sin6_addr = in6addr_loopback;
  const auto* address =
      six ? reinterpret_cast<const sockaddr*>(&long_one) : reinterpret_cast<const sockaddr*>(&four);
  REQUIRE_EQ(connect(socket_.get(), address, six ? sizeof long_one : sizeof four), 0);
  const timeval patience{std::chrono::seconds(reference::testing::patience).count(), 0};
  setsockopt(socket_.get(), SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
}

bool Browser::say(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t sent = send(socket_.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(sent));
  }
  return true;
}

bool Browser::read_more() {
  std::array<char, 64 * 1024> bytes;
  const ssize_t got = recv(socket_.get(), bytes.data(), bytes.size(), 0);
  REQUIRE_FALSE((got < 0 && errno == EAGAIN));
  if (got <= 0) return false;
  heard_.append(bytes.data(), static_cast<std::size_t>(got));
  return true;
}

std::string Browser::hear(std::string_view text) {
  std::size_t at = 0;
  while ((at = heard_.find(text)) == heard_.npos)
    if (!read_more()) return std::exchange(heard_, {});
  const std::string all = heard_.substr(0, at + text.size());
  heard_.erase(0, all.size());
  return all;
}

std::string Browser::reply() {
  std::string all = hear("\r\n\r\n");
  const std::size_t at = all.find("Content-Length: ");
  if (at == all.npos) return all;
  const std::size_t size = std::strtoul(all.c_str() + at + 16, nullptr, 10);
  while (heard_.size() < size)
    if (!read_more()) break;
  all += heard_.substr(0, size);
  heard_.erase(0, size);
  return all;
}

std::string Browser::rest() {
  while (read_more()) {
  }
  return std::exchange(heard_, {});
}

void Browser::finish() { shutdown(socket_.get(), SHUT_WR); }

bool Browser::is_closed() {
  char byte = 0;
  const ssize_t got = recv(socket_.get(), &byte, 1, MSG_DONTWAIT | MSG_PEEK);
  return got == 0 || (got < 0 && errno != EAGAIN);
}

}  // namespace histolab::web::testing
