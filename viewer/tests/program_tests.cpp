// UI tests of whole programs: their launches and files in the source and warp panels.
#include <fstream>
#include <string>

#include "viewer/tests/harness.h"

namespace histolab::viewer::testing {
namespace {

const std::string header =
    "template <int step>\n__device__ void more(int* sum) {\n  *sum += step;\n}\n";

std::string source(const std::string& host) {
  return "#include \"more.h\"\n"
         "template <int step>\n"
         "__global__ void add(int* sum) {\n"
         "  __shared__ int copy[32];\n"
         "  copy[threadIdx.x] = threadIdx.x;\n"
         "  more<step>(sum + copy[threadIdx.x]);\n"
         "}\n"
         "int main() {\n"
         "  int* sum;\n"
         "  cudaMalloc(&sum, 128);\n"
         "  cudaMemset(sum, 0, 128);\n"
         "  add<2><<<1, 32>>>(sum);\n"
         "  add<3><<<1, 16>>>(sum);\n  " +
         host + "\n}\n";
}

// Runs a program and shows only the panel. Returns its file.
std::string open(ImGuiTestContext* hands, Stage& stage, const char* panel) {
  static int number = 0;
  const std::string file = "program-" + std::to_string(++number) + ".cu";  // in the test's folder
  std::ofstream{"more.h"} << header;
  std::ofstream{file} << source("cudaFree(sum);");
  stage.app.stop_presenting();
  Workspace& workspace = stage.app.workspace();
  workspace.choice = {};
  workspace.choice.program.files = {file};
  workspace.selected = {};
  workspace.session.start(workspace.choice);
  stage.app.show_only(panel);
  hands->Yield(2);
  hands->SetRef((std::string{"//###alone-"} + panel).c_str());
  IM_CHECK_RETV(wait_until(hands, [&] { return !workspace.session.active(); }), file);
  IM_CHECK_RETV(workspace.session.run().begin().title == "launch 1 of add<2>", file);
  return file;
}

// Later tests use a lab.
void leave(Stage& stage) {
  stage.app.workspace().choice = {};
  stage.app.workspace().session.clear();
}

void choose_a_launch(ImGuiTestContext* hands, Stage& stage) {
  open(hands, stage, "source");
  const LiveRun& run = stage.app.workspace().session.run();
  IM_CHECK_EQ(run.begin().launches.size(), 2u);
  hands->ComboClick(("##launch/2  " + run.begin().launches[1]).c_str());
  IM_CHECK(wait_until(hands, [&] { return run.begin().title == "launch 2 of add<3>"; }));
  IM_CHECK(wait_until(hands, [&] { return run.result().has_value(); }));
  IM_CHECK_EQ(run.result()->block, 16u);
  leave(stage);
}

void choose_a_file(ImGuiTestContext* hands, Stage& stage) {
  open(hands, stage, "source");
  Workspace& workspace = stage.app.workspace();
  const Begin& begin = workspace.session.run().begin();
  IM_CHECK_EQ(begin.sources.size(), 2u);
  for (const SourceText& each : begin.sources) {
    hands->ComboClick(("##file/" + each.file).c_str());
    IM_CHECK_EQ(workspace.selected.file, each.file);
    hands->ItemClick("**/##line3");
    IM_CHECK_EQ(workspace.selected.line, 3);
    hands->ItemClick("**/##line3");
  }
  leave(stage);
}

void accesses_by_file(ImGuiTestContext* hands, Stage& stage) {
  open(hands, stage, "warp");
  Workspace& workspace = stage.app.workspace();
  const std::vector<Access>& rows = workspace.session.run().accesses();
  IM_CHECK_EQ(rows.size(), 4u);  // a store and a load of the copy, a load and a store in more.h
  const std::string file = rows.back().file;
  IM_CHECK_EQ(file, std::string{"more.h"});
  hands->ItemClick(("**/" + file + ":3").c_str());
  IM_CHECK_EQ(workspace.selected.file, file);
  IM_CHECK_EQ(workspace.selected.line, 3);
  hands->ItemClick("**/all");
  IM_CHECK_EQ(workspace.selected.line, 0);
  leave(stage);
}

void run_again_at_each_save(ImGuiTestContext* hands, Stage& stage) {
  const std::string file = open(hands, stage, "source");
  const LiveRun& run = stage.app.workspace().session.run();
  hands->SleepNoSkip(0.5f, 0.02f);  // the first version is read
  std::ofstream{file} << source("cudaFree(sum); cudaFree(sum);");
  IM_CHECK(wait_until(hands, [&] {
    return run.result() && !run.result()->findings.empty() &&
           run.result()->findings[0].kind == "invalid_free";
  }));
  std::ofstream{file} << source("cudaFree(sun);");
  IM_CHECK(wait_until(hands, [&] { return run.result() && !run.result()->compiled(); }));
  IM_CHECK(!run.result()->diagnostics.empty());
  std::ofstream{file} << "#include \"more.h\"\nint main() { return size; }\n";
  std::ofstream{"more.h"} << "const int size = 0;\n";
  IM_CHECK(wait_until(hands, [&] { return run.phase() == LiveRun::Phase::failed; }));
  IM_CHECK(run.status().find("makes no launch") != std::string::npos);
  std::ofstream{"more.h"} << header;
  std::ofstream{file} << source("cudaFree(sum);");
  IM_CHECK(wait_until(hands, [&] { return run.phase() == LiveRun::Phase::done; }));
  hands->SleepNoSkip(0.5f, 0.02f);
  const std::uint64_t launches = run.launches();
  std::ofstream{"more.h"} << "// A header is a source, too.\n" << header;
  IM_CHECK(wait_until(hands, [&] { return run.launches() > launches; }));
  leave(stage);
}

void back_from_the_tour(ImGuiTestContext* hands, Stage& stage) {
  open(hands, stage, "source");
  Workspace& workspace = stage.app.workspace();
  IM_CHECK(wait_until(hands, [&] { return !workspace.catalogue.labs.empty(); }));
  stage.app.present(5);  // a stop with a launch
  IM_CHECK(wait_until(hands, [&] { return !workspace.session.run().begin().is_program(); }));
  stage.app.stop_presenting();
  IM_CHECK(wait_until(hands, [&] { return workspace.session.run().begin().is_program(); }));
  leave(stage);
}

void back_to_a_lab(ImGuiTestContext* hands, Stage& stage) {
  open(hands, stage, "histogram");
  hands->ItemClick("Show a lab instead");
  const Session& session = stage.app.workspace().session;
  IM_CHECK(wait_until(hands, [&] { return !session.active() && session.run().result(); }));
  IM_CHECK(session.run().begin().program.empty());
}

}  // namespace

void add_program_tests(std::vector<NamedTest>& tests) {
  tests.insert(tests.end(), {
                                {"program", "a launch is chosen", choose_a_launch},
                                {"program", "a file is chosen", choose_a_file},
                                {"program", "accesses by file", accesses_by_file},
                                {"program", "a save runs it again", run_again_at_each_save},
                                {"program", "the tour goes back to it", back_from_the_tour},
                                {"program", "back to a lab", back_to_a_lab},
                            });
}

}  // namespace histolab::viewer::testing
