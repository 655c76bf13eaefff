#include "grader/web/http/request_rules.h"

#include <doctest/doctest.h>

namespace histolab::web {
namespace {

using Query = std::map<std::string, std::string>;

TEST_CASE("a target is a path and a query, both decoded") {
  struct Row {
    std::string_view target, path;
    Query query;
  };
  const Row rows[] = {
      {"/", "/", {}},
      {"/lab/02-atomic-add", "/lab/02-atomic-add", {}},
      {"/lab/a%20b", "/lab/a b", {}},
      {"/docs/a..b.md", "/docs/a..b.md", {}},
      {"/a?", "/a", {}},
      {"/a?x", "/a", {{"x", ""}}},
      {"/a?x=1&y=2&x=3&&", "/a", {{"x", "3"}, {"y", "2"}}},
      {"/a?x=a+b%2B%3d", "/a", {{"x", "a b+="}}},
      {"/a?x=%C3%BC/..", "/a", {{"x", "\xc3\xbc/.."}}},
      {"/a+b", "/a+b", {}},
  };
  for (const Row& row : rows) {
    CAPTURE(row.target);
    Refusal refusal;
    const auto target = parse_target(row.target, refusal);
    REQUIRE(target);
    CHECK_EQ(target->path, row.path);
    CHECK(target->query == row.query);
  }
}

TEST_CASE("a target that breaks a rule is refused with the status of the fault") {
  const std::pair<std::string, int> rows[] = {
      {"", 400},
      {"lab", 400},
      {"*", 400},
      {"http://127.0.0.1/", 400},
      {"//", 404},
      {"/a//b", 404},
      {"/a/", 404},
      {"/.", 400},
      {"/a/./b", 400},
      {"/..", 400},
      {"/a/../b", 400},
      {"/%2e%2E/b", 400},
      {"/a%2fb", 400},
      {"/a%00", 400},
      {"/a%0a", 400},
      {"/%c3%bc", 400},
      {"/\xc3\xbc", 400},
      {"/a b", 400},
      {"/a#b", 400},
      {"/a%", 400},
      {"/a%2", 400},
      {"/a%2x", 400},
      {"/a?x=%", 400},
      {"/a?x=%00", 400},
      {"/a?x=%ff", 400},
      {"/a?%c3=1", 400},
      {"/" + std::string(most_path_bytes, 'a'), 414},
      {"/a?" + std::string(most_path_bytes, 'a'), 414},
  };
  for (const auto& [text, status] : rows) {
    CAPTURE(text);
    Refusal refusal{0, ""};
    CHECK_FALSE(parse_target(text, refusal));
    CHECK_EQ(refusal.status, status);
    CHECK_FALSE(refusal.why.empty());
  }
  std::string names = "/a?";
  for (int i = 0; i < 65; ++i) names += std::to_string(i) + "=&";
  Refusal refusal;
  CHECK_FALSE(parse_target(names, refusal));
}

TEST_CASE("the service accepts only requests that keep the rules") {
  const Request good{"POST", "/a", {{"x", "1"}}, {{"host", "a"}}, "body", "10.0.0.1"};
  CHECK(is_valid(good, ""));
  CHECK(is_valid({"GET", "/", {}, {{"x-user", "a"}}, "", "fe80::1"}, "x-user"));
  const auto broken = [&](auto change) {
    Request request = good;
    change(request);
    return !is_valid(request, "");
  };
  CHECK(broken([](Request& of) { of.method = "PUT"; }));
  CHECK(broken([](Request& of) { of.path = ""; }));
  CHECK(broken([](Request& of) { of.path = "/a/../b"; }));
  CHECK(broken([](Request& of) { of.path = std::string("/a\0", 3); }));
  CHECK(broken([](Request& of) { of.query["x"] = "\xff"; }));
  CHECK(broken([](Request& of) { of.query["x"] = std::string(most_path_bytes, 'a'); }));
  CHECK(broken([](Request& of) { of.headers["x-user"] = "a"; }));
  CHECK(broken([](Request& of) { of.headers["host"] = "a\n"; }));
  CHECK(broken([](Request& of) { of.headers["host"] = std::string(most_header_bytes, 'a'); }));
  CHECK(broken([](Request& of) { of.body.resize(most_body_bytes + 1); }));
  CHECK(broken([](Request& of) { of.peer = ""; }));
  CHECK(broken([](Request& of) { of.peer = "localhost"; }));
  CHECK(broken([](Request& of) { of.peer = std::string("10.0.0.1\0a", 10); }));
}

}  // namespace
}  // namespace histolab::web
