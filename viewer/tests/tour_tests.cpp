// The tour in a lecture hall: each stop shows the course's kernels, in large type, with nothing cut
// or covered.
#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "imgui_internal.h"
#include "viewer/model/sweep.h"
#include "viewer/tests/harness.h"
#include "viewer/ui/fonts.h"

namespace histolab::viewer::testing {
namespace {

Result<Tour> begin_tour(ImGuiTestContext* hands, Stage& stage) {
  stage.app.stop_presenting();
  if (!wait_until(hands, [&] { return !stage.app.workspace().catalogue.labs.empty(); }))
    return Error{"there is no list of labs"};
  return read_tour(stage.app.workspace().places.tour);
}

const ImGuiWindow* panel_window(ImGuiTestContext* hands, const TourStop& stop) {
  return hands->GetWindowByRef(("//###alone-" + stop.panel).c_str());
}

// The presenter's own kernels do not compile (harness: run()).
void shows_solutions(ImGuiTestContext* hands, Stage& stage) {
  const Result<Tour> tour = begin_tour(hands, stage);
  IM_CHECK(tour.ok());
  IM_CHECK(std::filesystem::exists("work/02-atomic-add.cu"));
  for (std::size_t stop = 0; stop < tour->stops.size(); ++stop) {
    const TourStop& here = tour->stops[stop];
    stage.app.present(stop);
    hands->Yield(2);
    const Panel& panel = *stage.app.panel(here.panel);
    IM_CHECK(wait_until(hands, [&] { return !panel.busy(); }));
    if (!here.run) continue;
    const Session& session = stage.app.workspace().session;
    IM_CHECK(wait_until(hands, [&] { return session.run().begin().lab.starts_with(here.lab); }));
    IM_CHECK(!session.run().begin().kernel.starts_with("work/"));
    IM_CHECK(!stage.app.workspace().choice.kernel.starts_with("work/"));
    IM_CHECK_NE(static_cast<int>(session.run().phase()), static_cast<int>(LiveRun::Phase::failed));
  }
  // A stop without a launch starts nothing: the last launch may have been the presenter's own
  // kernel.
  stage.app.stop_presenting();
  stage.app.workspace().session.stop();
  stage.app.workspace().choice.lab = "02-atomic-add";
  stage.app.workspace().choice.kernel = "work/02-atomic-add.cu";
  stage.app.present(3);
  hands->KeyPress(ImGuiKey_R);
  IM_CHECK(!stage.app.workspace().session.active());
  stage.app.stop_presenting();
}

void compares_solutions(ImGuiTestContext* hands, Stage& stage) {
  const Result<Tour> tour = begin_tour(hands, stage);
  IM_CHECK(tour.ok());
  for (std::size_t stop = 0; stop < tour->stops.size(); ++stop) {
    if (tour->stops[stop].panel != "compare") continue;
    stage.app.present(stop);
    hands->Yield(2);
    const Panel& panel = *stage.app.panel("compare");
    IM_CHECK(wait_until(hands, [&] { return !panel.busy(); }));
    hands->Yield(2);
    hands->SetRef("//###alone-compare");
    IM_CHECK(hands->ItemExists("**/ratio"));  // the table of counters: both kernels ran
  }
  stage.app.stop_presenting();
}

// Nothing of the caption is cut, and it begins where the panel ends.
void check_geometry(const ImGuiWindow& panel, const ImGuiWindow& caption) {
  const ImVec2 screen = ImGui::GetMainViewport()->WorkSize;
  const ImGuiContext& context = *ImGui::GetCurrentContext();
  IM_CHECK(!panel.Rect().Overlaps(caption.Rect()));
  IM_CHECK_GE(panel.Rect().GetHeight() + caption.Rect().GetHeight(), screen.y - 1);
  IM_CHECK_GE(panel.Rect().GetHeight(), screen.y / 2);
  IM_CHECK_LE(panel.ScrollMax.y, 0.0f);
  IM_CHECK_LE(caption.ScrollMax.y, 0.0f);
  IM_CHECK_LE(caption.ScrollMax.x, 0.0f);
  IM_CHECK_LE(caption.ContentSize.y, caption.InnerRect.GetHeight());
  // Type: at least a 30th of the height where the screen is as wide as a projector's.
  const float type = reading_size * context.Style.FontScaleMain * context.Style.FontScaleDpi;
  IM_CHECK_GE(type, std::min(screen.y / 30, screen.x / 54));
}

// The names of the lines are shown whole, none over another.
void check_names(ImGuiTestContext* hands, Stage& stage, const ImGuiWindow& panel) {
  const Workspace& workspace = stage.app.workspace();
  hands->SetRef("//###alone-sweep");
  std::vector<ImRect> names;
  for (const SweepLine& line : measured_sweep(workspace.benches, 7, workspace.catalogue).lines) {
    const ImGuiTestItemInfo name = hands->ItemInfo(("**/" + line.kernel).c_str());
    IM_CHECK_NE(name.ID, 0u);
    IM_CHECK(panel.InnerRect.Contains(name.RectFull));
    for (const ImRect& other : names) {
      ImRect inner = name.RectFull;
      inner.Expand(-1);
      IM_CHECK(!inner.Overlaps(other));
    }
    names.push_back(name.RectFull);
  }
  IM_CHECK_GE(names.size(), 5u);
}

void fits_the_screen(ImGuiTestContext* hands, Stage& stage) {
  const Result<Tour> tour = begin_tour(hands, stage);
  IM_CHECK(tour.ok());
  constexpr int larger = 8;  // steps of type, to more than twice its size
  for (const bool large : {false, true}) {
    for (int i = 0; large && i < larger; ++i) hands->KeyPress(ImGuiMod_Ctrl | ImGuiKey_Equal);
    for (const ScreenSize size : {ScreenSize{1280, 720}, {1920, 1080}, {1024, 768}}) {
      stage.screen.resize(size);
      hands->Yield(3);
      for (std::size_t stop = 0; stop < tour->stops.size(); ++stop) {
        const TourStop& here = tour->stops[stop];
        stage.app.present(stop);
        const Panel& panel = *stage.app.panel(here.panel);
        hands->Yield(4);
        IM_CHECK(wait_until(hands, [&] { return !panel.busy(); }));
        hands->Yield(4);
        const ImGuiWindow* const shown = panel_window(hands, here);
        const ImGuiWindow* const caption = hands->GetWindowByRef("//###caption");
        IM_CHECK(shown != nullptr && caption != nullptr);
        hands->LogInfo("%d x %d, stop %d, %s", size.width, size.height, static_cast<int>(stop) + 1,
                       large ? "large type" : "as it is");
        check_geometry(*shown, *caption);
        if (here.panel == "sweep") check_names(hands, stage, *shown);
        if (hands->IsError()) return;
      }
      stage.app.stop_presenting();
    }
    for (int i = 0; large && i < larger; ++i) hands->KeyPress(ImGuiMod_Ctrl | ImGuiKey_Minus);
  }
  stage.screen.resize({1280, 720});
  hands->Yield(3);
}

}  // namespace

void add_tour_tests(std::vector<NamedTest>& tests) {
  tests.insert(tests.end(),
               {{"tour", "its stops run solutions, whatever is in work", shows_solutions},
                {"tour", "it compares solutions, whatever is in work", compares_solutions},
                {"tour", "large type, nothing cut, nothing covered", fits_the_screen}});
}

}  // namespace histolab::viewer::testing
