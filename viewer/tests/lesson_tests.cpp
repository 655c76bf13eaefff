// UI tests of the panels without a launch: the race stepper and the models.
#include <cmath>
#include <string>

#include "viewer/tests/harness.h"

namespace histolab::viewer::testing {
namespace {

void only(ImGuiTestContext* hands, Stage& stage, const std::string& id) {
  stage.app.stop_presenting();
  stage.app.show_only(id);
  hands->Yield(3);
  hands->SetRef(("//###alone-" + id).c_str());
}

bool can_click(ImGuiTestContext* hands, const char* item) {
  return (hands->ItemInfo(item).ItemFlags & ImGuiItemFlags_Disabled) == 0;
}

double number_at(ImGuiTestContext* hands, const char* item) {
  double number = -1;
  hands->ItemReadAsScalar(item, ImGuiDataType_Double, &number, ImGuiTestOpFlags_None);
  return number;
}

void forward_and_back(ImGuiTestContext* hands, Stage& stage) {
  only(hands, stage, "race");
  hands->ComboClick("##scenario/3: interleaved, T1's update is lost");
  IM_CHECK(!can_click(hands, "Back"));
  for (int step = 0; step < 6; ++step) {
    IM_CHECK(can_click(hands, "Forward"));
    hands->ItemClick("Forward");
  }
  IM_CHECK(!can_click(hands, "Forward"));
  hands->KeyPress(ImGuiKey_LeftArrow);
  IM_CHECK(can_click(hands, "Forward"));
  hands->KeyPress(ImGuiKey_RightArrow);
  IM_CHECK(!can_click(hands, "Forward"));
  hands->ItemClick("**/4");  // the row of a step
  IM_CHECK(can_click(hands, "Forward"));
  hands->ItemClick("Start");
  IM_CHECK(!can_click(hands, "Back"));
  stage.app.show_only("");
}

void any_order(ImGuiTestContext* hands, Stage& stage) {
  only(hands, stage, "race");
  hands->ComboClick("##scenario/1: T1 entirely before T2");
  for (const char* thread : {"T1", "T2", "T2", "T2"}) hands->ItemClick(thread);
  IM_CHECK(!can_click(hands, "T2"));  // all its steps are done
  hands->ItemClick("T1");
  hands->ItemClick("T1");
  IM_CHECK(!can_click(hands, "T1"));
  IM_CHECK(!can_click(hands, "Forward"));
  stage.app.show_only("");
}

void a_kernel_is_recorded(ImGuiTestContext* hands, Stage& stage) {
  only(hands, stage, "race");
  IM_CHECK(wait_until(hands, [&] { return !stage.app.workspace().catalogue.labs.empty(); }));
  Panel& panel = *stage.app.panel("race");
  hands->ItemClick("Kernel ...");
  hands->MenuClick("//$FOCUSED/02-atomic-add/solution");
  IM_CHECK(panel.busy());
  IM_CHECK(wait_until(hands, [&] { return !panel.busy(); }));
  IM_CHECK(can_click(hands, "Forward"));
  hands->ItemClick("T2");
  IM_CHECK(!can_click(hands, "T2"));  // its only step is one atomic addition
  hands->ItemClick("T1");
  IM_CHECK(!can_click(hands, "Forward"));
  stage.app.show_only("");
}

void calculators_answer(ImGuiTestContext* hands, Stage& stage) {
  only(hands, stage, "models");
  const Panel& panel = *stage.app.panel("models");
  hands->SetRef(hands->WindowInfo("sliders").ID);
  for (const char* title :
       {"Latency of one address", "With a cache", "Lanes on one bin", "Roofline"}) {
    hands->ComboClick((std::string{"##calculator/"} + title).c_str());
    IM_CHECK(wait_until(hands, [&] { return !panel.busy(); }));
  }
  for (const char* parameter : {"##bytes", "##bandwidth", "##updates", "##rate"})
    IM_CHECK(hands->ItemExists(parameter));
  hands->ItemClick("aggregated by 32");
  IM_CHECK_LT(std::abs(number_at(hands, "##updates") - 1.0 / 32), 1e-4);
  hands->ItemInputValue("##bytes", 4.0f);
  IM_CHECK_EQ(number_at(hands, "##bytes"), 4.0);
  IM_CHECK(wait_until(hands, [&] { return !panel.busy(); }));
  stage.app.show_only("");
}

}  // namespace

void add_lesson_tests(std::vector<NamedTest>& tests) {
  tests.insert(tests.end(), {
                                {"lesson", "a race forward and back", forward_and_back},
                                {"lesson", "a race in any order", any_order},
                                {"lesson", "a kernel's race is recorded", a_kernel_is_recorded},
                                {"lesson", "the calculators answer", calculators_answer},
                            });
}

}  // namespace histolab::viewer::testing
