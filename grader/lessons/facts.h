// Facts: evaluates the placeholders of a page. docs/lessons.md lists what they may contain.
#pragma once

#include <map>
#include <string>
#include <variant>
#include <vector>

#include "grader/files/json_reader.h"
#include "grader/lab/lab.h"
#include "grader/lessons/data_files.h"
#include "grader/lessons/expression.h"
#include "grader/lessons/runs.h"
#include "reference/result.h"

namespace histolab::grader::lessons {

// Returns the runs that an expression needs. The word "this" means the lab `own`. Returns an Error
// if the words do not name a run, or if the lab is missing.
[[nodiscard]] Result<std::vector<RunKey>> wanted_runs(const Expression& expression,
                                                      const std::vector<LabSpec>& labs,
                                                      const LabSpec& own);

class Facts {
 public:
  // All arguments are borrowed. `runs` must contain the result of wanted_runs.
  Facts(DataFiles& files, const std::vector<LabSpec>& labs, const LabSpec& own, const Runs& runs)
      : files_(files), labs_(labs), own_(own), runs_(runs) {}

  // Defines the name of a `let`. Returns an Error if the name is already in use, or if its value is
  // invalid.
  [[nodiscard]] Status name(const Expression& expression);
  [[nodiscard]] Result<Value> value(const Expression& expression);

 private:
  [[nodiscard]] Result<Value> operand(const Words& words);
  // Evaluates "measured FILE ..." or "NAME ...".
  [[nodiscard]] Result<Selection> selection(const Words& words);
  [[nodiscard]] Result<const CaseResult*> run(const Words& words);
  [[nodiscard]] Result<Value> from_lab(const Words& words);
  [[nodiscard]] bool names_selection(const Words& words) const;

  DataFiles& files_;
  const std::vector<LabSpec>& labs_;
  const LabSpec& own_;
  const Runs& runs_;
  std::map<std::string, std::variant<Value, Selection>> names_;
  std::map<std::string, Json> lab_files_;  // parsed lab.json, by lab
};

}  // namespace histolab::grader::lessons
