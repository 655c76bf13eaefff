// Session: recognizes the student's browser by a secret link. Other users of the machine can reach
// the same address.
//
// The link sets a cookie. Every request but the link itself, /site/ and /health needs it. A request
// that changes something must come from a page of this server.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "grader/web/http/message.h"
#include "reference/result.h"

namespace histolab::web {

class Session {
 public:
  // `hosts` are the values of the Host header under which this server is reached: a page of another
  // name that leads here (DNS rebinding) is refused. Returns an Error without random numbers.
  static Result<Session> make(std::uint16_t port, std::vector<std::string> hosts);

  // The path of the secret link: "/j/0123...".
  [[nodiscard]] std::string link() const { return "/j/" + token_; }
  // Returns the value of Set-Cookie if `path` is the secret link.
  [[nodiscard]] std::optional<std::string> cookie_for(const std::string& path) const;
  [[nodiscard]] bool is_known(const Request& request) const;
  [[nodiscard]] bool is_for_this_server(const Request& request) const;
  // Whether the browser says that a page of this server sent it, or the user directly.
  [[nodiscard]] static bool is_of_own_page(const Request& request);
  // Whether the browser says that a page of another site, or of another port, sent it.
  [[nodiscard]] static bool is_of_other_site(const Request& request);

 private:
  Session() = default;
  std::string token_, key_, cookie_;  // in the link, in the cookie; the cookie's name
  std::vector<std::string> hosts_;
};

}  // namespace histolab::web
