#include "grader/web/service/session.h"

#include <fmt/format.h>
#include <sys/random.h>

#include <algorithm>
#include <array>

namespace histolab::web {
namespace {

Result<std::string> secret() {
  std::array<unsigned char, 16> bytes{};
  if (getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size()))
    return Error{"this machine provides no random numbers, so no secret link can be made"};
  std::string text;
  for (const unsigned char each : bytes) text += fmt::format("{:02x}", each);
  return text;
}

// Takes the same time wherever the texts differ.
bool is_equal(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  unsigned difference = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    difference |= static_cast<unsigned char>(a[i]) ^ static_cast<unsigned char>(b[i]);
  return difference == 0;
}

std::string_view header(const Request& request, const std::string& name) {
  const auto found = request.headers.find(name);
  return found == request.headers.end() ? std::string_view{} : found->second;
}

std::string_view trimmed(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

}  // namespace

Result<Session> Session::make(std::uint16_t port, std::vector<std::string> hosts) {
  Session session;
  session.token_ = TRY(secret());
  session.key_ = TRY(secret());
  // Browsers send a host's cookies to all its ports.
  session.cookie_ = fmt::format("histolab_{}", port);
  session.hosts_ = std::move(hosts);
  return session;
}

std::optional<std::string> Session::cookie_for(const std::string& path) const {
  if (!is_equal(path, link())) return std::nullopt;
  return fmt::format("{}={}; Path=/; HttpOnly; SameSite=Lax", cookie_, key_);
}

bool Session::is_known(const Request& request) const {
  std::string_view rest = header(request, "cookie");
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find(';'), rest.size());
    const std::string_view pair = trimmed(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
    const std::size_t equals = pair.find('=');
    if (equals != pair.npos && pair.substr(0, equals) == cookie_ &&
        is_equal(pair.substr(equals + 1), key_))
      return true;
  }
  return false;
}

bool Session::is_for_this_server(const Request& request) const {
  return std::ranges::find(hosts_, header(request, "host")) != hosts_.end();
}

bool Session::is_of_own_page(const Request& request) {
  if (header(request, "sec-fetch-site") != "") return !is_of_other_site(request);
  const std::string_view origin = header(request, "origin"), host = header(request, "host");
  return origin == fmt::format("http://{}", host) || origin == fmt::format("https://{}", host);
}

bool Session::is_of_other_site(const Request& request) {
  const std::string_view site = header(request, "sec-fetch-site");
  return site != "" && site != "same-origin" && site != "none";
}

}  // namespace histolab::web
