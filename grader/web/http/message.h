// Request and Reply: what a browser asks and what it gets, as plain values.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace histolab::web {

inline constexpr std::size_t most_path_bytes = 1024;  // with the query, before decoding
inline constexpr std::size_t most_header_bytes = 8 * 1024;
inline constexpr std::size_t most_body_bytes = 320 * 1024;

// The request headers that reach the service, in lower case. Others are dropped.
inline constexpr std::string_view kept_headers[] = {"accept",         "content-type",   "cookie",
                                                    "host",           "if-none-match",  "origin",
                                                    "sec-fetch-site", "accept-language"};

struct Request {
  std::string method;  // "GET", "HEAD" or "POST"
  // Decoded: it begins with a slash, is printable ASCII, and has no empty part and no "." or "..".
  std::string path;
  std::map<std::string, std::string> query;    // decoded UTF-8; of a repeated name, the last value
  std::map<std::string, std::string> headers;  // kept_headers only; printable ASCII
  std::string body;                            // at most most_body_bytes; any bytes
  std::string peer;                            // IP address of the client, without the port
  bool operator==(const Request&) const = default;
};

using Headers = std::vector<std::pair<std::string, std::string>>;

struct Reply {
  int status = 200;
  Headers headers;  // without Content-Length, Date and Connection
  std::string body;
};

}  // namespace histolab::web
