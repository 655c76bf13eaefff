// Facts: looks up what the placeholders of one page ask for. docs/lessons.md is the vocabulary.
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

// The runs that an expression asks for. `own` is the lab that "this" stands for.
// Error: words that do not say which run; a lab that is not there.
[[nodiscard]] Result<std::vector<RunKey>> wanted_runs(const Expression& expression,
                                                      const std::vector<LabSpec>& labs,
                                                      const LabSpec& own);

class Facts {
 public:
  // All are borrowed. `runs` has what wanted_runs asked for.
  Facts(DataFiles& files, const std::vector<LabSpec>& labs, const LabSpec& own, const Runs& runs)
      : files_(files), labs_(labs), own_(own), runs_(runs) {}

  // Of a `let`: the name is known from now on. Error: the name is taken, or its value cannot be
  // had.
  [[nodiscard]] Status name(const Expression& expression);
  [[nodiscard]] Result<Value> value(const Expression& expression);

 private:
  [[nodiscard]] Result<Value> operand(const Words& words);
  [[nodiscard]] Result<Selection> selection(
      const Words& words);  // "measured FILE ..." or "NAME ..."
  [[nodiscard]] Result<const CaseResult*> run(const Words& words);
  [[nodiscard]] Result<Value> from_lab(const Words& words);
  [[nodiscard]] bool names_selection(const Words& words) const;

  DataFiles& files_;
  const std::vector<LabSpec>& labs_;
  const LabSpec& own_;
  const Runs& runs_;
  std::map<std::string, std::variant<Value, Selection>> names_;
  std::map<std::string, Json> lab_files_;  // lab.json, by lab
};

}  // namespace histolab::grader::lessons
