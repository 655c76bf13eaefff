// Existing rows, so that a benchmark continues where it was interrupted.
#pragma once

#include <nlohmann/json.hpp>

#include <set>
#include <string>

namespace histolab::kernels::cuda::bench {

// Returns the identity of a row: its kernel and its case.
[[nodiscard]] std::string key_of(const nlohmann::ordered_json& row);

// Returns the keys of the rows in a file. The file has JSON lines as written by histolab-bench, or
// one object {"rows": [...]}. Other lines and an incomplete last line are ignored. Returns an empty
// set if the file cannot be read.
[[nodiscard]] std::set<std::string> rows_in(const std::string& path);

}  // namespace histolab::kernels::cuda::bench
