// Replies with the headers that every answer of this server has.
#pragma once

#include <string>
#include <string_view>

#include "grader/html/html.h"
#include "grader/web/http/message.h"

namespace histolab::web {

// A page may load only files of this server, has no inline script or style, and cannot be framed.
inline constexpr std::string_view content_policy =
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

// A page, or a part of one.
[[nodiscard]] Reply page_reply(int status, const grader::Html& page);
[[nodiscard]] Reply json_reply(int status, std::string json);
[[nodiscard]] Reply text_reply(std::string text);
// A browser may keep it forever.
[[nodiscard]] Reply asset_reply(std::string type, std::string bytes);
[[nodiscard]] Reply redirection(const std::string& path);
// {"message", "whose"}: the reason for the refusal, and whether the machine is the cause.
[[nodiscard]] Reply refusal(int status, const std::string& message, bool of_machine = false);
// The headers of a reply in parts.
[[nodiscard]] Headers ndjson_headers();

}  // namespace histolab::web
