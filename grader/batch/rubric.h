// Rubric: an instructor's overlay over the labs of the kit, which stay as they came, and what else
// makes them an assignment. docs/rubric.schema.json is the format.
//
//   {"schema": "histolab/assignment/1",            its labs are those that count; of
//   "histolab/rubric/1", all labs do
//    "seed": 815, "roster": "roster.csv", "extensions": "extensions.csv",
//    "labs": {"04-privatization": {
//       "points": {"no_findings": 4}, "max_score": 12,             checks that are not named keep
//       theirs; the sum has to be max_score "leave_out_cases": ["long"], "add_cases": [{...}], a
//       case as in lab.json "checks": {"few_global_atomics": {"cases": ["mixed-256"]}},      on
//       which cases a check is judged "limits": {"launch_seconds": 5, "submission_seconds": 20,
//       "source_bytes": 65536}, "weight": 2, "deadline": "2026-10-02T23:59:00+02:00"}},          of
//       an assignment: how often its points count
//    "late": {"deadline": "2026-11-20T23:59:00+01:00", "percent_a_day": 10, "grace_minutes": 15,
//    "most_percent": 50,
//             "late_days": 3, "deadlines": {"01-race": "2026-10-02T23:59:00+02:00"}}}
//
// It is laid over lab.json as JSON, and the result is read as every lab is (lab.h): whatever holds
// for a lab holds for it too.
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
  std::string text;                          // as it was read; empty: there is none
  std::map<std::string, grader::Json> labs;  // what it says of each lab
  LatePolicy late;
  // Of an assignment: the labs that count, in the order of their names; a rubric has none, and all
  // labs count.
  std::vector<std::string> chosen;
  std::map<std::string, double> weights;
  std::optional<std::uint64_t> seed;
  std::string roster, extensions;  // paths; those in the file are relative to its folder

  // The factor of a lab's points in totals, 1 by default.
  [[nodiscard]] double weight_of(const std::string& lab) const;
  // What of it a lab's verdicts depend on, by the lab's name.
  [[nodiscard]] std::map<std::string, std::string> of_labs() const;
};

// `file` is for messages. Error: the file and the place, and what was expected there.
[[nodiscard]] Result<Rubric> read_rubric(const std::string& file, const std::string& text);

[[nodiscard]] Result<Rubric> load_rubric(const std::string& path);

// What messages call a rubric that is a journal's.
inline constexpr const char* kept_rubric = "the journal's rubric";
// That of a journal's last run.
[[nodiscard]] Result<Rubric> rubric_in(const Meta& meta);

// The labs as the rubric changes them; `all` are the names of all there are. Error, and how many
// more there are: it names a lab, check or case that is not there; points that do not add up, with
// their sum.
[[nodiscard]] Result<std::vector<grader::LabSpec>> with_rubric(
    const std::vector<grader::LabSpec>& labs, const std::vector<std::string>& all,
    const Rubric& rubric, const std::string& file);

// lab.json of those labs that the rubric changes, by the lab's name. `labs` are as with_rubric()
// took them.
[[nodiscard]] Result<std::map<std::string, std::string>> changed_descriptions(
    const std::vector<grader::LabSpec>& labs, const Rubric& rubric);

}  // namespace histolab::batch
