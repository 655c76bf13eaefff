// Harness: the viewer as a person has it, and hands that use it: an App on a Screen, driven by Dear
// ImGui Test Engine.
//
// Tests are functions that get hands (ImGuiTestContext) and the App; each runs in its own coroutine
// while frames go on.
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
  std::string folder;  // empty and this test run's own
};

using Test = std::function<void(ImGuiTestContext* hands, Stage& stage)>;
struct NamedTest {
  const char* group;
  const char* name;
  Test run;
};

// Each file of tests adds its own.
void add_panel_tests(std::vector<NamedTest>& tests);
void add_compare_tests(std::vector<NamedTest>& tests);
void add_launch_tests(std::vector<NamedTest>& tests);
void add_lesson_tests(std::vector<NamedTest>& tests);
void add_source_tests(std::vector<NamedTest>& tests);
void add_stream_tests(std::vector<NamedTest>& tests);
void add_tour_tests(std::vector<NamedTest>& tests);
void add_warp_tests(std::vector<NamedTest>& tests);
void add_window_tests(std::vector<NamedTest>& tests);

// Frames go on until `done` holds; false: it did not within a minute.
[[nodiscard]] bool wait_until(ImGuiTestContext* hands, const std::function<bool()>& done);

}  // namespace histolab::viewer::testing
