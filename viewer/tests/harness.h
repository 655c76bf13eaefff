// Harness: UI tests of the viewer. Dear ImGui Test Engine drives an App on a Screen.
//
// A test is a function that gets the hands (ImGuiTestContext) and the App. Each test runs in its
// own coroutine while the App draws frames.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "imgui.h"
#include "imgui_te_context.h"
#include "imgui_te_engine.h"
#include "viewer/app.h"
#include "viewer/backend/screen.h"

namespace histolab::viewer::testing {

struct Stage {
  App& app;
  Screen& screen;
  std::string folder;  // empty at first; only for this test run
};

using Test = std::function<void(ImGuiTestContext* hands, Stage& stage)>;
struct NamedTest {
  const char* group;
  const char* name;
  Test run;
};

// Each test file adds its tests.
void add_panel_tests(std::vector<NamedTest>& tests);
void add_compare_tests(std::vector<NamedTest>& tests);
void add_launch_tests(std::vector<NamedTest>& tests);
void add_lesson_tests(std::vector<NamedTest>& tests);
void add_program_tests(std::vector<NamedTest>& tests);
void add_source_tests(std::vector<NamedTest>& tests);
void add_stream_tests(std::vector<NamedTest>& tests);
void add_tour_tests(std::vector<NamedTest>& tests);
void add_warp_tests(std::vector<NamedTest>& tests);
void add_window_tests(std::vector<NamedTest>& tests);

// Draws frames until `done` returns true. Returns false after a minute.
[[nodiscard]] bool wait_until(ImGuiTestContext* hands, const std::function<bool()>& done);

}  // namespace histolab::viewer::testing
