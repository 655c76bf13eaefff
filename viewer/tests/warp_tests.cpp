// UI tests of the panel "Warp and memory": the accesses of a launch, line by line and step by step.
#include <algorithm>
#include <string>

#include "viewer/tests/harness.h"

namespace histolab::viewer::testing {
namespace {

constexpr const char* window = "//###alone-warp";

// Runs lab 04's solution and shows only the panel.
bool open(ImGuiTestContext* hands, Stage& stage) {
  Workspace& workspace = stage.app.workspace();
  stage.app.stop_presenting();
  IM_CHECK_RETV(wait_until(hands, [&] { return !workspace.catalogue.labs.empty(); }), false);
  const Lab* const lab = workspace.catalogue.find("04");
  IM_CHECK_RETV(lab != nullptr && lab->solution() != nullptr, false);
  workspace.session.set_speed(0);
  workspace.choice = {};
  workspace.choice.lab = lab->name;
  workspace.choice.kernel = lab->solution()->path;
  workspace.choice.length = 4096;
  workspace.selected = {};
  workspace.session.start(workspace.choice);
  const LiveRun& run = workspace.session.run();
  IM_CHECK_RETV(wait_until(hands,
                           [&] {
                             return !workspace.session.active() && run.begin().lab == lab->name &&
                                    run.result();
                           }),
                false);
  stage.app.show_only("warp");
  hands->Yield(3);
  hands->SetRef(window);
  return true;
}

void accesses_come(ImGuiTestContext* hands, Stage& stage) {
  if (!open(hands, stage)) return;
  const LiveRun& run = stage.app.workspace().session.run();
  // 4096 bytes: 128 warps load and update once each. The first warp of each of the 16 blocks also
  // zeroes, loads and commits the copy.
  IM_CHECK_EQ(run.accesses().size(), 2 * 128u + 3 * 16u);
  IM_CHECK_EQ(run.accesses().front().variable, std::string{"private_histo"});
}

void by_line(ImGuiTestContext* hands, Stage& stage) {
  if (!open(hands, stage)) return;
  Workspace& workspace = stage.app.workspace();
  const std::string& source = workspace.session.run().begin().source;
  const auto line =
      1 +
      std::count(source.begin(),
                 source.begin() + static_cast<std::ptrdiff_t>(source.find("atomicAdd(&private")),
                 '\n');
  hands->ItemClick((std::string{"**/"} + std::to_string(line)).c_str());
  IM_CHECK_EQ(workspace.selected.line, static_cast<int>(line));
  hands->ItemClick("**/all");
  IM_CHECK_EQ(workspace.selected.line, 0);
  workspace.selected = {"", 1'000'000};  // selected in another panel, without accesses
  hands->Yield(3);
  IM_CHECK(hands->ItemExists("##place"));
}

void step_by_step(ImGuiTestContext* hands, Stage& stage) {
  if (!open(hands, stage)) return;
  for (int i = 0; i < 7; ++i)
    hands->ItemClick("Next access");  // only five exist: it stays at the last
  for (int i = 0; i < 2; ++i) hands->ItemClick("Previous access");
  hands->ItemInputValue("##place", 2);
  hands->ItemUncheck("**/###places");
  hands->ItemCheck("**/elements");
  hands->ItemCheck("**/###places");
  hands->ComboClick("##warp/warp 3");
  hands->ComboClick("##block/block 2");
  for (const char* const place : {"**/##lanes", "**/##rows"}) {  // shows a tooltip
    hands->MouseMove(place);
    hands->Yield(2);
  }
}

void small_and_large(ImGuiTestContext* hands, Stage& stage) {
  if (!open(hands, stage)) return;
  stage.app.show_only("");
  hands->Yield(2);
  for (const ImVec2 size : {ImVec2{900, 700}, ImVec2{380, 300}, ImVec2{120, 60}, ImVec2{40, 32}}) {
    hands->UndockWindow("//Warp and memory");
    hands->WindowResize("//Warp and memory", size);
    hands->Yield(2);
  }
  stage.app.show_only("");
}

}  // namespace

void add_warp_tests(std::vector<NamedTest>& tests) {
  tests.insert(tests.end(), {{"warp", "a launch's accesses are shown", accesses_come},
                             {"warp", "a click on a line shows its accesses", by_line},
                             {"warp", "step by step, and tooltips", step_by_step},
                             {"warp", "small and large", small_and_large}});
}

}  // namespace histolab::viewer::testing
