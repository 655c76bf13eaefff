#include "kernels/cuda/bench/rows.h"

#include <fstream>

namespace histolab::kernels::cuda::bench {

using Json = nlohmann::ordered_json;

std::string key_of(const Json& row) {
  std::string key;
  for (const char* field : {"kernel", "dataset", "layout", "bins", "sample_bytes", "length"})
    key += row.contains(field) ? row[field].dump() + " " : "- ";
  return key;
}

std::set<std::string> rows_in(const std::string& path) {
  std::set<std::string> keys;
  std::ifstream in{path};
  if (const Json whole = Json::parse(in, nullptr, false);
      whole.is_object() && whole.contains("rows")) {
    for (const Json& row : whole["rows"]) keys.insert(key_of(row));
    return keys;
  }
  in = std::ifstream{path};
  for (std::string line; std::getline(in, line);)
    if (const Json row = Json::parse(line, nullptr, false);
        row.is_object() && row.contains("kernel"))
      keys.insert(key_of(row));
  return keys;
}

}  // namespace histolab::kernels::cuda::bench
