#include "grader/web/service/forms.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "grader/web/http/request_rules.h"

namespace histolab::web {
namespace {

// A broken escape, which no browser makes, stays as it is.
std::string decoded(std::string_view text) {
  return percent_decoded(text, true).value_or(std::string(text));
}

bool is_number(std::string_view text) {
  return !text.empty() && text.size() <= 12 &&
         std::ranges::all_of(text, [](char c) { return (c >= '0' && c <= '9') || c == '.'; }) &&
         std::ranges::count(text, '.') <= 1 && text != ".";
}

}  // namespace

std::vector<std::string> parts_of(const std::string& path) {
  std::vector<std::string> parts;
  std::string_view rest = std::string_view(path).substr(1);
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find('/'), rest.size());
    parts.emplace_back(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return parts;
}

std::optional<std::uint64_t> number_of(const std::string& text, std::uint64_t fallback,
                                       std::uint64_t most) {
  if (text.empty()) return fallback;
  if (text.size() > 9 || !std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; }))
    return std::nullopt;
  const std::uint64_t number = std::stoull(text);
  return number <= most ? std::optional{number} : std::nullopt;
}

std::optional<std::uint64_t> number_in(const std::map<std::string, std::string>& query,
                                       const std::string& name, std::uint64_t fallback,
                                       std::uint64_t most) {
  const auto found = query.find(name);
  return number_of(found == query.end() ? std::string{} : found->second, fallback, most);
}

std::string text_in(const nlohmann::json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_string() ? found->get<std::string>() : std::string{};
}

std::map<std::string, std::string> form_of(std::string_view body) {
  std::map<std::string, std::string> fields;
  while (!body.empty()) {
    const std::size_t end = std::min(body.find('&'), body.size());
    const std::string_view field = body.substr(0, end);
    body.remove_prefix(std::min(end + 1, body.size()));
    const std::size_t equals = std::min(field.find('='), field.size());
    fields[decoded(field.substr(0, equals))] =
        decoded(field.substr(std::min(equals + 1, field.size())));
  }
  return fields;
}

bool is_stream_command(std::string_view line) {
  if (line == "pause" || line == "run" || line == "quit") return true;
  for (const std::string_view word : {"step ", "speed "})
    if (line.starts_with(word)) return is_number(line.substr(word.size()));
  return false;
}

}  // namespace histolab::web
