// viewer_hands: UI tests of the viewer. It opens a window, so it needs a display or Xvfb, acts like
// a user and checks the result. An argument selects the tests whose names contain it.
#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "grader/files/paths.h"
#include "grader/files/read_file.h"
#include "grader/files/write_file.h"
#include "imgui_internal.h"
#include "implot.h"
#include "reference/seconds_since.h"
#include "reference/testing/wait_until.h"
#include "viewer/tests/harness.h"

namespace histolab::viewer::testing {

bool wait_until(ImGuiTestContext* hands, const std::function<bool()>& done) {
  return reference::testing::wait_until([&] {
    if (done()) return true;
    hands->Yield();
    return false;
  });
}

namespace {

int run_all(Stage& stage, const char* filter) {
  ImGuiTestEngine* const engine = ImGuiTestEngine_CreateContext();
  ImGuiTestEngineIO& io = ImGuiTestEngine_GetIO(engine);
  io.ConfigVerboseLevel = ImGuiTestVerboseLevel_Warning;
  io.ConfigVerboseLevelOnError = ImGuiTestVerboseLevel_Info;
  io.ConfigLogToTTY = true;
  io.ConfigRunSpeed = ImGuiTestRunSpeed_Fast;
  io.ConfigSavedSettings = false;
  constexpr auto patience =
      static_cast<float>(std::chrono::seconds{reference::testing::patience}.count());
  io.ConfigWatchdogWarning = patience;
  io.ConfigWatchdogKillTest = 2 * patience;
  std::vector<NamedTest> tests;
  add_panel_tests(tests);
  add_compare_tests(tests);
  add_launch_tests(tests);
  add_lesson_tests(tests);
  add_program_tests(tests);
  add_source_tests(tests);
  add_stream_tests(tests);
  add_tour_tests(tests);
  add_warp_tests(tests);
  add_window_tests(tests);
  for (const NamedTest& test : tests)
    ImGuiTestEngine_RegisterTest(engine, test.group, test.name)->TestFunc =
        [&stage, run = test.run](ImGuiTestContext* hands) { run(hands, stage); };
  ImGuiTestEngine_Start(engine, ImGui::GetCurrentContext());
  ImGuiTestEngine_QueueTests(engine, ImGuiTestGroup_Tests, filter);

  const auto begin = std::chrono::steady_clock::now();
  while (!ImGuiTestEngine_IsTestQueueEmpty(engine)) {
    if (!stage.screen.begin_frame(0)) break;
    ImGui::NewFrame();
    stage.app.update(reference::seconds_since(begin));
    stage.app.draw();
    stage.screen.render();
    stage.app.after_frame([&]() -> Result<std::string> {
      const Image image = TRY(stage.screen.pixels());
      const std::string file = stage.folder + "/picture.png";
      TRY(write_png(image, file));
      return file;
    });
    stage.screen.present();
    ImGuiTestEngine_PostSwap(engine);
  }
  ImGuiTestEngineResultSummary summary;
  ImGuiTestEngine_GetResultSummary(engine, &summary);
  ImVector<ImGuiTest*> all;
  ImGuiTestEngine_GetTestList(engine, &all);
  for (const ImGuiTest* test : all)
    if (test->Output.Status != ImGuiTestStatus_Unknown)
      std::printf("%s  %s/%s\n",
                  test->Output.Status == ImGuiTestStatus_Success ? "passed" : "FAILED",
                  test->Category.c_str(), test->Name.c_str());
  std::printf("%d of %d passed\n", summary.CountSuccess, summary.CountTested);
  ImGuiTestEngine_Stop(engine);
  const bool passed = summary.CountTested > 0 && summary.CountSuccess == summary.CountTested;
  static ImGuiTestEngine* left = nullptr;  // destroyed after ImGui's context
  left = engine;
  std::atexit([] { ImGuiTestEngine_DestroyContext(left); });
  return passed ? 0 : 1;
}

// Returns the text of an App that starts the tour. Call it before the tests create their App: the
// code font is global.
std::string text_when_presenting(const Places& places) {
  ImGuiContext* const context = ImGui::CreateContext();
  ImPlot::CreateContext();
  ImGui::GetIO().DisplaySize = {1280, 720};
  ImGui::GetIO().BackendFlags |= ImGuiBackendFlags_RendererHasTextures;
  AppOptions options;
  options.remember = options.run_at_once = false;
  std::string said;
  if (Result<std::unique_ptr<App>> app = App::make(places, options)) {
    (*app)->present(0);
    ImGui::NewFrame();
    ImGui::LogToBuffer();
    (*app)->draw();
    said = context->LogBuffer.c_str();
    ImGui::LogFinish();
    ImGui::EndFrame();
  }
  ImPlot::DestroyContext();
  ImGui::DestroyContext();
  return said;
}

bool reports_broken_tours(Places places, const std::string& folder) {
  places.tour = folder + "/tour.json";
  bool all = true;
  for (const auto& [text, problem] :
       {std::pair{R"({"stops": [{"title": "t"}]})", ": stop 1 needs a \"title\""},
        std::pair{R"({"stops": [{"title": "t", "caption": "c", "panel": "none"}]})",
                  ": there is no panel \"none\""}}) {
    const bool written = grader::write_file(places.tour, text).ok();
    const std::string said = text_when_presenting(places);
    if (written && said.find(places.tour + problem) != said.npos) continue;
    std::printf("FAILED  a broken tour is reported: %s\n%s\n", problem, said.c_str());
    all = false;
  }
  return all;
}

// Needs no display, because the program ends before it opens a window.
bool refuses_unknown_stops(const std::string& folder) {
  const std::string said = folder + "/said.txt";
  const std::string command =
      fmt::format("{}/histolab-viewer --tour --stop 99 2> {}", HISTOLAB_BIN, said);
  const int status = std::system(("DISPLAY= " + command).c_str());
  const Result<std::string> text = grader::read_text_file(said, "what the viewer said");
  if (WIFEXITED(status) && WEXITSTATUS(status) == 2 && text &&
      text->find("the tour has 14 stops") != text->npos)
    return true;
  std::printf("FAILED  --stop 99 is an error: status %d\n%s\n", status, text ? text->c_str() : "");
  return false;
}

// Writes the presenter's own kernels, which do not compile, and changes to `folder`. Lab 05 keeps
// its solution: another test compares with it.
bool write_unfinished_work(const std::string& folder) {
  std::error_code failure;
  if (!std::filesystem::create_directory(folder + "/work", failure)) return false;
  for (const char* lab : {"02-atomic-add", "03-interleaved", "04-privatization", "06-aggregation"})
    if (!grader::write_file(fmt::format("{}/work/{}.cu", folder, lab),
                            "__global__ void histogram(\n"))
      return false;
  return chdir(folder.c_str()) == 0;
}

int run(const char* filter) {
  std::string folder = (std::filesystem::temp_directory_path() / "histolab-viewer-XXXXXX").string();
  if (mkdtemp(folder.data()) == nullptr) {
    std::perror("a folder for the tests");
    return 2;
  }
  chmod(folder.c_str(), 0755);  // root's compiler of programs runs as another user
  setenv("XDG_CONFIG_HOME", folder.c_str(), 1);
  if (!write_unfinished_work(folder)) {
    std::perror("the tests' own work folder");
    return 2;
  }
  Places places = find_places(grader::own_executable());
  places.program = HISTOLAB_BIN "/histolab";
  const bool told = reports_broken_tours(places, folder) & refuses_unknown_stops(folder);
  int status = 2;
  {
    ImGui::CreateContext();
    ImPlot::CreateContext();
    Result<std::unique_ptr<Screen>> screen = open_window({1280, 720});
    if (!screen) {
      std::fprintf(stderr, "%s\n", screen.error().message.c_str());
      return 2;
    }
    Result<std::unique_ptr<App>> app = App::make(places, {});
    if (!app) {
      std::fprintf(stderr, "%s\n", app.error().message.c_str());
      return 2;
    }
    Stage stage{**app, **screen, folder};
    status = run_all(stage, filter);
    app->reset();
    screen->reset();
    ImPlot::DestroyContext();
    ImGui::DestroyContext();
  }
  WorkerThread::wait_for_all();
  std::filesystem::remove_all(folder);
  return told ? status : 1;
}

}  // namespace
}  // namespace histolab::viewer::testing

int main(int argc, char** argv) {
  return histolab::viewer::testing::run(argc > 1 ? argv[1] : nullptr);
}
