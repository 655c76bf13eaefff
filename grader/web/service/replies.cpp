#include "grader/web/service/replies.h"

#include "grader/files/json_fields.h"
#include "grader/web/site/assets.h"

namespace histolab::web {
namespace {

Headers headers(std::string type, std::string_view kept = "no-store") {
  return {{"Content-Type", std::move(type)},
          {"Content-Security-Policy", std::string(content_policy)},
          {"Cache-Control", std::string(kept)},
          {"X-Content-Type-Options", "nosniff"},
          {"Referrer-Policy", "same-origin"},
          {"Cross-Origin-Opener-Policy", "same-origin"},
          {"Cross-Origin-Resource-Policy", "same-origin"}};
}

}  // namespace

Reply page_reply(int status, const grader::Html& page) {
  return {status, headers("text/html; charset=utf-8"), page.markup()};
}

Reply json_reply(int status, std::string json) {
  return {status, headers("application/json"), std::move(json)};
}

Reply text_reply(std::string text) {
  return {200, headers("text/plain; charset=utf-8"), std::move(text)};
}

Reply asset_reply(std::string type, std::string bytes) {
  return {200, headers(std::move(type), asset_cache_control), std::move(bytes)};
}

Reply redirection(const std::string& path) {
  Reply reply{303, headers("text/plain; charset=utf-8"), {}};
  reply.headers.emplace_back("Location", path);
  return reply;
}

Reply refusal(int status, const std::string& message, bool of_machine) {
  const grader::OrderedJson json{{"message", message}, {"whose", of_machine ? "machine" : "yours"}};
  return json_reply(
      status, json.dump(-1, ' ', false, grader::OrderedJson::error_handler_t::replace) + "\n");
}

Headers ndjson_headers() {
  Headers all = headers("application/x-ndjson");
  all.emplace_back("X-Accel-Buffering", "no");  // a proxy must not collect the lines
  return all;
}

}  // namespace histolab::web
