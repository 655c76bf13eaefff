// UI tests of the source panel: findings at their lines, and a verdict after each save.
#include <filesystem>
#include <fstream>
#include <string>

#include "viewer/tests/harness.h"

namespace histolab::viewer::testing {
namespace {

constexpr const char* window = "//###alone-source";

std::string kernel(const std::string& update) {
  return "__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {\n"
         "  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
         "  if (i < length) {\n"
         "    const int letter = data[i] - 'a';\n"
         "    if (letter >= 0 && letter < 26) {\n"
         "      " +
         update +
         "\n"
         "    }\n"
         "  }\n"
         "}\n";
}
const std::string racy = kernel("histo[letter / 4]++;"),
                  right = kernel("atomicAdd(&histo[letter / 4], 1u);"),
                  misspelt = kernel("atomicAdd(&hist[letter / 4], 1u);");

// Saves like many editors: a new file replaces the old one.
void save(const std::string& file, const std::string& text) {
  std::ofstream{file + "~"} << text;
  std::filesystem::rename(file + "~", file);
}

// Opens lab 02 with the test's own file in the source panel alone, and runs it once.
std::string open_kernel(ImGuiTestContext* hands, Stage& stage, const std::string& text) {
  static int number = 0;
  const std::string file = stage.folder + "/edited-" + std::to_string(++number) + ".cu";
  save(file, text);
  stage.app.stop_presenting();
  Workspace& workspace = stage.app.workspace();
  workspace.session.set_speed(0);
  workspace.choice = {};
  workspace.choice.lab = "02-atomic-add";
  workspace.choice.kernel = file;
  workspace.choice.length = 4096;
  workspace.session.start(workspace.choice);
  stage.app.show_only("source");
  hands->Yield(2);
  hands->SetRef(window);
  IM_CHECK_RETV(wait_until(hands,
                           [&] {
                             return workspace.session.run().begin().source == text &&
                                    workspace.session.run().result();
                           }),
                file);
  return file;
}

void verdict_at_each_save(ImGuiTestContext* hands, Stage& stage) {
  const std::string file = open_kernel(hands, stage, racy);
  Workspace& workspace = stage.app.workspace();
  hands->ItemClick("Grade");
  IM_CHECK(wait_until(hands, [&] { return workspace.verdict.has_value(); }));
  IM_CHECK_EQ(workspace.verdict->status, std::string{"failed"});
  IM_CHECK(workspace.verdict->first_failure() != nullptr);

  save(file, right);
  IM_CHECK(wait_until(hands, [&] { return workspace.verdict && workspace.verdict->passed(); }));
  IM_CHECK(wait_until(hands, [&] {
    return workspace.session.run().begin().source == right && workspace.session.run().result();
  }));
  IM_CHECK(workspace.session.run().result()->correct);

  save(file, misspelt);
  IM_CHECK(wait_until(
      hands, [&] { return workspace.verdict && workspace.verdict->status == "compile_error"; }));
  IM_CHECK_EQ(workspace.verdict->diagnostics.front().line, 6);
}

void a_newer_save_wins(ImGuiTestContext* hands, Stage& stage) {
  const std::string file = open_kernel(hands, stage, right);
  Workspace& workspace = stage.app.workspace();
  for (int i = 0; i < 5; ++i) {
    save(file, i % 2 == 0 ? racy : misspelt);
    hands->SleepNoSkip(0.15f, 0.02f);
  }
  save(file, right);
  IM_CHECK(wait_until(hands, [&] { return workspace.verdict && workspace.verdict->passed(); }));
  hands->SleepNoSkip(0.5f, 0.02f);
  IM_CHECK(workspace.verdict && workspace.verdict->passed());
}

void click_a_line(ImGuiTestContext* hands, Stage& stage) {
  const std::string file = open_kernel(hands, stage, racy);
  Workspace& workspace = stage.app.workspace();
  hands->ItemClick("**/##line6");
  IM_CHECK_EQ(workspace.selected.line, 6);
  hands->ItemClick("**/##line4");
  IM_CHECK_EQ(workspace.selected.line, 4);
  hands->ItemClick("**/##line4");
  IM_CHECK_EQ(workspace.selected.line, 0);
  hands->ItemClick("Copy path");
  IM_CHECK_STR_EQ(ImGui::GetClipboardText(), file.c_str());
}

void gone_and_back(ImGuiTestContext* hands, Stage& stage) {
  const std::string file = open_kernel(hands, stage, racy);
  Workspace& workspace = stage.app.workspace();
  std::filesystem::remove(file);
  hands->SleepNoSkip(0.8f, 0.02f);
  hands->ItemClick("**/##line6");  // keeps the last version read
  IM_CHECK_EQ(workspace.selected.line, 6);
  hands->ItemClick("**/##line6");
  save(file, right);
  IM_CHECK(wait_until(hands, [&] { return workspace.verdict && workspace.verdict->passed(); }));
}

}  // namespace

void add_source_tests(std::vector<NamedTest>& tests) {
  tests.insert(tests.end(), {
                                {"source", "a verdict at each save", verdict_at_each_save},
                                {"source", "a newer save wins", a_newer_save_wins},
                                {"source", "a click selects a line", click_a_line},
                                {"source", "a file is removed and restored", gone_and_back},
                            });
}

}  // namespace histolab::viewer::testing
