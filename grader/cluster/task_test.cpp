#include "grader/cluster/task.h"

#include <doctest/doctest.h>

#include <sys/stat.h>
#include <atomic>

#include <map>
#include <thread>

#include "grader/batch/gradings.h"
#include "grader/pipeline/measured.h"
#include "grader/testing/fake_device.h"
#include "grader/testing/sample.h"

using namespace histolab;
using namespace histolab::cluster;
using grader::testing::FakeDevice;

namespace {

// Compiles nothing any more after so many kernels.
class Breaking final : public FakeDevice {
 public:
  Result<kernels::Compiled> compile(
      const kernels::Source& source,
      const std::vector<kernels::KernelSignature>& signatures) override {
    if (left-- <= 0) return Error{"no process left"};
    return FakeDevice::compile(source, signatures);
  }
  std::atomic<int> left = 1'000'000;
};

struct Fixture {
  Fixture() {
    REQUIRE(mkdir(folder.at("out").c_str(), 0700) == 0);
    assignment = *spool.make({});
    blank.spool = assignment.id, blank.array = 1, blank.node.name = "node1";
  }
  TaskEngine engine() {
    TaskEngine made{.batch = {.device = device, .labs = labs, .grading = {}, .measurements = {}}};
    made.batch.patience = std::chrono::milliseconds{0};
    return made;
  }
  static Item item(const std::string& grading, const std::string& text) {
    Item made{.grading = grading, .lab = "02-sample"};
    if (!text.empty()) made.work.kernel = text;
    return made;
  }
  Status run(const Chunk& chunk, TaskEngine made) {
    PartWriter writer{spool, blank, std::chrono::steady_clock::now()};
    return run_chunk(chunk, made, writer);
  }
  std::vector<Part> parts() {
    std::vector<Part> all;
    const Result<std::vector<std::string>> paths = spool.parts();
    REQUIRE(paths);
    for (const std::string& path : *paths)
      all.push_back(*part_from_json(grader::testing::get(path), path));
    return all;
  }

  grader::testing::TemporaryFolder folder;
  Spool spool{folder.at("out/slurm")};
  Assignment assignment;
  Breaking device;
  std::vector<grader::LabSpec> labs{grader::testing::sample_lab_in(folder.path())};
  Part blank;
};

}  // namespace

TEST_CASE("a task's results equal the local engine's, to the byte") {
  Fixture fixture;
  Chunk chunk{.items = {Fixture::item("a", "// fake: right\n"),
                        Fixture::item("b", "// fake: lossy 3\n"), Fixture::item("c", ""),
                        Fixture::item("d", "// fake: compile 2\n")}};
  chunk.items.push_back(Fixture::item("e", ""));
  chunk.items.back().work.problem = "e.cu: is a binary file";
  REQUIRE(fixture.run(chunk, fixture.engine()));
  const std::vector<Part> parts = fixture.parts();
  REQUIRE(parts.size() == 1);
  CHECK(parts[0].complete);
  CHECK(parts[0].failure.empty());
  REQUIRE(parts[0].found.size() == 5);
  std::map<std::string, batch::Outcome> found;
  for (const Found& each : parts[0].found) found[each.grading] = each.outcome;
  TaskEngine here = fixture.engine();
  grader::SolutionStages stages{fixture.device, {}};
  for (const Item& each : chunk.items) {
    const Result<grader::LabResult> graded =
        batch::grade_work(here.batch, stages, each.lab, each.work);
    REQUIRE(graded);
    CHECK(found[each.grading].report == batch::report_of(*graded, "fake"));
    CHECK(found[each.grading].status == name(graded->status));
  }
  CHECK(found["e"].status == "needs_review");
  CHECK(found["c"].status == "not_attempted");
}

TEST_CASE("machine failures: needs_review if the solution can be graded, else the task gives up") {
  Fixture fixture;
  const Chunk chunk{
      .items = {Fixture::item("a", "// fake: machine\n"), Fixture::item("b", "// fake: right\n")}};
  REQUIRE(fixture.run(chunk, fixture.engine()));
  REQUIRE(fixture.parts().size() == 1);
  CHECK(fixture.parts()[0].found[0].outcome.status == "needs_review");
  CHECK(fixture.parts()[0].found[1].outcome.status == "passed");

  Fixture broken;
  broken.device.left = 1;
  CHECK_FALSE(broken.run({.items = {Fixture::item("a", "// fake: right\n"),
                                    Fixture::item("b", "// fake: right\nint b;"),
                                    Fixture::item("c", "// fake: right\n")}},
                         broken.engine()));
  REQUIRE(broken.parts().size() == 1);
  CHECK(broken.parts()[0].failure.find("no process left") != std::string::npos);
  CHECK_FALSE(broken.parts()[0].complete);
  REQUIRE(broken.parts()[0].found.size() == 1);  // results before the failure are kept
  CHECK(broken.parts()[0].found[0].outcome.status == "passed");
}

TEST_CASE("one task measures times, another judges with them") {
  Fixture fixture;
  grader::testing::FakeGpu gpu;
  fixture.labs[0].timed = {
      {.id = "large", .dataset = "english", .length = 4096, .emulated_length = 1024}};
  grader::CheckSpec check;
  check.id = "fast", check.kind = grader::CheckKind::within_of_solution, check.factor = 1.5,
  check.points = 3, check.timed = {0};
  fixture.labs[0].checks.push_back(check);
  fixture.labs[0].max_score += 3;
  Chunk chunk{.phase = Phase::measure,
              .items = {Fixture::item("a", "// fake: right\n"),
                        Fixture::item("b", "// fake: right loads 2\n"), Fixture::item("c", "")}};
  chunk.items.push_back({.grading = "s", .lab = "02-sample", .solution = true});
  TaskEngine measuring = fixture.engine();
  measuring.gpu = &gpu;
  REQUIRE(fixture.run(chunk, measuring));
  const Part times = fixture.parts().at(0);
  REQUIRE(times.found.size() == 4);
  for (std::size_t i = 0; i < 4; ++i) {
    CHECK(times.found[i].outcome.status.empty());
    chunk.items[i].measured = times.found[i].measured;
  }
  CHECK(times.found[2].measured.empty());
  CHECK(grader::measured_from_json(times.found[0].measured, "times")->timed.at(0).device ==
        "fake GPU");
  chunk.phase = Phase::judge;
  Chunk too_early = chunk;
  too_early.items[1].measured.clear();
  fixture.blank.index = 2;
  CHECK_FALSE(fixture.run(too_early, fixture.engine()));  // never a mark without times
  CHECK(fixture.parts().at(1).found.empty());
  fixture.blank.index = 1;
  REQUIRE(fixture.run(chunk, fixture.engine()));
  const Part judged = fixture.parts().at(1);
  REQUIRE(judged.index == 1);
  REQUIRE(judged.found.size() == 4);
  std::map<std::string, batch::Outcome> found;
  for (const Found& each : judged.found) found[each.grading] = each.outcome;
  CHECK(found["a"].status == "passed");
  CHECK(found["b"].report.find("2.00 times as long, 1.5 allowed") != std::string::npos);
  CHECK(found["c"].status == "not_attempted");
  CHECK(found["s"].status == "passed");
}

TEST_CASE("the task waits for an unavailable directory, and ends if the spool was removed") {
  Fixture fixture;
  PartWriter writer{fixture.spool, fixture.blank, std::chrono::steady_clock::now()};
  writer.pause = std::chrono::milliseconds{20};
  const std::string folder = fixture.folder.at("out"), away = fixture.folder.at("away");
  REQUIRE(writer.add({"a", {"passed", 1, "{}", 1, "node1"}}));
  REQUIRE(std::rename(folder.c_str(), away.c_str()) == 0);
  std::thread later{[&] {
    std::this_thread::sleep_for(std::chrono::milliseconds{200});
    static_cast<void>(std::rename(away.c_str(), folder.c_str()));
  }};
  const Status written = writer.finish();
  later.join();
  REQUIRE_MESSAGE(written.ok(), written.error().message);
  CHECK(fixture.parts().at(0).found.size() == 1);
  fixture.spool.remove();
  CHECK(writer.finish().error().message == "the batch has ended: its folder is gone");
}
