// Loaders of files that lab authors write, and of measurements in the kit.
#include <cstdlib>
#include <optional>

#include "datasets/datasets.h"
#include "grader/batch/rubric.h"
#include "grader/checks/expectation.h"
#include "grader/feedback/progress.h"
#include "grader/lab/lab_json.h"
#include "grader/lab/patch.h"
#include "grader/lessons/hints.h"
#include "grader/lessons/markdown.h"
#include "grader/lessons/page.h"
#include "grader/pipeline/profile_json.h"
#include "grader/quiz/quiz.h"
#include "grader/report/report_json.h"
#include "grader/report/report_reader.h"
#include "tools/loader_fuzzers/loaders.h"
#include "tools/loader_fuzzers/taking.h"
#include "viewer/model/measured_figures.h"

namespace histolab::fuzzing {
namespace {

void lab(std::string_view bytes) {
  if (const auto json = grader::read_json_text("lab.json", std::string(bytes)))
    static_cast<void>(
        grader::lab_from_json(*json, "lab.json", HISTOLAB_SOURCE_DIR "/labs/01-race"));
}

// The two files of an attempt.
void expectation(std::string_view bytes) {
  static_cast<void>(grader::apply_patch("one\ntwo\n", bytes, "solution.patch", "the text"));
  static_cast<void>(grader::load_expectation(folder_with("expect.json", bytes) + "/expect.json",
                                             privatization()));
}

void quiz(std::string_view bytes) {
  static_cast<void>(histolab::quiz::load_quiz(folder_with("quiz.json", bytes),
                                              HISTOLAB_SOURCE_DIR "/docs/measurements"));
}

// The source of a lesson, and the rendered page.
void page(std::string_view bytes) {
  namespace lessons = grader::lessons;
  static_cast<void>(lessons::parse_page(bytes));
  static_cast<void>(lessons::for_terminal(bytes));
  const auto blocks = lessons::blocks_of(bytes);
  static_cast<void>(lessons::links_of(blocks));
  static_cast<void>(lessons::anchors_of(blocks));
  static_cast<void>(lessons::bad_hints(bytes, "histo[data[i]]++;", ""));
}

void rubric(std::string_view bytes) {
  if (const auto rubric = batch::read_rubric("rubric.json", std::string(bytes)))
    static_cast<void>(
        batch::with_rubric({privatization()}, {privatization().name}, *rubric, "rubric.json"));
}

void report(std::string_view bytes) {
  const auto read = [](std::string_view text) {
    return grader::report_from_json(text, "report.json");
  };
  round_trip(
      read(bytes), [](const grader::Report& value) { return grader::to_json(value); }, read);
}

void profile(std::string_view bytes) {
  static_cast<void>(grader::parse_profile(bytes, "profile"));
  static_cast<void>(viewer::read_figures(folder_with("profile.json", bytes) + "/profile.json"));
}

// Reads progress and adds newer progress to it.
void progress(std::string_view bytes) {
  const std::string& folder = folder_with("progress.json", bytes);
  static_cast<void>(grader::read_progress(folder));
  grader::LabResult reached;
  reached.lab = "01-race";
  reached.status = grader::Verdict::passed;
  reached.score = reached.max_score = 10;
  reached.submission.emplace();
  if (grader::record_progress(folder, {reached}) &&
      !grader::read_progress(folder)->at("01-race").passed)
    std::abort();
}

// A data file with either element width: decoded if it is an image, else taken byte for byte.
void dataset(std::string_view bytes) {
  const std::string file = folder_with("data", bytes) + "/data";
  for (const std::uint32_t element_bytes : {1u, 2u})
    static_cast<void>(datasets::load_samples(file, std::nullopt, 1, element_bytes));
}

void dataset_name(std::string_view bytes) {
  for (const std::uint32_t element_bytes : {1u, 2u})
    static_cast<void>(datasets::generate_samples(bytes, 100, 1, element_bytes));
}

}  // namespace

std::vector<Loader> course_loaders() {
  return {
      {"lab", lab, {"labs/*/lab.json", "grader/testdata/documents/lab-*.json"}},
      {"expectation",
       expectation,
       {"labs/04-privatization/attempts/*/expect.json", "labs/1*/attempts/*/solution.patch",
        "grader/testdata/documents/expect-*.json"}},
      {"quiz", quiz, {"labs/*/quiz.json", "grader/testdata/documents/quiz*.json"}},
      {"page", page, {"labs/0*/lesson.in.md", "labs/0*/hints.md"}},
      {"rubric", rubric, {"grader/testdata/documents/rubric.json"}},
      {"report", report, {"grader/golden/report.json", "grader/testdata/results/*.json"}},
      {"profile", profile, {"profiles/*.json", "grader/testdata/documents/profile.json"}},
      {"progress", progress},
      {"dataset", dataset},
      {"dataset_name", dataset_name},
  };
}

}  // namespace histolab::fuzzing
