#include "grader/web/http/request_rules.h"

#include <arpa/inet.h>

#include <algorithm>
#include <array>

#include "reference/utf8.h"

namespace histolab::web {
namespace {

constexpr std::size_t most_names = 64;  // of a query

int digit_of(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

bool is_visible(char c) { return c > ' ' && c <= '~'; }

// Calls `use` for each part of the text between separators, until it returns false.
template <class Use>
bool all_parts(std::string_view text, char separator, Use use) {
  for (;;) {
    const std::size_t end = text.find(separator);
    if (!use(text.substr(0, end))) return false;
    if (end == text.npos) return true;
    text.remove_prefix(end + 1);
  }
}

}  // namespace

std::optional<std::string> percent_decoded(std::string_view text, bool plus_is_space) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      out += plus_is_space && text[i] == '+' ? ' ' : text[i];
      continue;
    }
    if (i + 2 >= text.size()) return std::nullopt;
    const int high = digit_of(text[i + 1]), low = digit_of(text[i + 2]);
    if (high < 0 || low < 0) return std::nullopt;
    out += static_cast<char>(high * 16 + low);
    i += 2;
  }
  return out;
}

bool is_method(std::string_view method) {
  return method == "GET" || method == "HEAD" || method == "POST";
}

bool is_printable(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return c == ' ' || is_visible(c); });
}

bool is_utf8_without_nul(std::string_view text) {
  while (!text.empty()) {
    const Character next = first_character(text);
    if (next.bytes == 0 || text.front() == 0) return false;
    text.remove_prefix(next.bytes);
  }
  return true;
}

bool is_header_name(std::string_view name) {
  return !name.empty() && name.size() <= 64 && std::ranges::all_of(name, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
  });
}

bool is_kept(std::string_view name) {
  return std::ranges::find(kept_headers, name) != std::ranges::end(kept_headers);
}

bool is_path(std::string_view path) {
  if (path == "/") return true;
  if (!path.starts_with('/') || path.size() > most_path_bytes || !is_printable(path)) return false;
  return all_parts(path.substr(1), '/', [](std::string_view part) {
    return !part.empty() && part != "." && part != "..";
  });
}

bool is_address(const std::string& peer) {
  std::array<unsigned char, sizeof(in6_addr)> bytes{};
  return peer.find('\0') == peer.npos && (inet_pton(AF_INET, peer.c_str(), bytes.data()) == 1 ||
                                          inet_pton(AF_INET6, peer.c_str(), bytes.data()) == 1);
}

std::optional<Target> parse_target(std::string_view target, Refusal& refusal) {
  const auto refuse = [&](int status, std::string_view why) {
    refusal = {status, why};
    return std::nullopt;
  };
  if (target.size() > most_path_bytes) return refuse(414, "the address is too long");
  if (!target.starts_with('/')) return refuse(400, "the path must begin with a slash");
  if (!std::ranges::all_of(target, is_visible) || target.find('#') != target.npos)
    return refuse(400, "the address has a character that must be percent-encoded");
  const std::size_t mark = target.find('?');
  std::string_view raw = target.substr(0, mark);
  Target made;
  bool decodable = true, slashes = false;
  if (raw != "/")
    all_parts(raw.substr(1), '/', [&](std::string_view part) {
      const auto decoded = percent_decoded(part, false);
      decodable = decodable && decoded.has_value();
      if (!decoded) return false;
      // An encoded slash would be a separator after decoding.
      slashes = slashes || decoded->find('/') != decoded->npos;
      made.path += '/' + *decoded;
      return true;
    });
  else
    made.path = "/";
  if (!decodable) return refuse(400, "the path has an incomplete percent-encoding");
  if (slashes || !is_printable(made.path))
    return refuse(400, "the path has an encoded character that no path here has");
  if (made.path.find("//") != made.path.npos || (made.path.size() > 1 && made.path.back() == '/'))
    return refuse(404, "there is no page at this address: it has an empty part");
  if (!is_path(made.path)) return refuse(400, "the path has a part that is a dot or two dots");
  if (mark == target.npos) return made;
  bool good = true;
  all_parts(target.substr(mark + 1), '&', [&](std::string_view part) {
    if (part.empty()) return true;
    const std::size_t equals = part.find('=');
    auto name = percent_decoded(part.substr(0, equals), true);
    auto value = percent_decoded(equals == part.npos ? "" : part.substr(equals + 1), true);
    good = name && value && is_utf8_without_nul(*name) && is_utf8_without_nul(*value) &&
           made.query.size() < most_names;
    if (good) made.query.insert_or_assign(std::move(*name), std::move(*value));
    return good;
  });
  if (!good) return refuse(400, "the query is not percent-encoded UTF-8, or has too many names");
  return made;
}

bool is_valid(const Request& request, std::string_view proxy_header) {
  if (!is_method(request.method) || !is_path(request.path) || !is_address(request.peer))
    return false;
  if (request.body.size() > most_body_bytes || request.query.size() > most_names) return false;
  std::size_t bytes = 0;
  for (const auto& [name, value] : request.query) {
    if (!is_utf8_without_nul(name) || !is_utf8_without_nul(value)) return false;
    bytes += name.size() + value.size();
  }
  if (bytes > most_path_bytes) return false;
  bytes = 0;
  for (const auto& [name, value] : request.headers) {
    if (!is_kept(name) && (proxy_header.empty() || name != proxy_header)) return false;
    if (!is_printable(value)) return false;
    bytes += name.size() + value.size();
  }
  return bytes <= most_header_bytes;
}

}  // namespace histolab::web
