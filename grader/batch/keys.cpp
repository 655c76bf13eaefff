#include "grader/batch/keys.h"

#include <utf8proc.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>

#include "grader/files/sha256.h"
#include "grader/words/characters.h"

namespace histolab::batch {
namespace {

constexpr std::size_t longest = 64, bytes_of_hash = 8;
constexpr std::size_t bytes_of_long_hash = 32,
                      before_long_hash = longest + bytes_of_hash - bytes_of_long_hash;

bool is_plain(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' ||
         c == '-' || c == '_';
}

std::string plain_part(const std::string& name) {
  std::string key;
  for (const char c : name.substr(0, longest)) key += is_plain(c) ? c : '_';
  if (key.empty() || key.front() == '.' || key.front() == '-') key = ("_" + key).substr(0, longest);
  return key;
}

}  // namespace

std::string as_utf8(const std::string& text) {
  using nlohmann::json;
  // mutant 1 -> 2, false -> true: writes the same text differently, and it is read back at once
  return json::parse(json(text).dump(-1, ' ', false, json::error_handler_t::replace))
      .get<std::string>();
}

namespace {
std::string mapped(const std::string& text, int options) {
  utf8proc_uint8_t* found = nullptr;
  const utf8proc_ssize_t size =
      utf8proc_map(reinterpret_cast<const utf8proc_uint8_t*>(text.data()),
                   static_cast<utf8proc_ssize_t>(text.size()), &found,
                   static_cast<utf8proc_option_t>(UTF8PROC_STABLE | UTF8PROC_COMPOSE | options));
  const std::unique_ptr<utf8proc_uint8_t, decltype(&std::free)> owner{found, &std::free};
  return size < 0
             ? text
             : std::string{reinterpret_cast<const char*>(found), static_cast<std::size_t>(size)};
}
}  // namespace

std::string composed(const std::string& name) { return mapped(name, 0); }
std::string folded(const std::string& text) { return mapped(text, UTF8PROC_CASEFOLD); }

std::vector<std::string> keys_of(const std::vector<std::string>& names) {
  std::vector<std::string> keys;
  std::map<std::string, int> taken;
  for (const std::string& name : names) ++taken[grader::lower(keys.emplace_back(plain_part(name)))];
  for (std::size_t i = 0; i < names.size(); ++i)
    if (keys[i] != names[i] || taken[grader::lower(keys[i])] > 1)
      keys[i] += "~" + grader::sha256(names[i]).substr(0, bytes_of_hash);
  // Anyone can find two names with the same short hash within a second.
  std::map<std::string, int> hashed;
  for (const std::string& key : keys) ++hashed[grader::lower(key)];
  for (std::size_t i = 0; i < names.size(); ++i)
    if (hashed[grader::lower(keys[i])] > 1)
      keys[i] = plain_part(names[i]).substr(0, before_long_hash) + "~" +
                grader::sha256(names[i]).substr(0, bytes_of_long_hash);
  return keys;
}

bool is_key(std::string_view text) {
  if (text.empty() || text.size() > longest + 1 + bytes_of_hash || text.front() == '.' ||
      text.front() == '-')
    return false;
  return std::ranges::all_of(text, [](char c) { return is_plain(c) || c == '~'; });
}

}  // namespace histolab::batch
