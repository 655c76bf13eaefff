// UI tests that open each panel.
#include <string>

#include "imgui_internal.h"
#include "viewer/tests/harness.h"

namespace histolab::viewer::testing {
namespace {

void open_each(ImGuiTestContext* hands, Stage& stage) {
  stage.app.show_only("");
  hands->Yield(2);
  for (const auto& panel : make_panels()) {
    const Panel::Info info = panel->info();
    hands->MenuClick((std::string{"//##MainMenuBar/View/Only/"} + info.title).c_str());
    hands->Yield(3);
    const ImGuiWindow* const window =
        hands->GetWindowByRef((std::string{"//###alone-"} + info.id).c_str());
    IM_CHECK(window != nullptr && window->Active);
    IM_CHECK_GT(window->DrawList->VtxBuffer.Size, 50);
    stage.app.show_only("");
    hands->Yield(2);
  }
}

}  // namespace

void add_panel_tests(std::vector<NamedTest>& tests) {
  tests.insert(tests.end(), {
                                {"panel", "each one alone", open_each},
                            });
}

}  // namespace histolab::viewer::testing
