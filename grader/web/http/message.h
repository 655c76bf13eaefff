// Request and Reply as plain values.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace histolab::web {

inline constexpr std::size_t most_path_bytes = 1024;  // with the query, before decoding
inline constexpr std::size_t most_header_bytes = 8 * 1024;
inline constexpr std::size_t most_body_bytes = 320 * 1024;
inline constexpr std::size_t most_reply_bytes = 32 * 1024 * 1024;  // of a body
// A client that has not yet taken this many bytes of a reply in parts loses its connection.
inline constexpr std::size_t most_waiting_bytes = 1024 * 1024;

// The request headers that reach the service, in lower case. Others are dropped.
inline constexpr std::string_view kept_headers[] = {"accept",         "content-type",   "cookie",
                                                    "host",           "if-none-match",  "origin",
                                                    "sec-fetch-site", "accept-language"};

struct Request {
  std::string method;  // "GET", "HEAD" or "POST"
  // Decoded: it begins with a slash, is printable ASCII, and has no empty part and no "." or "..".
  std::string path;
  // Decoded UTF-8 without NUL, but perhaps with other control characters; of a repeated name, the
  // last value.
  std::map<std::string, std::string> query;
  // kept_headers, and the header of a trusted proxy if there is one; printable ASCII.
  std::map<std::string, std::string> headers;
  std::string body;  // at most most_body_bytes; any bytes
  std::string peer;  // IP address of the client, without the port
  bool operator==(const Request&) const = default;
};

using Headers = std::vector<std::pair<std::string, std::string>>;

struct Reply {
  int status = 200;
  Headers headers;   // without Content-Length, Date and Connection
  std::string body;  // at most most_reply_bytes
  bool operator==(const Reply&) const = default;
};

using RequestNumber = std::uint64_t;

struct Asked {
  RequestNumber number = 0;
  Request request;
  bool operator==(const Asked&) const = default;
};
struct Left {  // the client has closed the connection: further replies to this request are not read
  RequestNumber number = 0;
  bool operator==(const Left&) const = default;
};
using FrontEvent = std::variant<Asked, Left>;

}  // namespace histolab::web
