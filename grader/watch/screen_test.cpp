// Golden files of the watch screen in 80 and in 40 columns. Also checks that no line is wider than
// the terminal.
#include "grader/watch/screen.h"

#include <doctest/doctest.h>

#include "grader/pipeline/pipeline.h"
#include "grader/testing/fake_device.h"
#include "grader/testing/sample.h"
#include "grader/words/words.h"

using namespace histolab;
using namespace histolab::grader;
using namespace histolab::grader::testing;

namespace {

View view_of(const LabSpec& lab, const std::string& kernel, bool quick = false) {
  FakeDevice device;
  GradeOptions options;
  options.quick = quick;
  View view;
  view.lab = &lab;
  view.next = &lab;
  view.path = "work/02-sample.cu";
  view.quick = quick;
  view.running = quick;
  view.elapsed_ms = 62.4;
  view.labs = 13;
  view.labs_passed = 1;
  view.points = 12;
  view.max_points = 140;
  view.result = grade_labs(device, {{&lab, Submission{view.path, kernel, "-"}}}, options).front();
  return view;
}

std::string screens(const LabSpec& lab, std::size_t width) {
  std::string text;
  const auto add = [&](const char* title, const View& view) {
    const std::string screen = to_text(view, {.width = width, .color = false, .keys = true});
    for (const std::string& line : lines_of(screen)) CHECK_MESSAGE(columns(line) <= width, line);
    text += std::string("==== ") + title + "\n" + screen;
  };
  View fresh = view_of(lab, "// fake: nothing\n");
  fresh.just_started = true;
  fresh.labs_passed = 0;
  fresh.points = 0;
  add("a lab that was just started", fresh);
  add("quick cases that are right", view_of(lab, "// fake: right\n", true));
  add("passed", view_of(lab, "// fake: right\n"));
  View last = view_of(lab, "// fake: right\n");
  last.next = nullptr;
  add("passed, the last lab", last);
  View lossy = view_of(lab, "// fake: lossy 2\nhisto[letter / 4] += 1;  // the update\n");
  add("failed", lossy);
  lossy.note = "Hint 1 of 3: A nudge\n";
  add("failed, a hint", lossy);
  View quick = view_of(lab, "// fake: lossy 2\nhisto[letter / 4] += 1;  // the update\n", true);
  quick.running = false;
  add("failed in the quick cases", quick);
  View saved = lossy;
  saved.result.reset();
  saved.note.clear();
  add("a save is being graded", saved);
  add("does not compile", view_of(lab, "// fake: compile 2\nint i = 0\n"));
  add("a machine that cannot", view_of(lab, "// fake: machine\n"));
  View gone = lossy;
  gone.note.clear();
  gone.problem =
      "work/02-sample.cu is missing: restore it, or make a new one with "
      "`histolab start 02-sample`";
  add("the file is gone", gone);
  return text;
}

}  // namespace

TEST_CASE("the screen, in 80 columns") {
  CHECK(matches_golden("watch-80.txt", screens(sample_lab(), 80)));
}
TEST_CASE("the screen, in 40 columns") {
  CHECK(matches_golden("watch-40.txt", screens(sample_lab(), 40)));
}

TEST_CASE("colour changes nothing but colour") {
  const LabSpec lab = sample_lab();
  const View view = view_of(lab, "// fake: lossy 2\nhisto[letter / 4] += 1;\n");
  std::string text = to_text(view, {.width = 80, .color = true, .keys = true});
  for (std::size_t at; (at = text.find('\033')) != std::string::npos;)
    text.erase(at, text.find('m', at) - at + 1);
  CHECK(text == to_text(view, {.width = 80, .color = false, .keys = true}));
}

TEST_CASE("a verdict below the last one has neither keys nor head") {
  const LabSpec lab = sample_lab();
  const std::string text =
      verdict_text(view_of(lab, "// fake: lossy 1\n"), {.width = 80, .color = false, .keys = true});
  CHECK(text.find("[h]int") == std::string::npos);
  CHECK(text.find("labs passed") == std::string::npos);
  CHECK(text.find("next: ") != std::string::npos);
}
