// Parses input from pages: paths, queries, forms, JSON, and commands for a running launch.
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace histolab::web {

// The parts of a path: "/lab/02-atomic-add" has "lab" and "02-atomic-add".
[[nodiscard]] std::vector<std::string> parts_of(const std::string& path);

// Returns `fallback` for an empty text, and nullopt if it is not a number up to `most`.
[[nodiscard]] std::optional<std::uint64_t> number_of(const std::string& text,
                                                     std::uint64_t fallback, std::uint64_t most);
// The same for a value of a query.
[[nodiscard]] std::optional<std::uint64_t> number_in(
    const std::map<std::string, std::string>& query, const std::string& name,
    std::uint64_t fallback, std::uint64_t most);

// The text under a key of an object. Empty if there is none.
[[nodiscard]] std::string text_in(const nlohmann::json& object, const char* key);

// The fields of a form (application/x-www-form-urlencoded). If a name is repeated, its last value
// counts.
[[nodiscard]] std::map<std::string, std::string> form_of(std::string_view body);

// Whether a line is a command of `histolab run --control`: pause, run, quit, step N or speed N.
[[nodiscard]] bool is_stream_command(std::string_view line);

}  // namespace histolab::web
