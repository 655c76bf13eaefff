#include "grader/html/html_page.h"

#include <cstdint>

#include "grader/files/sha256.h"
#include "grader/html/page.html.h"
#include "grader/html/palette.css.h"

namespace histolab::grader {
namespace {

std::uint32_t hex_digit(char c) {
  return static_cast<std::uint32_t>(c <= '9' ? c - '0' : c - 'a' + 10);
}

// Returns 'sha256-...' with the digest in base64 (RFC 4648), as a policy names a source.
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

Html html_head(const HtmlPage& page) {
  const std::string style = std::string{embedded::palette_css} + page.style;
  const std::string allowed = page.style_attributes ? "'unsafe-inline'" : source_of(style);
  const std::string script = page.script.empty() ? "" : "; script-src " + source_of(page.script);
  return html(piece(embedded::page_html, "head"), Html{allowed}, Html{script}, page.title,
              Html{style});
}

Html html_tail(const HtmlPage& page) {
  const Html script = html("<script>{}</script>\n", Html{page.script});
  return html(piece(embedded::page_html, "tail"), page.script.empty() ? Html{} : script);
}

std::string to_html(const HtmlPage& page) {
  return (html_head(page) + page.body + html_tail(page)).markup();
}

}  // namespace histolab::grader
