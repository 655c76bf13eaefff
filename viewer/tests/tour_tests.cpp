// UI tests of the tour: each stop shows the course's kernels in large text, and nothing is cut off
// or covered.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <string>
#include <vector>

#include "imgui_internal.h"
#include "viewer/model/json_access.h"
#include "viewer/model/sweep.h"
#include "viewer/tests/harness.h"
#include "viewer/ui/fonts.h"
#include "viewer/ui/plots.h"

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

// The presenter's own kernels do not compile: write_unfinished_work().
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
  // A stop without a launch must not start one: the last launch may have been the presenter's own
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

// The caption is complete and begins at the end of the panel.
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
  // Text: at least a 30th of the height on a screen as wide as a projector's.
  const float type = reading_size * context.Style.FontScaleMain * context.Style.FontScaleDpi;
  IM_CHECK_GE(type, std::min(screen.y / 30, screen.x / 54));
  // Gaps and lines scale with the screen.
  const float times = std::max(1.0f, std::min(screen.x / 1280, screen.y / 720));
  IM_CHECK_GE(context.Style.ItemSpacing.x, std::floor(8 * times));
  IM_CHECK_GE(context.Style.CellPadding.x, std::floor(4 * times));
  IM_CHECK_GE(line({}, 2).LineWeight, 2 * times);
}

// The plot shows the complete names of exactly the stop's lines, without overlap. Returns their
// number.
std::size_t check_names(ImGuiTestContext* hands, Stage& stage, const TourStop& stop,
                        const ImGuiWindow& panel) {
  const Workspace& workspace = stage.app.workspace();
  const std::vector<std::string> wanted = texts(stop.settings, "lines");
  hands->SetRef("//###alone-sweep");
  std::vector<ImRect> names;
  for (const SweepLine& line : measured_sweep(workspace.benches, 7, workspace.catalogue).lines) {
    if (!wanted.empty() && std::ranges::find(wanted, line.strategy) == wanted.end()) {
      IM_CHECK_RETV(!hands->ItemExists(("**/" + line.kernel).c_str()), 0u);
      continue;
    }
    const ImGuiTestItemInfo name = hands->ItemInfo(("**/" + line.kernel).c_str());
    IM_CHECK_RETV(name.ID != 0u, 0u);
    IM_CHECK_RETV(panel.InnerRect.Contains(name.RectFull), 0u);
    for (const ImRect& other : names) {
      ImRect inner = name.RectFull;
      inner.Expand(-1);
      IM_CHECK_RETV(!inner.Overlaps(other), 0u);
    }
    names.push_back(name.RectFull);
  }
  return names.size();
}

void fits_the_screen(ImGuiTestContext* hands, Stage& stage) {
  const Result<Tour> tour = begin_tour(hands, stage);
  IM_CHECK(tour.ok());
  constexpr int larger = 8;  // steps of the font size, to more than twice the size
  for (const bool large : {false, true}) {
    for (int i = 0; large && i < larger; ++i) hands->KeyPress(ImGuiMod_Ctrl | ImGuiKey_Equal);
    std::size_t most_names = 0;
    for (const ScreenSize size : {ScreenSize{1280, 720}, {1920, 1080}, {1024, 768}, {3840, 2160}}) {
      if (large && size.width > 1920) continue;
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
        if (here.panel == "sweep")
          most_names = std::max(most_names, check_names(hands, stage, here, *shown));
        if (hands->IsError()) return;
      }
      stage.app.stop_presenting();
    }
    IM_CHECK_GE(most_names, 5u);
    for (int i = 0; large && i < larger; ++i) hands->KeyPress(ImGuiMod_Ctrl | ImGuiKey_Minus);
  }
  stage.screen.resize({1280, 720});
  hands->Yield(3);
}

bool shows_tooltip() {
  return std::ranges::any_of(ImGui::GetCurrentContext()->Windows, [](const ImGuiWindow* each) {
    return each->Active && !each->Hidden && (each->Flags & ImGuiWindowFlags_Tooltip) != 0;
  });
}

bool shows(ImGuiTestContext* hands, const char* window) {
  const ImGuiWindow* const there = hands->GetWindowByRef(window);
  return there != nullptr && there->Active;
}

// Goes to the slow launch of lab 04 with a clicker's keys.
void click_to_lab_04(ImGuiTestContext* hands, Stage& stage) {
  const Result<Tour> tour = begin_tour(hands, stage);
  IM_CHECK(tour.ok());
  const auto stop =
      std::ranges::find_if(tour->stops, [](const TourStop& each) { return each.lab == "04"; });
  IM_CHECK(stop != tour->stops.end() && stop != tour->stops.begin());
  stage.app.present(static_cast<std::size_t>(stop - tour->stops.begin()) - 1);
  hands->MouseMoveToPos({1, 1});
  hands->Yield(2);
  // Twice, because a key that changes the stop could act on the controls of the stop that it
  // leaves.
  for (const ImGuiKey key : {ImGuiKey_PageDown, ImGuiKey_PageUp, ImGuiKey_PageDown, ImGuiKey_PageUp,
                             ImGuiKey_PageDown}) {
    hands->KeyPress(key);
    hands->Yield(3);
  }
  IM_CHECK(wait_until(hands, [&] {
    const LiveRun& run = stage.app.workspace().session.run();
    return run.begin().lab.starts_with("04") && run.phase() == LiveRun::Phase::running;
  }));
}

void clicker(ImGuiTestContext* hands, Stage& stage) {
  click_to_lab_04(hands, stage);
  if (hands->IsError()) return;
  IM_CHECK(!ImGui::GetIO().NavVisible);
  IM_CHECK(!shows_tooltip());
  const Session& session = stage.app.workspace().session;
  hands->KeyPress(ImGuiKey_Space);
  IM_CHECK(wait_until(hands, [&] { return session.run().phase() == LiveRun::Phase::paused; }));
  const std::uint64_t launches = session.run().launches();
  hands->KeyPress(ImGuiKey_F5);  // some clickers send it to begin
  IM_CHECK(stage.app.workspace().presenting);
  IM_CHECK_EQ(session.run().launches(), launches);
  // On a black screen, the next key only restores the picture.
  for (const ImGuiKey key : {ImGuiKey_B, ImGuiKey_Period}) {
    hands->KeyPress(key);
    hands->Yield(2);
    IM_CHECK(!shows(hands, "//###alone-histogram") && !shows(hands, "//###caption"));
    hands->KeyPress(ImGuiKey_PageDown);
    hands->Yield(2);
    IM_CHECK(shows(hands, "//###alone-histogram"));
  }
  hands->KeyPress(ImGuiKey_Escape);
  IM_CHECK(!stage.app.workspace().presenting);
  hands->Yield(2);
  IM_CHECK(!shows(hands, "//Welcome"));  // the hint only describes the launch of a first visit
  hands->KeyPress(ImGuiMod_Shift | ImGuiKey_F5);
  hands->Yield(2);
  IM_CHECK(stage.app.workspace().presenting);
  IM_CHECK(shows(hands, "//###alone-histogram"));
  IM_CHECK(stage.app.workspace().choice.lab.starts_with("04"));
  stage.app.stop_presenting();
}

void resting_mouse(ImGuiTestContext* hands, Stage& stage) {
  click_to_lab_04(hands, stage);
  if (hands->IsError()) return;
  hands->SetRef("//###alone-histogram");
  hands->MouseMove("Run");
  IM_CHECK_NE(ImGui::GetMouseCursor(), ImGuiMouseCursor_None);
  IM_CHECK(wait_until(hands, [] { return ImGui::GetMouseCursor() == ImGuiMouseCursor_None; }));
  hands->MouseMove("Step");
  hands->Yield();
  IM_CHECK_NE(ImGui::GetMouseCursor(), ImGuiMouseCursor_None);
  stage.app.stop_presenting();
}

// The bars do not move while a block counts in its copy, nor when it commits.
void bars_keep_their_place(ImGuiTestContext* hands, Stage& stage) {
  click_to_lab_04(hands, stage);
  if (hands->IsError()) return;
  const Session& session = stage.app.workspace().session;
  std::vector<float> tops;
  bool waited = false, committed = false;
  IM_CHECK(wait_until(hands, [&] {
    if (session.run().phase() != LiveRun::Phase::running) return true;
    (totals(session.run().bars()).pending > 0 ? waited : committed) = true;
    const float top = hands->ItemInfo("//###alone-histogram/##bars").RectFull.Min.y;
    if (session.run().progress().elements_read > 0) tops.push_back(top);
    return waited && committed && tops.size() > 200;
  }));
  IM_CHECK(waited && committed && tops.size() > 2);
  // The first frames may still show the previous line.
  IM_CHECK_EQ(std::ranges::count(tops, tops.back()), static_cast<std::ptrdiff_t>(tops.size()));
  stage.app.stop_presenting();
}

void steps_the_race(ImGuiTestContext* hands, Stage& stage) {
  const Result<Tour> tour = begin_tour(hands, stage);
  IM_CHECK(tour.ok());
  IM_CHECK_STR_EQ(tour->stops.front().panel.c_str(), "race");
  stage.app.present(0);
  hands->Yield(2);
  hands->SetRef("//###alone-race");
  const auto can = [&](const char* button) {
    return (hands->ItemInfo(button).ItemFlags & ImGuiItemFlags_Disabled) == 0;
  };
  IM_CHECK(can("Back") && !can("Forward"));
  hands->KeyPress(ImGuiKey_R);
  hands->Yield(2);
  IM_CHECK(!can("Back") && can("Forward"));
  hands->KeyPress(ImGuiKey_N, 5);
  hands->Yield(2);
  IM_CHECK(can("Back") && can("Forward"));
  hands->KeyPress(ImGuiKey_N);
  hands->Yield(2);
  IM_CHECK(can("Back") && !can("Forward"));
  stage.app.stop_presenting();
}

}  // namespace

void add_tour_tests(std::vector<NamedTest>& tests) {
  tests.insert(tests.end(),
               {{"tour", "stops run solutions even if work/ has kernels", shows_solutions},
                {"tour", "comparisons use solutions even if work/ has kernels", compares_solutions},
                {"tour", "large text, nothing cut off, nothing covered", fits_the_screen},
                {"tour", "a clicker's keys change stops, pause, and show black", clicker},
                {"tour", "a resting mouse is hidden", resting_mouse},
                {"tour", "bars do not move while a launch runs", bars_keep_their_place},
                {"tour", "N and R step the race", steps_the_race}});
}

}  // namespace histolab::viewer::testing
