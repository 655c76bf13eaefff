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
  std::string key;   // unique in the class; used in the journal, in links and in file names
  std::string name;  // for display: the learning platform's name, else the key
  // From the platform's export or the roster; may be empty.
  std::string id, sis_id, login, section, email;
};

struct Lab {
  std::string name, title;
  int max_score = 0;
  std::string stub;            // text of the stub that students start from
  grader::LabResult solution;  // the reference for counters, graded with the class's seed
  double weight = 1;           // factor of its points in totals
};

struct Mark {
  grader::LabResult result;  // from a journal: the members in its JSON (report_reader.h)
  double score = 0;          // after deductions for lateness, or as set by hand
  double weight = 1;         // the lab's
  std::string note;          // reason for a changed or missing score; may be empty
  bool by_hand = false;      // the instructor set the score
  double seconds = 0;        // wall clock time of grading; 0 if the result is shared
  bool outstanding = false;  // not graded yet
  // The submitted file, or else another file of the student; relative to the class.
  std::string path = {};

  // Whether `score` counts. A mark without a score is an empty cell, never 0.
  [[nodiscard]] bool has_score() const { return by_hand || grader::has_mark(result.status); }
};

inline constexpr const char* nothing_handed_in = "nothing was handed in";  // an Entry::problem

struct Entry {
  Student student;
  std::string problem;      // files that could not be read, and why; empty if all could
  std::vector<Mark> marks;  // one per lab, in the order of ClassResults::labs; empty before reading
};

// True if an instructor has set marks by hand and no mark is missing.
[[nodiscard]] inline bool is_reviewed(const Entry& entry) {
  const auto& marks = entry.marks;
  return std::ranges::any_of(marks, &Mark::by_hand) && std::ranges::all_of(marks, &Mark::has_score);
}

// A source that is older than this class: the course's code, or a submission of an earlier class.
struct KnownSource {
  std::string lab;
  std::string origin;  // name of the earlier class's folder; empty for the course
  std::string name;    // "the solution", "the attempt no-zeroing"; for an earlier class the student
  std::string text;    // empty if the class is read from a journal: see ClassSource::texts_of
  std::int64_t number = 0;  // in the journal
  [[nodiscard]] bool of_course() const { return origin.empty(); }
};

// "the course's solution", "Roe, Jane (2025)".
[[nodiscard]] inline std::string described(const KnownSource& source) {
  return source.of_course() ? source.name : source.name + " (" + source.origin + ")";
}
// "the same code" (ignoring comments and blanks), "the same but for names", "92 % the same".
[[nodiscard]] inline std::string described(double share, bool identical, bool renamed) {
  if (identical) return "the same code";
  if (renamed) return "the same but for names";
  return std::to_string(static_cast<int>(std::clamp(100 * share, 0.0, 99.0))) + " % the same";
}

// Two similar submissions for one lab, or a submission similar to a known source. For instructors
// to review; it costs no points.
struct Likeness {
  std::size_t lab = 0;  // in ClassResults::labs
  // In ClassResults::entries, first < second. Equal if the second is a known source.
  std::size_t first = 0, second = 0;
  double share = 1;        // common share of their tokens, 0 to 1
  bool identical = false;  // all tokens are the same
  bool answers = false;    // answers to the same quiz, not kernels; they have no mark yet
  bool renamed = false;    // the same except for names
  std::optional<std::size_t> known = {};  // in ClassResults::known
};

struct ClassResults {
  std::string version;                            // of histolab
  std::string device_kind, device_name, sandbox;  // the sandbox's tier
  std::string gpu_name, gpu_driver;               // empty if times are modelled
  std::vector<Lab> labs;
  std::vector<Entry> entries;  // ordered by key
  std::vector<Likeness> alike;
  std::vector<KnownSource> known;         // those that `alike` names
  std::size_t outstanding = 0;            // missing results: the batch was stopped, or is running
  std::vector<std::string> remarks = {};  // submissions not in the roster, files of other labs, ...
  std::string lateness;  // a warning if the submission times of some students are unknown
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

// The class of a journal that `histolab batch --out OUT` has written or is still writing: a
// snapshot. Memory is proportional to the number of students, not to their submissions or printed
// output.
class ClassReader {
 public:
  // Returns an Error if the journal is missing or unreadable. The message says what to do.
  static Result<ClassReader> open(const std::string& out);
  ClassReader(ClassReader&&) noexcept;
  ClassReader& operator=(ClassReader&&) = delete;
  ~ClassReader();

  // Entries have no marks. `alike` and `known` are empty before find_alike().
  [[nodiscard]] const ClassResults& results() const;
  [[nodiscard]] Status find_alike();
  // Calls `take` for each entry, in order. Returns an Error if a result cannot be read, or the
  // Error of `take`.
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
