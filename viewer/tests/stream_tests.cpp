// UI tests of streams from other programs.
#include <fstream>
#include <string>

#include "viewer/tests/harness.h"

namespace histolab::viewer::testing {
namespace {

constexpr const char* recording =
    R"({"schema":"histolab/stream/1","event":"begin","run":1,"device":{"kind":"emulator","name":"e"},"lab":"01-race","title":"The race","kernel":"k.cu","source":"int x;\n","dataset":"english","length":100,"seed":1,"schedule":"lockstep","grid":1,"block":32,"bins":2,"bin_labels":["a-m","n-z"],"expected":[60,40]}
{"event":"progress","run":1,"state":"running","steps":5,"blocks":0,"elements_read":50,"of_read":[30,20],"histogram":[10,20],"elapsed_s":0.01}
)";
constexpr const char* its_end =
    R"({"event":"result","run":1,"report":{"lab":"01-race","ending":"completed","correct":false,"histogram":[15,40],"counters":{},"length":100}}
{"event":"end","run":1}
)";

void show(Stage& stage, const std::string& file, const std::string& text) {
  std::ofstream{file} << text;
  Result<Feed> feed = Feed::of_file(file, 0);
  IM_CHECK(feed.ok());
  stage.app.workspace().session.show(std::move(*feed), "a recording");
}

void replay(ImGuiTestContext* hands, Stage& stage) {
  show(stage, stage.folder + "/run.jsonl", std::string{recording} + its_end);
  const Session& session = stage.app.workspace().session;
  IM_CHECK(wait_until(hands, [&] { return !session.active(); }));
  IM_CHECK(session.run().phase() == LiveRun::Phase::done);
  IM_CHECK_EQ(totals(session.run().bars()).lost, 45.0);
  IM_CHECK_EQ(session.run().status(), std::string{"45 of 100 updates are lost"});
  IM_CHECK(!session.controllable());
  stage.app.show_only("");
  hands->Yield(2);
  hands->WindowFocus("//Histogram");
  hands->ItemClick("//Histogram/Run here");  // back to the viewer's own launches
  IM_CHECK(session.controllable());
  IM_CHECK(wait_until(hands, [&] { return !session.active(); }));
}

void cut_off(ImGuiTestContext* hands, Stage& stage) {
  show(stage, stage.folder + "/torn.jsonl",
       std::string{recording} + R"({"event":"progress","run":1,"hist)");
  const Session& session = stage.app.workspace().session;
  IM_CHECK(wait_until(hands, [&] { return !session.active(); }));
  IM_CHECK_EQ(session.run().status(), std::string{"the stream ended in the middle of this launch"});
  hands->Yield(3);
}

void nonsense(ImGuiTestContext* hands, Stage& stage) {
  std::string text = std::string{recording} + "\x01\xff nonsense\n{}\n[1,2,3]\n";
  text +=
      R"({"event":"progress","histogram":[1e300,-1,"x",99999999999999999999999],"of_read":{},"elements_read":1e99})";
  text += "\n";
  text +=
      R"({"event":"accesses","rows":[{"active":4294967295,"bytes":4294967295,"offsets":[4294967295,4294967295],"base":18446744073709551615,"space":"shared","kind":"atomic","line":-2147483648},{"space":"global","offsets":[0,4294967295],"active":3,"bytes":1}]})";
  text += "\n";
  text += its_end;
  show(stage, stage.folder + "/nonsense.jsonl", text);
  const Session& session = stage.app.workspace().session;
  IM_CHECK(wait_until(hands, [&] { return !session.active(); }));
  IM_CHECK_EQ(session.run().strays(), 3u);
  for (const auto& panel : make_panels()) {  // each panel draws it
    stage.app.show_only(panel->info().id);
    hands->Yield(3);
  }
  stage.app.show_only("");
}

}  // namespace

void add_stream_tests(std::vector<NamedTest>& tests) {
  tests.insert(tests.end(), {
                                {"stream", "a recording is replayed", replay},
                                {"stream", "a stream ends in the middle of a line", cut_off},
                                {"stream", "a stream of nonsense", nonsense},
                            });
}

}  // namespace histolab::viewer::testing
