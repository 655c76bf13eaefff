// Measurements: rows of docs/measurements/*.json that a quiz asks about, so that no measured number
// is typed in.
#pragma once

#include <map>
#include <string>

#include "grader/files/json_reader.h"
#include "reference/result.h"

namespace histolab::quiz {

using grader::Json;

class Measurements {
 public:
  explicit Measurements(std::string folder) : folder_(std::move(folder)) {}
  // The one row of `file` ("h200-bench") in which each key of `where` has its value. Error: there
  // is no such file, no such row, or several.
  [[nodiscard]] Result<const Json*> row(const std::string& file, const Json& where);
  // "NVIDIA H200".
  [[nodiscard]] Result<std::string> device(const std::string& file);

 private:
  [[nodiscard]] Result<const Json*> read(const std::string& file);
  std::string folder_;
  std::map<std::string, Json> files_;  // those that were asked for
};

}  // namespace histolab::quiz
