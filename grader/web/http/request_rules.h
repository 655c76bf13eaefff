// The rules for a Request. The front applies them to bytes from the network, and the service again
// to everything that the front sends.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "grader/web/http/message.h"

namespace histolab::web {

struct Target {
  std::string path;
  std::map<std::string, std::string> query;
};

// A request that the front answers itself.
struct Refusal {
  int status = 400;
  std::string_view why = {};  // a sentence without its full stop
};

// Reads the target of a request line, such as "/lab/a?x=1%202". Returns nullopt, and the reason in
// `refusal`, if it breaks a rule of Request::path or Request::query.
[[nodiscard]] std::optional<Target> parse_target(std::string_view target, Refusal& refusal);

[[nodiscard]] bool is_method(std::string_view method);  // one of Request::method
[[nodiscard]] bool is_path(std::string_view path);      // a value of Request::path
[[nodiscard]] bool is_address(const std::string& peer);
// For the value of a header of a request: printable ASCII.
[[nodiscard]] bool is_printable(std::string_view text);
[[nodiscard]] bool is_utf8_without_nul(std::string_view text);
// Returns nullopt if a percent sign is not followed by two hexadecimal digits.
[[nodiscard]] std::optional<std::string> percent_decoded(std::string_view text, bool plus_is_space);
// A header's name in lower case: a token of RFC 9110.
[[nodiscard]] bool is_header_name(std::string_view name);
[[nodiscard]] bool is_kept(std::string_view lower_case_name);

// Whether the request keeps all rules above, and its limits. `proxy_header` as in FrontOptions.
[[nodiscard]] bool is_valid(const Request& request, std::string_view proxy_header);

}  // namespace histolab::web
