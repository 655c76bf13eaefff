#include "grader/quiz/measured.h"

#include <fmt/format.h>

#include <algorithm>

#include "grader/words/words.h"

namespace histolab::quiz {
namespace {

bool fits(const Json& row, const Json& where) {
  return std::all_of(where.items().begin(), where.items().end(), [&](const auto& wanted) {
    const auto found = row.find(wanted.key());
    return found != row.end() && *found == wanted.value();
  });
}

}  // namespace

Result<const Json*> Measurements::read(const std::string& file) {
  if (const auto known = files_.find(file); known != files_.end()) return &known->second;
  const bool plain =
      !file.empty() &&
      file.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-") == std::string::npos;
  if (!plain) return Error{fmt::format("\"{}\" is not the name of a file of measurements", file)};
  Json json =
      TRY(grader::read_json_file(fmt::format("{}/{}.json", folder_, file), "file of measurements"));
  const bool has_rows = json.is_object() && json.contains("rows") && json["rows"].is_array() &&
                        json.contains("device") && json["device"].is_string();
  if (!has_rows) return Error{fmt::format("{}/{}.json has no rows of a device", folder_, file)};
  return &files_.emplace(file, std::move(json)).first->second;
}

Result<const Json*> Measurements::row(const std::string& file, const Json& where) {
  const Json* json = TRY(read(file));
  const Json* found = nullptr;
  std::size_t rows = 0;
  for (const Json& row : (*json)["rows"])
    if (row.is_object() && fits(row, where)) {
      found = &row;
      ++rows;
    }
  if (rows == 1) return found;
  return Error{fmt::format("{} of {}.json fit {}; exactly one must",
                           rows == 0 ? "no rows" : grader::counted(rows, "row"), file,
                           where.dump())};
}

Result<std::string> Measurements::device(const std::string& file) {
  const Json* json = TRY(read(file));
  return (*json)["device"].get<std::string>();
}

}  // namespace histolab::quiz
