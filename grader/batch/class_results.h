// ClassResults: the students and labs of a class, and the result of each student in each lab, as
// plain values.
//
//   intake -> engine -> journal -> ClassReader -> exports (grader/formats), report
//   (grader/class_report)
//
// A ClassReader reads them from a journal, which may still grow. They do not depend on the number
// of jobs or their order. `seconds` is a time and is not exported. Students wrote the text: code
// that shows it escapes it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "grader/report/report.h"
#include "reference/result.h"

namespace histolab::batch {

struct Student {
  std::string key;   // unique in the class; what a journal, a link and a file name are made of
  std::string name;  // for people: as the learning platform has it, else the key
  std::string id, sis_id, login, section,
      email;  // as far as the platform's export tells; else empty
};

struct Lab {
  std::string name, title;
  int max_score = 0;
  std::string stub;  // what everybody began with
  grader::LabResult
      solution;       // graded beside the class, with its seed: what counters are compared with
  double weight = 1;  // factor of its points in totals
};

struct Mark {
  grader::LabResult
      result;            // of a journal: what a report's JSON holds (grader/report/report_reader.h)
  double score = 0;      // after lateness, or as set by hand
  double weight = 1;     // the lab's
  std::string note;      // why the score changed or is missing; may be empty
  bool by_hand = false;  // a person set the score, whatever the result is
  double seconds =
      0;  // of the wall clock, for grading it here; 0: an identical source was graded already
  bool outstanding = false;  // nobody has graded it yet
  // Of the file, or else of another one that the student handed in; below the class's folder.
  std::string path = {};

  // Whether `score` counts. A mark without a score is an empty cell, never 0.
  [[nodiscard]] bool has_score() const { return by_hand || grader::has_mark(result.status); }
};

inline constexpr const char* nothing_handed_in = "nothing was handed in";  // an Entry::problem

struct Entry {
  Student student;
  std::string
      problem;  // why nothing, or not all, of what was handed in could be read; empty: it could
  std::vector<Mark>
      marks;  // one a lab, in the order of ClassResults::labs; none before they are read
};

// Whether a person has looked at all that the grader could not: some mark is by hand, and none is
// missing.
[[nodiscard]] inline bool is_settled(const Entry& entry) {
  const auto& marks = entry.marks;
  return std::ranges::any_of(marks, &Mark::by_hand) && std::ranges::all_of(marks, &Mark::has_score);
}

// A source that was there before this class: the course's own code, or a submission of an earlier
// class.
struct KnownSource {
  std::string lab;
  std::string origin;  // name of the earlier class's folder; empty for the course
  std::string name;    // "the solution", "the attempt no-zeroing"; of an earlier class the student
  std::string text;    // empty in a class that is read from a journal: ClassSource::texts_of
  std::int64_t number = 0;  // in the journal
  [[nodiscard]] bool of_course() const { return origin.empty(); }
};

// "the course's solution", "Roe, Jane (2025)".
[[nodiscard]] inline std::string described(const KnownSource& source) {
  return source.of_course() ? source.name : source.name + " (" + source.origin + ")";
}
// "the same code" (comments and blanks apart), "the same but for names", "92 % the same".
[[nodiscard]] inline std::string described(double share, bool identical, bool renamed) {
  if (identical) return "the same code";
  if (renamed) return "the same but for names";
  return std::to_string(static_cast<int>(std::clamp(100 * share, 0.0, 99.0))) + " % the same";
}

// Two submissions for one lab that are the same, or nearly; or a submission and a known source. For
// a person to look at; it costs no mark.
struct Likeness {
  std::size_t lab = 0;  // in ClassResults::labs
  std::size_t first = 0,
              second = 0;  // in ClassResults::entries, first < second; of a known source the same
  double share = 1;        // of their tokens that they have in common, 0 to 1
  bool identical = false;  // to the token, comments and blanks apart
  bool answers = false;    // not the kernels: the answers to one drawn quiz, which have no mark yet
  bool renamed = false;    // the same but for names
  std::optional<std::size_t> known = {};  // in ClassResults::known
};

struct ClassResults {
  std::string version;                            // of histolab
  std::string device_kind, device_name, sandbox;  // the sandbox's tier
  std::string gpu_name, gpu_driver;               // empty: times are modelled
  std::vector<Lab> labs;
  std::vector<Entry> entries;  // in the order of their keys
  std::vector<Likeness> alike;
  std::vector<KnownSource> known;  // those that `alike` names
  std::size_t outstanding = 0;     // results that are still to come: the batch was stopped, or runs
  std::vector<std::string> remarks =
      {};                // hand-ins that are not in the roster, files of other labs, ...
  std::string lateness;  // a sentence if lateness could cost some students nothing; else empty
};

// Called once per student, with all of the student's marks. An Error ends the reading.
using TakeEntry = std::function<Status(std::size_t number, Entry entry)>;

// A class whose marks are read student by student, as often as needed, so that they are never all
// in memory. The entries in `results` have no marks.
struct ClassSource {
  const ClassResults& results;
  std::function<Status(const TakeEntry&)> each;
  // The two texts of a Likeness of kernels.
  std::function<Result<std::pair<std::string, std::string>>(const Likeness&)> texts_of;
};

// The class that `histolab batch --out OUT` left, or is just grading: one state of its journal,
// which may still grow. Memory is proportional to the class, not to what it handed in or printed.
class ClassReader {
 public:
  // Error: there is no journal that can be read; the message says what to do.
  static Result<ClassReader> open(const std::string& out);
  ClassReader(ClassReader&&) noexcept;
  ClassReader& operator=(ClassReader&&) = delete;
  ~ClassReader();

  // Entries have no marks. `alike` and `known` are empty before find_alike().
  [[nodiscard]] const ClassResults& results() const;
  [[nodiscard]] Status find_alike();
  // In the order of the entries. Error: a result that cannot be read, or what `take` returned.
  [[nodiscard]] Status each(const TakeEntry& take);
  [[nodiscard]] Status one(std::size_t number, const TakeEntry& take);
  [[nodiscard]] Result<std::pair<std::string, std::string>> texts_of(const Likeness& alike);
  [[nodiscard]] ClassSource source();

 private:
  struct State;
  explicit ClassReader(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace histolab::batch
