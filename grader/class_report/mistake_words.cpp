#include "grader/class_report/mistake_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

namespace histolab::class_report {
namespace {

using kernels::FindingKind;

struct Phrase {
  FindingKind kind;
  std::array<std::string_view, 2> in_message;  // a message must contain both
  std::string_view words;
};

// The first match counts. kernels/emulator/messages has the messages; journals may also have those
// of earlier versions.
constexpr std::array phrases = {
    Phrase{FindingKind::data_race,
           {"without an atomic operation", ""},
           "updated without an atomic operation"},
    Phrase{FindingKind::data_race,
           {"one update is lost", ""},
           "updated in two steps, a read and a write"},
    Phrase{
        FindingKind::data_race, {"depending on the value", ""}, "tested and written in two steps"},
    Phrase{FindingKind::data_race,
           {"because of what they read", ""},
           "tested and written in two steps"},
    Phrase{FindingKind::data_race,
           {"both write", ""},
           "two threads write it, and the last write wins"},
    Phrase{FindingKind::data_race,
           {"ends in _block", ""},
           "atomic within one block only, used between blocks"},
    Phrase{FindingKind::data_race,
           {"atomically updates", " writes "},
           "plain writes and atomic updates of the same element"},
    Phrase{FindingKind::data_race,
           {"atomically updates", " reads "},
           "read while other threads update it"},
    Phrase{FindingKind::data_race,
           {"nothing orders two blocks", ""},
           "one block writes what another block uses"},
    Phrase{FindingKind::data_race,
           {"no barrier spans two blocks", ""},
           "one block writes what another block uses"},
    Phrase{FindingKind::data_race,
           {"no barrier joins two blocks", ""},
           "one block writes what another block uses"},
    Phrase{FindingKind::data_race,
           {" writes ", " reads "},
           "written and read without a barrier between"},
    Phrase{FindingKind::data_race, {"", ""}, "two threads use it at once"},
    Phrase{FindingKind::out_of_bounds, {"index is below zero", ""}, "the index is below zero"},
    Phrase{FindingKind::out_of_bounds,
           {"unsigned value that wrapped below zero", ""},
           "the index is below zero"},
    Phrase{FindingKind::out_of_bounds,
           {"unsigned one that went below zero", ""},
           "the index is below zero"},
    Phrase{FindingKind::out_of_bounds,
           {"against the length", ""},
           "the index is not tested against the length"},
    Phrase{FindingKind::out_of_bounds, {"memory was freed", ""}, "used after it was freed"},
    Phrase{FindingKind::out_of_bounds, {"memory was given back", ""}, "used after it was freed"},
    Phrase{FindingKind::out_of_bounds, {"has no memory", ""}, "an invalid pointer"},
    Phrase{FindingKind::out_of_bounds, {"already freed", ""}, "freed twice"},
    Phrase{FindingKind::out_of_bounds, {"freed already", ""}, "freed twice"},
    Phrase{FindingKind::out_of_bounds,
           {" frees ", ""},
           "freed by a pointer that malloc and new did not return"},
    Phrase{FindingKind::out_of_bounds,
           {"of another thread through its address", ""},
           "a local variable of another thread"},
    Phrase{FindingKind::out_of_bounds,
           {"a local variable with an atomic function", ""},
           "an atomic function on a local variable"},
    Phrase{FindingKind::out_of_bounds,
           {"a local variable by an atomic function", ""},
           "an atomic function on a local variable"},
    Phrase{FindingKind::out_of_bounds,
           {"beyond the end of a local array", ""},
           "the index is beyond the end"},
    Phrase{FindingKind::out_of_bounds, {"beyond a local array", ""}, "the index is beyond the end"},
    Phrase{FindingKind::out_of_bounds, {" but ", " element"}, "the index is beyond the end"},
    Phrase{FindingKind::barrier_divergence,
           {"has already exited", ""},
           "some threads return before the barrier"},
    Phrase{FindingKind::barrier_divergence,
           {"has already ended", ""},
           "some threads return before the barrier"},
    Phrase{FindingKind::barrier_divergence,
           {"", ""},
           "it is in a branch, or in a loop that threads leave at different times"},
    Phrase{FindingKind::step_limit,
           {"without touching memory", ""},
           "its condition never becomes false"},
    Phrase{FindingKind::step_limit, {"", ""}, "it does not end, or one thread does all the work"},
};

bool matches(const kernels::Finding& finding, const Phrase& phrase) {
  return phrase.kind == finding.kind &&
         std::all_of(phrase.in_message.begin(), phrase.in_message.end(),
                     [&](std::string_view part) {
                       return finding.message.find(part) != std::string::npos;
                     });
}

// Students choose the names in shared and local memory; the memory space is enough.
std::string space_of(const kernels::Finding& finding, const CourseWords& words) {
  if (finding.space == kernels::Space::shared) return "in shared memory";
  if (finding.space == kernels::Space::local) return "in local memory";
  if (finding.space == kernels::Space::none) return {};
  return words.knows(finding.variable) ? "on " + finding.variable : "in global memory";
}

}  // namespace

std::string mistake_of(const kernels::Finding& finding, const CourseWords& words) {
  std::string text{kernels::title(finding.kind)};
  const bool has_space = finding.kind != FindingKind::barrier_divergence &&
                         finding.kind != FindingKind::step_limit &&
                         finding.kind != FindingKind::write_to_input;
  if (const std::string space = space_of(finding, words); has_space && !space.empty())
    text += " " + space;
  const auto phrase = std::find_if(phrases.begin(), phrases.end(),
                                   [&](const Phrase& each) { return matches(finding, each); });
  return phrase == phrases.end() ? text : fmt::format("{}: {}", text, phrase->words);
}

std::string wrong_counts(const grader::LabResult& lab) {
  bool wrong = false, too_many = false, too_few = false, nothing = true;
  double sum_expected = 0, sum_got = 0;
  for (const grader::CaseResult& each : lab.cases) {
    if (!each.completed() || each.correct) continue;
    wrong = true;
    for (const grader::Mismatch& bin : each.mismatches) {
      (bin.got > bin.expected ? too_many : too_few) = true;
      nothing &= bin.got == 0;
      sum_expected += bin.expected, sum_got += bin.got;
    }
  }
  if (!wrong) return {};
  if (!too_many && nothing) return "nothing is counted";
  if (!too_many) return "some elements are not counted";
  if (!too_few) return "more is counted than there is";
  return sum_expected == sum_got ? "counted in the wrong bins" : "counts are wrong";
}

}  // namespace histolab::class_report
