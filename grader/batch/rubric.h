// Rubric: an instructor's changes to the kit's labs, and the settings of an assignment. The format
// is in docs/rubric.schema.json, and explained in docs/command-line.md ("An assignment").
//
// The changes are merged into lab.json as JSON, and the result is read like any lab (lab.h).
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "grader/batch/late.h"
#include "grader/files/json_reader.h"
#include "grader/lab/lab.h"
#include "reference/result.h"

namespace histolab::batch {

struct Meta;  // journal.h

struct Rubric {
  std::string text;                          // as it was read; empty without a rubric
  std::map<std::string, grader::Json> labs;  // the changes of each lab
  LatePolicy late;
  // The graded labs of an assignment, by name. Empty for a rubric: then all labs are graded.
  std::vector<std::string> chosen;
  std::map<std::string, double> weights;
  std::optional<std::uint64_t> seed;
  std::string roster, extensions;  // paths; those in the file are relative to its folder

  // The factor of a lab's points in totals, 1 by default.
  [[nodiscard]] double weight_of(const std::string& lab) const;
  // The parts that a lab's verdicts depend on, by the lab's name.
  [[nodiscard]] std::map<std::string, std::string> of_labs() const;
};

// `file` is the name used in messages. An Error has the file, the JSON pointer and the expected
// value.
[[nodiscard]] Result<Rubric> read_rubric(const std::string& file, const std::string& text);

[[nodiscard]] Result<Rubric> load_rubric(const std::string& path);

// Replaces the file name in messages about a journal's rubric.
inline constexpr const char* kept_rubric = "the journal's rubric";
// The rubric of a journal's last run.
[[nodiscard]] Result<Rubric> rubric_in(const Meta& meta);

// Applies the rubric to the labs; `all` has the names of all labs. Returns an Error if the rubric
// names an unknown lab, check or case, or if the points do not add up. The message has the first
// problems and the number of further ones.
[[nodiscard]] Result<std::vector<grader::LabSpec>> with_rubric(
    const std::vector<grader::LabSpec>& labs, const std::vector<std::string>& all,
    const Rubric& rubric, const std::string& file);

// Returns the lab.json of each lab that the rubric changes, by the lab's name. `labs` are unchanged
// labs, as for with_rubric().
[[nodiscard]] Result<std::map<std::string, std::string>> changed_descriptions(
    const std::vector<grader::LabSpec>& labs, const Rubric& rubric);

}  // namespace histolab::batch
