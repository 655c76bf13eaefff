// UI tests that run kernels from the viewer.
#include <dirent.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <sstream>
#include <string>

#include "viewer/tests/harness.h"

namespace histolab::viewer::testing {
namespace {

constexpr const char* window = "//Histogram";

// Starts with the docked layout, the histogram in front and no launch.
void begin_at_histogram(ImGuiTestContext* hands, Stage& stage) {
  stage.app.stop_presenting();
  stage.app.show_only("");
  stage.app.workspace().session.stop();
  stage.app.workspace().session.set_speed(0);
  stage.app.workspace().choice.repeat = false;
  hands->Yield(2);
  hands->WindowFocus(window);
  hands->SetRef(window);
}

void pick(ImGuiTestContext* hands, Stage& stage, const char* lab, const char* kernel) {
  IM_CHECK(wait_until(hands, [&] { return !stage.app.workspace().catalogue.labs.empty(); }));
  hands->ComboClick((std::string{"##lab/"} + lab).c_str());
  hands->ComboClick((std::string{"##kernel/"} + kernel).c_str());
}

bool is_done(const Stage& stage) {
  const Session& session = stage.app.workspace().session;
  return !session.active() && (session.run().phase() == LiveRun::Phase::done ||
                               session.run().phase() == LiveRun::Phase::failed);
}

// Returns all descendants of `parent`.
std::vector<pid_t> descendants(pid_t parent) {
  std::vector<pid_t> found;
  DIR* const processes = opendir("/proc");
  while (const dirent* entry = readdir(processes)) {
    const pid_t process = std::atoi(entry->d_name);
    if (process <= 0) continue;
    std::ifstream in{std::string{"/proc/"} + entry->d_name + "/stat"};
    std::stringstream text;
    text << in.rdbuf();
    std::istringstream fields{
        text.str().substr(std::min(text.str().size(), text.str().rfind(')') + 1))};
    std::string state;
    pid_t its_parent = 0;
    fields >> state >> its_parent;
    if (its_parent == parent && state != "Z") found.push_back(process);
  }
  closedir(processes);
  for (const pid_t child : std::vector<pid_t>{found})
    for (const pid_t below : descendants(child)) found.push_back(below);
  return found;
}

std::string name_of(pid_t process) {
  std::string name;
  std::getline(std::ifstream{"/proc/" + std::to_string(process) + "/comm"}, name);
  return name;
}

void race_loses(ImGuiTestContext* hands, Stage& stage) {
  begin_at_histogram(hands, stage);
  pick(hands, stage, "01-race", "solution");
  hands->ItemClick("Run");
  IM_CHECK(wait_until(hands, [&] { return stage.app.workspace().session.active(); }));
  IM_CHECK(wait_until(hands, [&] { return is_done(stage); }));
  const LiveRun& run = stage.app.workspace().session.run();
  IM_CHECK_EQ(run.begin().lab, std::string{"01-race"});
  IM_CHECK_GT(totals(run.bars()).lost, 0.0);
  IM_CHECK_NE(run.status().find("updates are lost"), std::string::npos);
  IM_CHECK(std::ranges::any_of(run.result()->findings,
                               [](const Finding& finding) { return finding.kind == "data_race"; }));
}

void atomic_loses_nothing(ImGuiTestContext* hands, Stage& stage) {
  begin_at_histogram(hands, stage);
  pick(hands, stage, "02-atomic-add", "solution");
  hands->ItemClick("Run");
  IM_CHECK(wait_until(hands, [&] { return stage.app.workspace().session.active(); }));
  IM_CHECK(wait_until(hands, [&] { return is_done(stage); }));
  const LiveRun& run = stage.app.workspace().session.run();
  IM_CHECK_EQ(run.begin().lab, std::string{"02-atomic-add"});
  IM_CHECK_EQ(totals(run.bars()).lost, 0.0);
  IM_CHECK(run.result()->correct);
  IM_CHECK_GT(totals(run.bars()).counted, 0.0);
}

void step_by_step(ImGuiTestContext* hands, Stage& stage) {
  begin_at_histogram(hands, stage);
  pick(hands, stage, "01-race", "solution");
  Session& session = stage.app.workspace().session;
  hands->ItemClick("Step");
  IM_CHECK(wait_until(hands, [&] {
    return session.run().phase() == LiveRun::Phase::paused && session.run().progress().steps >= 1;
  }));
  const std::uint64_t one = session.run().progress().steps;
  hands->ItemClick("Step");
  IM_CHECK(wait_until(hands, [&] {
    return session.run().phase() == LiveRun::Phase::paused && session.run().progress().steps > one;
  }));
  IM_CHECK(session.active());
  hands->ItemClick("Resume");
  IM_CHECK(wait_until(hands, [&] { return is_done(stage); }));
  IM_CHECK_GT(totals(session.run().bars()).lost, 0.0);
}

void pause_and_stop(ImGuiTestContext* hands, Stage& stage) {
  begin_at_histogram(hands, stage);
  pick(hands, stage, "01-race", "solution");
  Session& session = stage.app.workspace().session;
  session.set_speed(50);
  hands->ItemClick("Run");
  IM_CHECK(wait_until(hands, [&] {
    return session.run().phase() == LiveRun::Phase::running && session.run().progress().steps > 2;
  }));
  hands->ItemClick("Pause");
  IM_CHECK(wait_until(hands, [&] { return session.run().phase() == LiveRun::Phase::paused; }));
  const std::uint64_t held = session.run().progress().steps;
  hands->SleepNoSkip(0.3f, 0.02f);
  IM_CHECK_LE(session.run().progress().steps, held + 1);
  hands->ItemClick("Stop");
  IM_CHECK(!session.active());
  IM_CHECK(wait_until(hands, [&] {
    return std::ranges::none_of(
        descendants(getpid()), [](pid_t process) { return name_of(process) == "histolab-worker"; });
  }));
}

void typed_text(ImGuiTestContext* hands, Stage& stage) {
  begin_at_histogram(hands, stage);
  pick(hands, stage, "02-atomic-add", "solution");
  hands->ItemInputValue("##text", "mississippi");
  hands->ItemClick("Run");
  IM_CHECK(wait_until(hands, [&] { return stage.app.workspace().session.active(); }));
  IM_CHECK(wait_until(hands, [&] { return is_done(stage); }));
  const LiveRun& run = stage.app.workspace().session.run();
  IM_CHECK_EQ(totals(run.bars()).counted, 11.0);
  stage.app.workspace().choice.text.clear();
}

void killed_worker(ImGuiTestContext* hands, Stage& stage) {
  begin_at_histogram(hands, stage);
  pick(hands, stage, "01-race", "solution");
  Session& session = stage.app.workspace().session;
  hands->ItemClick("Step");
  IM_CHECK(wait_until(hands, [&] { return session.run().phase() == LiveRun::Phase::paused; }));
  bool killed = false;
  for (const pid_t process :
       descendants(getpid()))  // the process that runs the kernel is a child of the worker
    if (name_of(process).starts_with("histolab-worke") && descendants(process).empty())
      killed |= kill(process, SIGKILL) == 0;
  IM_CHECK(killed);
  const int frames = ImGui::GetFrameCount();
  IM_CHECK(wait_until(hands, [&] { return is_done(stage); }));
  IM_CHECK_GT(ImGui::GetFrameCount(), frames);
  IM_CHECK_EQ(session.run().result()->ending, std::string{"crashed"});
  IM_CHECK_NE(session.run().status().find("crashed"), std::string::npos);
}

void endless_kernel(ImGuiTestContext* hands, Stage& stage) {
  begin_at_histogram(hands, stage);
  const std::string file = stage.folder + "/endless.cu";
  std::ofstream{file} << "__global__ void histogram(const char* data, unsigned int length, "
                         "unsigned int* histo) {\n  "
                         "while (true) {\n    atomicAdd(&histo[0], 1u);\n  }\n}\n";
  stage.app.workspace().choice.lab = "02-atomic-add";
  stage.app.workspace().choice.kernel = file;
  const int frames = ImGui::GetFrameCount();
  hands->ItemClick("Run");
  Session& session = stage.app.workspace().session;
  IM_CHECK(wait_until(hands, [&] {
    return is_done(stage) && session.run().begin().kernel.find("endless.cu") != std::string::npos;
  }));
  IM_CHECK_GT(ImGui::GetFrameCount(), frames + 5);
  IM_CHECK(!session.run().result()->correct);
  IM_CHECK_NE(session.run().result()->ending, std::string{"completed"});
}

void no_such_kernel(ImGuiTestContext* hands, Stage& stage) {
  begin_at_histogram(hands, stage);
  stage.app.workspace().choice.kernel = stage.folder + "/none.cu";
  hands->ItemClick("Run");
  IM_CHECK(wait_until(hands, [&] {
    return stage.app.workspace().session.run().phase() == LiveRun::Phase::failed;
  }));
  IM_CHECK_NE(stage.app.workspace().session.run().failure().find("none.cu"), std::string::npos);
}

}  // namespace

void add_launch_tests(std::vector<NamedTest>& tests) {
  tests.insert(tests.end(), {
                                {"launch", "the race loses updates", race_loses},
                                {"launch", "atomicAdd loses none", atomic_loses_nothing},
                                {"launch", "step by step, then on", step_by_step},
                                {"launch", "pause and stop", pause_and_stop},
                                {"launch", "typed text is counted", typed_text},
                                {"launch", "a killed worker", killed_worker},
                                {"launch", "an endless kernel", endless_kernel},
                                {"launch", "a missing kernel", no_such_kernel},
                            });
}

}  // namespace histolab::viewer::testing
