#include "grader/html/html_page.h"

#include <fmt/format.h>

#include <cstdint>

#include "grader/files/sha256.h"
#include "grader/html/html.h"

namespace histolab::grader {
namespace {

std::uint32_t hex_digit(char c) {
  return static_cast<std::uint32_t>(c <= '9' ? c - '0' : c - 'a' + 10);
}

// 'sha256-...': the digest in base64 (RFC 4648), as a policy names what it lets through.
std::string source_of(const std::string& text) {
  constexpr const char* digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const std::string hex = sha256(text) + "00";  // 33 bytes: 11 groups of three
  std::string base64;
  for (std::size_t at = 0; at < hex.size(); at += 6) {
    std::uint32_t bits = 0;
    for (std::size_t i = 0; i < 6; ++i) bits = bits << 4 | hex_digit(hex[at + i]);
    for (int shift = 18; shift >= 0; shift -= 6) base64 += digits[bits >> shift & 63];
  }
  base64.back() = '=';
  return "'sha256-" + base64 + "'";
}

}  // namespace

std::string html_head(const HtmlPage& page) {
  const std::string style = page.style_attributes ? "'unsafe-inline'" : source_of(page.style);
  const std::string script =
      page.script.empty() ? std::string{} : "; script-src " + source_of(page.script);
  return fmt::format(
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta "
      "name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src {}{}; "
      "base-uri 'none'; form-action 'none'\">\n"
      "<meta name=\"color-scheme\" content=\"light "
      "dark\">\n<title>{}</title>\n<style>{}</style>\n</head>\n<body>\n",
      style, script, escaped_html(page.title), page.style);
}

std::string html_tail(const HtmlPage& page) {
  return (page.script.empty() ? "" : "<script>" + page.script + "</script>\n") +
         "</body>\n</html>\n";
}

std::string to_html(const HtmlPage& page) { return html_head(page) + page.body + html_tail(page); }

}  // namespace histolab::grader
