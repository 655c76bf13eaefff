// Measurements: rows of docs/measurements/*.json for quizzes, so that a quiz contains no typed
// measurements.
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
  // Returns the only row of `file` ("h200-bench") with these values of the keys in `where`. Returns
  // an Error if the file is missing, or if no row or several rows fit.
  [[nodiscard]] Result<const Json*> row(const std::string& file, const Json& where);
  // Returns the device of a file, for example "NVIDIA H200".
  [[nodiscard]] Result<std::string> device(const std::string& file);

 private:
  [[nodiscard]] Result<const Json*> read(const std::string& file);
  std::string folder_;
  std::map<std::string, Json> files_;  // files read so far
};

}  // namespace histolab::quiz
