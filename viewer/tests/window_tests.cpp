// UI tests of the window around the panels: keys, tour, pictures, sizes.
#include <filesystem>
#include <string>

#include "imgui_internal.h"
#include "viewer/tests/harness.h"

namespace histolab::viewer::testing {
namespace {

void begin_docked(ImGuiTestContext* hands, Stage& stage) {
  stage.app.stop_presenting();
  stage.app.show_only("");
  hands->Yield(2);
}

void tour(ImGuiTestContext* hands, Stage& stage) {
  IM_CHECK(wait_until(hands, [&] { return !stage.app.workspace().catalogue.labs.empty(); }));
  hands->KeyPress(ImGuiKey_F5);
  IM_CHECK(stage.app.workspace().presenting);
  const Result<Tour> script = read_tour(stage.app.workspace().places.tour);
  IM_CHECK(script.ok());
  for (std::size_t stop = 0; stop < script->stops.size(); ++stop) {
    const TourStop& here = script->stops[stop];
    hands->Yield(2);
    IM_CHECK(stage.app.panel(here.panel) != nullptr);
    const ImGuiWindow* const alone =
        hands->GetWindowByRef((std::string{"//###alone-"} + here.panel).c_str());
    IM_CHECK(alone != nullptr && alone->WasActive);
    if (here.run)
      IM_CHECK(wait_until(hands, [&] {
        return stage.app.workspace().session.run().begin().lab.starts_with(here.lab);
      }));
    hands->KeyPress(stop % 2 == 0 ? ImGuiKey_PageDown : ImGuiKey_RightArrow);
  }
  hands->KeyPress(ImGuiKey_Home);
  hands->KeyPress(ImGuiKey_PageDown);
  hands->KeyPress(ImGuiKey_PageUp);
  hands->KeyPress(ImGuiKey_Escape);
  IM_CHECK(!stage.app.workspace().presenting);
}

void keys(ImGuiTestContext* hands, Stage& stage) {
  begin_docked(hands, stage);
  hands->KeyPress(ImGuiKey_F1);
  hands->Yield();
  IM_CHECK(hands->GetWindowByRef("//Keys")->Active);
  hands->KeyPress(ImGuiKey_F1);
  hands->KeyPress(ImGuiKey_1);
  hands->Yield(2);
  IM_CHECK(hands->GetWindowByRef("//###alone-histogram")->Active);
  hands->KeyPress(ImGuiKey_0);
  hands->Yield(2);
  IM_CHECK(!hands->GetWindowByRef("//###alone-histogram")->Active);
  Session& session = stage.app.workspace().session;
  hands->KeyPress(ImGuiKey_R);
  IM_CHECK(session.active());
  IM_CHECK(wait_until(hands, [&] { return !session.active(); }));
}

void picture(ImGuiTestContext* hands, Stage& stage) {
  hands->KeyPress(ImGuiKey_F12);
  hands->Yield(2);
  const std::string file = stage.folder + "/picture.png";
  IM_CHECK(std::filesystem::exists(file));
  IM_CHECK_GT(std::filesystem::file_size(file), 10'000u);
}

void themes(ImGuiTestContext* hands, Stage& stage) {
  begin_docked(hands, stage);
  hands->MenuClick("//##MainMenuBar/View/Light");
  hands->Yield(2);
  IM_CHECK_GT(ImGui::GetStyle().Colors[ImGuiCol_WindowBg].x, 0.9f);
  hands->MenuClick("//##MainMenuBar/View/Dark");
  hands->Yield(2);
  IM_CHECK_LT(ImGui::GetStyle().Colors[ImGuiCol_WindowBg].x, 0.2f);
  // The choice is saved for the next start.
  IM_CHECK(read_settings(stage.folder + "/histolab/viewer.json").theme == Theme::dark);
}

// A window manager may resize the window, even to a minimum.
void sizes(ImGuiTestContext* hands, Stage& stage) {
  begin_docked(hands, stage);
  for (const ImVec2 size :
       {ImVec2{3840, 2160}, ImVec2{320, 200}, ImVec2{40, 30}, ImVec2{1, 1}, ImVec2{1280, 720}}) {
    stage.screen.resize({static_cast<int>(size.x), static_cast<int>(size.y)});
    hands->Yield(4);
  }
  for (const char* layout : {"Lecture", "Student", "All panels", "Lecture"}) {
    hands->MenuClick((std::string{"//##MainMenuBar/View/Layout/"} + layout).c_str());
    hands->Yield(3);
    IM_CHECK(
        wait_until(hands, [&] { return !stage.app.busy(); }));  // hidden panels are not waited for
    for (const auto& panel : make_panels()) {                   // no panel floats above the others
      const ImGuiWindow* window = ImGui::FindWindowByName(panel->info().title);
      IM_CHECK(window != nullptr && window->DockId != 0);
    }
  }
}

}  // namespace

void add_window_tests(std::vector<NamedTest>& tests) {
  tests.insert(tests.end(), {
                                {"window", "a tour from stop to stop", tour},
                                {"window", "keys", keys},
                                {"window", "a picture", picture},
                                {"window", "light and dark, saved for the next start", themes},
                                {"window", "any size, any layout", sizes},
                            });
}

}  // namespace histolab::viewer::testing
