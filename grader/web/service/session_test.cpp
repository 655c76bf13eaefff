// Access: the secret link, its cookie, and requests from this server's pages.
#include "grader/web/service/session.h"

#include <doctest/doctest.h>

using namespace histolab;
using namespace histolab::web;

namespace {

Session session() {
  Result<Session> made = Session::make(8080, {"127.0.0.1:8080", "localhost:8080"});
  REQUIRE(made);
  return *made;
}

Request with(const std::string& header, const std::string& value) {
  Request request;
  request.headers["host"] = "127.0.0.1:8080";
  request.headers[header] = value;
  return request;
}

// "NAME=VALUE" of Set-Cookie.
std::string pair_of(const std::string& cookie) { return cookie.substr(0, cookie.find(';')); }

}  // namespace

TEST_CASE("only the secret link sets the cookie, and only the cookie lets in") {
  const Session own = session();
  const std::optional<std::string> cookie = own.cookie_for(own.link());
  REQUIRE(cookie);
  CHECK(cookie->ends_with("; Path=/; HttpOnly; SameSite=Lax"));
  CHECK(own.is_known(with("cookie", pair_of(*cookie))));
  CHECK(own.is_known(with("cookie", "a=1; " + pair_of(*cookie) + "; b=2")));
  for (const std::string& path : {std::string("/j/"), own.link() + "0", own.link().substr(0, 20),
                                  "/j/" + std::string(32, '0'), std::string("/")})
    CHECK_FALSE(own.cookie_for(path));
  for (const std::string& value :
       {std::string{}, std::string("histolab_8080="), pair_of(*cookie) + "0",
        pair_of(*cookie).substr(0, 20), "x" + pair_of(*cookie), std::string(";;=;")})
    CHECK_FALSE(own.is_known(with("cookie", value)));
  CHECK_FALSE(own.is_known(Request{}));
}

TEST_CASE("the link does not tell the cookie, and another server has others") {
  const Session own = session(), other = session();
  CHECK(own.cookie_for(own.link())->find(own.link().substr(3)) == std::string::npos);
  CHECK(own.link() != other.link());
  CHECK_FALSE(other.is_known(with("cookie", pair_of(*own.cookie_for(own.link())))));
}

TEST_CASE("a name that leads here from elsewhere is refused") {
  const Session own = session();
  CHECK(own.is_for_this_server(with("host", "localhost:8080")));
  for (const char* host : {"", "localhost", "127.0.0.1:80", "example.com:8080", "127.0.0.1:8080."})
    CHECK_FALSE_MESSAGE(own.is_for_this_server(with("host", host)), host);
}

TEST_CASE("a change comes from a page of this server") {
  CHECK(Session::is_of_own_page(with("sec-fetch-site", "same-origin")));
  CHECK(Session::is_of_own_page(with("origin", "http://127.0.0.1:8080")));
  CHECK(Session::is_of_own_page(with("origin", "https://127.0.0.1:8080")));  // behind a proxy
  for (const char* site : {"cross-site", "same-site"})
    CHECK_FALSE_MESSAGE(Session::is_of_own_page(with("sec-fetch-site", site)), site);
  for (const char* origin : {"null", "http://127.0.0.1:8081", "http://example.com", ""})
    CHECK_FALSE_MESSAGE(Session::is_of_own_page(with("origin", origin)), origin);
  // For requests that change nothing, browsers need not say where they come from.
  CHECK_FALSE(Session::is_of_other_site(with("accept", "*/*")));
  CHECK_FALSE(Session::is_of_other_site(with("sec-fetch-site", "none")));
  for (const char* site : {"cross-site", "same-site"})
    CHECK_MESSAGE(Session::is_of_other_site(with("sec-fetch-site", site)), site);
  Request both = with("origin", "http://127.0.0.1:8080");
  both.headers["sec-fetch-site"] = "cross-site";
  CHECK_FALSE(Session::is_of_own_page(both));
}
