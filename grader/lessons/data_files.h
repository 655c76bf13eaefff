// DataFiles: what was measured, found by name. Files of docs/measurements and of profiles, each
// read once.
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

// A row of a measurement file, in words. The field may still be missing: the name of a selection
// can be narrowed down later.
struct Selection {
  std::string file;  // "h200-lessons"
  std::vector<Condition> conditions;
  std::string field;  // a key of the row, or "speed": 10^9 elements per second
};

class DataFiles {
 public:
  // The folders.
  DataFiles(std::string measurements, std::string profiles)
      : measurements_(std::move(measurements)), profiles_(std::move(profiles)) {}

  // The field of the one row that has all of the conditions; one number for each value of a
  // condition that has several. Error: no row, or more than one; the message says which values
  // there are.
  [[nodiscard]] Result<Value> measured(const Selection& selection);

  // "profile": a figure or a fact of profiles/NAME.json, or the value of a curve at the point `x`.
  [[nodiscard]] Result<Value> profile(const std::string& name, const std::string& id,
                                      const std::string& x);

  // What the head of a file says: device, driver and date as words, or the one `key`. Measurements
  // come before profiles.
  [[nodiscard]] Result<Value> source(const std::string& name, const std::string& key);

 private:
  [[nodiscard]] Result<const Json*> read(const std::string& folder, const std::string& name);

  std::string measurements_, profiles_;
  std::map<std::string, Result<Json>> files_;
};

}  // namespace histolab::grader::lessons
