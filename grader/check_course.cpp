#include "grader/check_course.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <utility>

#include "grader/expectation.h"
#include "grader/lab_kernels.h"
#include "grader/read_file.h"
#include "grader/words.h"

namespace histolab::grader {
namespace {

namespace fs = std::filesystem;

// One kernel to grade, and what it has to get.
struct Trial {
  std::size_t lab = 0;
  GradeJob job;
  Expectation expected;
  bool is_solution = false;
};

void add_trial(std::vector<Trial>& trials, CourseLab& course, const LabSpec& lab, std::size_t index,
               const std::string& kernel, Expectation expected, bool is_solution) {
  Result<Submission> submission = read_submission(kernel);
  if (submission)
    trials.push_back({index, {&lab, std::move(*submission)}, std::move(expected), is_solution});
  else
    course.problems.push_back({kernel, submission.error().message});
}

void collect(std::vector<Trial>& trials, CourseLab& course, const LabSpec& lab, std::size_t index) {
  const std::string lesson = lab.directory + "/lesson.md";
  if (Result<std::string> text = read_text_file(lesson, "lesson"); !text)
    course.problems.push_back({lesson, text.error().message});
  Expectation stub;
  stub.status = lab.stub_status, stub.check = lab.stub_check;
  add_trial(trials, course, lab, index, lab.stub_path(), stub, false);
  Expectation full;
  full.status = name(Verdict::passed);
  add_trial(trials, course, lab, index, lab.solution_path(), full, true);
  for (const std::string& folder : attempts_of(lab)) {
    const std::string file = folder + "/expect.json";
    Result<Expectation> expected = load_expectation(file, lab);
    if (!expected) {
      course.problems.push_back({file, expected.error().message});
      continue;
    }
    ++course.attempts;
    add_trial(trials, course, lab, index, folder + "/kernel.cu", std::move(*expected), false);
  }
}

}  // namespace

Result<std::vector<CourseLab>> check_course(kernels::Device& device, const std::vector<LabSpec>& labs,
                                            const GradeOptions& options) {
  std::vector<CourseLab> course(labs.size());
  std::vector<Trial> trials;
  for (std::size_t i = 0; i < labs.size(); ++i) {
    course[i].lab = labs[i].name;
    course[i].max_score = labs[i].max_score;
    collect(trials, course[i], labs[i], i);
  }
  std::vector<GradeJob> jobs;
  for (const Trial& trial : trials) jobs.push_back(trial.job);
  const std::vector<LabResult> results = grade_labs(device, jobs, options);
  for (std::size_t i = 0; i < trials.size(); ++i) {
    const Trial& trial = trials[i];
    const LabResult& got = results[i];
    CourseLab& lab = course[trial.lab];
    const std::string& file = trial.job.submission->path;
    if (got.status == Verdict::infrastructure_error) return Error{fmt::format("{}: {}", file, got.message)};
    if (trial.is_solution) lab.solution_score = got.score;
    // What a stub leaves undone is its own affair: it is held to its verdict and its check, not to a finding.
    const bool is_stub = file == labs[trial.lab].stub_path();
    LabResult judged = got;
    if (is_stub) judged.findings.clear();
    for (const std::string& message : unmet(trial.expected, judged, labs[trial.lab]))
      lab.problems.push_back({file, message});
  }
  return course;
}

std::string to_text(const std::vector<CourseLab>& course) {
  std::string out;
  std::size_t problems = 0, attempts = 0;
  for (const CourseLab& lab : course) {
    out += fmt::format("{:<28}solution {:>2}/{:<3} {:>12}   {}\n", lab.lab, lab.solution_score, lab.max_score,
                       counted(lab.attempts, "attempt"),
                       lab.problems.empty() ? "holds" : counted(lab.problems.size(), "problem"));
    problems += lab.problems.size(), attempts += lab.attempts;
  }
  for (const CourseLab& lab : course)
    for (const CourseProblem& problem : lab.problems) {
      out += fmt::format("\n{}: {}\n", lab.lab, problem.file);
      for (const std::string& line : wrapped(problem.message, 78)) out += "  " + line + "\n";
    }
  if (problems == 0)
    out += fmt::format("\nthe course holds: {}, {}\n", counted(course.size(), "lab"), counted(attempts, "attempt"));
  else
    out += fmt::format("\nthe course does not hold: {}\n", counted(problems, "problem"));
  return out;
}

}  // namespace histolab::grader
