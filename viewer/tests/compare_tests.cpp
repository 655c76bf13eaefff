// UI tests of the panel "Compare": both sides are chosen and swapped, and the window never waits
// for the answer.
#include <string>

#include "viewer/tests/harness.h"

namespace histolab::viewer::testing {
namespace {

Panel* open(ImGuiTestContext* hands, Stage& stage) {
  stage.app.stop_presenting();
  IM_CHECK_RETV(wait_until(hands, [&] { return !stage.app.workspace().catalogue.labs.empty(); }),
                nullptr);
  stage.app.workspace().session.stop();
  Panel* const panel = stage.app.panel("compare");
  panel->prepare(
      {{"a", "02=solution"}, {"b", "04=solution"}, {"datasets", "constant"}, {"length", 4096}},
      stage.app.workspace());
  stage.app.show_only("compare");
  hands->Yield(2);
  hands->SetRef("//###alone-compare");
  IM_CHECK_RETV(wait_until(hands, [&] { return !panel->busy(); }), nullptr);
  return panel;
}

// The panel compares again and finally shows the table of counters.
void answers(ImGuiTestContext* hands, const Panel& panel) {
  IM_CHECK(panel.busy());
  IM_CHECK(wait_until(hands, [&] { return !panel.busy(); }));
  hands->Yield(2);
  IM_CHECK(hands->ItemExists("**/ratio"));
}

// ComboClick() would end the combo's name at the first slash.
void choose(ImGuiTestContext* hands, const char* combo, const char* item) {
  hands->ItemClick(combo);
  hands->ItemClick((std::string{"//$FOCUSED/"} + item).c_str());
}

void compares_at_each_change(ImGuiTestContext* hands, Stage& stage) {
  const Panel* const panel = open(hands, stage);
  if (panel == nullptr) return;
  hands->Yield(2);
  IM_CHECK(hands->ItemExists("**/ratio"));
  hands->ItemClick("Swap");
  answers(hands, *panel);
  choose(hands, "A/##lab", "05-coarsening");
  answers(hands, *panel);
  choose(hands, "B/##dataset", "english");
  answers(hands, *panel);
}

void last_choice_wins(ImGuiTestContext* hands, Stage& stage) {
  const Panel* const panel = open(hands, stage);
  if (panel == nullptr) return;
  for (int i = 0; i < 5; ++i) hands->ItemClick("Swap");
  answers(hands, *panel);
}

}  // namespace

void add_compare_tests(std::vector<NamedTest>& tests) {
  tests.insert(tests.end(), {{"compare", "each change compares again", compares_at_each_change},
                             {"compare", "the last choice wins", last_choice_wins}});
}

}  // namespace histolab::viewer::testing
