// DataFiles: looks up measured values by name, in files of docs/measurements and of profiles. Each
// file is read once.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "grader/files/json_reader.h"
#include "grader/lessons/expression.h"
#include "grader/lessons/value.h"
#include "reference/result.h"

namespace histolab::grader::lessons {

// Selects a row of a measurement file. The field may be empty, since an expression can narrow a
// named selection down later.
struct Selection {
  std::string file;  // "h200-lessons"
  std::vector<Condition> conditions;
  std::string field;  // a key of the row, or "speed": 10^9 elements per second
};

class DataFiles {
 public:
  // `measurements` and `profiles` are folders.
  DataFiles(std::string measurements, std::string profiles)
      : measurements_(std::move(measurements)), profiles_(std::move(profiles)) {}

  // Returns the field of the only row that meets all conditions. If a condition has several values,
  // returns one number for each of them. Returns an Error that lists the known values if no row
  // fits, or several do.
  [[nodiscard]] Result<Value> measured(const Selection& selection);

  // "profile": returns a figure or a fact of profiles/NAME.json, or the value of a curve at the
  // point `x`.
  [[nodiscard]] Result<Value> profile(const std::string& name, const std::string& id,
                                      const std::string& x);

  // Returns the head of a file as words: device, driver and date, or the value of `key`.
  // Measurements come before profiles.
  [[nodiscard]] Result<Value> source(const std::string& name, const std::string& key);

 private:
  [[nodiscard]] Result<const Json*> read(const std::string& folder, const std::string& name);

  std::string measurements_, profiles_;
  std::map<std::string, Result<Json>> files_;
};

}  // namespace histolab::grader::lessons
