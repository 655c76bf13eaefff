// Existing rows, so that a benchmark continues where it was interrupted.
#pragma once

#include <nlohmann/json.hpp>

#include <set>
#include <string>

namespace histolab::kernels::cuda::bench {

// The identity of a row: its kernel and its case.
[[nodiscard]] std::string key_of(const nlohmann::ordered_json& row);

// The keys of the rows in a file: JSON lines as histolab-bench writes them, or one object {"rows": [...]}. Other lines,
// and a last one that is torn, are no rows; neither is anything in a file that cannot be read.
[[nodiscard]] std::set<std::string> rows_in(const std::string& path);

}  // namespace histolab::kernels::cuda::bench
