#include "grader/stream/stream.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <new>
#include <nlohmann/json.hpp>

#include "grader/pipeline/case_run.h"
#include "grader/testing/fake_device.h"
#include "grader/testing/sample.h"

using namespace histolab;
using namespace histolab::grader;
using namespace histolab::grader::testing;
using Json = nlohmann::json;

namespace {

RunReport sample_plan() {
  RunReport plan;
  plan.version = "0.0.0", plan.device_kind = "fake", plan.device_name = "tests only",
  plan.sandbox = "none";
  plan.lab = "02-sample", plan.kernel_path = "work/02-sample.cu", plan.compiled = true,
  plan.seed = 3;
  CaseResult& shape = plan.result;
  shape.dataset = "book", shape.length = 41, shape.grid = 2, shape.block = 32, shape.seed = 3;
  return plan;
}

std::string begin(const RunReport& plan) {
  return begin_line(
      {1, sample_lab(), plan, "// a kernel\n", {{"COARSENING", 4}}, {5, 5, 6, 10, 10, 1, 1}});
}

kernels::RecordedAccess sample_access(std::uint32_t warp) {
  kernels::RecordedAccess access;
  access.warp = warp, access.line = 7, access.operation = kernels::Operation::atomic,
  access.space = kernels::Space::global;
  access.variable = "histo", access.bytes = 4, access.active = 0x3, access.offset[1] = 8,
  access.sectors = 1, access.same_address_degree = 1;
  return access;
}

std::size_t lines_in(const std::string& text) {
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

StreamedLaunch sample_launch() {
  StreamedLaunch launch;
  launch.program = "main.cu", launch.number = 3, launch.kernel = "histogram<256>";
  launch.grid = {2, 3, 1}, launch.block = {32, 2, 1};
  launch.launches = {"clear<<<1, 7>>> at main.cu:9"}, launch.launch_count = 3;
  launch.device_name = "tests only";
  launch.sources = {{"add.h", "// adds\n"}, {"main.cu", "// runs\n"}};
  launch.profile = "h200", launch.modelled_ms = 0.5;
  kernels::Observation& seen = launch.observation;
  seen.files = {"main.cu", "add.h"};
  seen.accesses = {sample_access(1), sample_access(2)};
  seen.accesses[0].file = 2;
  seen.counters.block_size = 64;
  reference::LineCounters line;
  line.line = 7, line.file = 2, line.counters.barriers = 4;
  seen.lines = {line};
  return launch;
}

}  // namespace

TEST_CASE("a whole stream") {
  RunReport report = sample_plan();
  report.result.correct = true;
  report.result.runs.push_back(
      {.histogram = {5, 5, 6, 10, 10, 1, 1}, .updates_expected = 38, .counters = {}});
  const StreamProgress progress{.run = 1,
                                .paused = true,
                                .steps = 12,
                                .blocks = 1,
                                .elements_read = 3,
                                .of_read = {1, 0, 0, 1, 1, 0, 0},
                                .histogram = {1, 0, 0, 0, 1, 0, 0},
                                .elapsed_s = 0.25};
  const std::string stream = begin(sample_plan()) + progress_line(progress) +
                             access_lines(1, {sample_access(0), sample_access(1)}) +
                             result_line(1, report) + end_line(1) + launch_lines(sample_launch()) +
                             error_line("there is no lab \"77\"");
  CHECK(lines_in(stream) == 10);
  CHECK(matches_golden("stream.jsonl", stream));
}

TEST_CASE("a kernel that does not compile has no grid") {
  RunReport plan = sample_plan();
  CHECK(Json::parse(begin(plan))["grid"] == 2);
  plan.compiled = false;
  CHECK(Json::parse(begin(plan))["grid"] == nullptr);
  CHECK(Json::parse(begin(plan))["bin_labels"].size() == 7);
}

TEST_CASE("a program that does not compile has no shape") {
  StreamedLaunch launch = sample_launch();
  launch.kernel.clear();
  launch.diagnostics = {{"main.cu", {.line = 3, .message = "expected ';'"}}, {"", {}}};
  const std::string lines = launch_lines(launch);
  const Json begin = Json::parse(lines.substr(0, lines.find('\n')));
  CHECK(begin["grid"] == nullptr);
  CHECK(begin["block"] == nullptr);
  CHECK(lines.find("\"ending\":\"compile_error\"") != std::string::npos);
  CHECK(lines.find("\"column\":null,\"message\":\"expected ';'\",\"file\":\"main.cu\"") !=
        std::string::npos);
}

TEST_CASE("accesses come 256 to a line") {
  for (const auto& [rows, lines] :
       {std::pair<std::size_t, std::size_t>{0, 0}, {1, 1}, {256, 1}, {257, 2}, {4096, 16}}) {
    std::vector<kernels::RecordedAccess> accesses;
    for (std::size_t i = 0; i < rows; ++i)
      accesses.push_back(sample_access(static_cast<std::uint32_t>(i)));
    const std::string text = access_lines(5, accesses);
    CHECK(lines_in(text) == lines);
    std::size_t seen = 0;
    for (std::size_t at = 0; at < text.size(); at = text.find('\n', at) + 1) {
      const Json line = Json::parse(text.substr(at, text.find('\n', at) - at));
      CHECK(line["run"] == 5);
      for (const Json& row : line["rows"]) CHECK(row["warp"] == seen++);
    }
    CHECK(seen == rows);
  }
}

TEST_CASE("an event is one line of UTF-8, even if the name of a kernel or file is not") {
  const std::string odd = "a\nb\r\xff\x01\"\\";
  RunReport plan = sample_plan();
  plan.kernel_path = odd, plan.result.dataset = odd;
  kernels::RecordedAccess access = sample_access(0);
  access.variable = odd;
  for (const std::string& text :
       {begin(plan), access_lines(1, {access}), error_line(odd), result_line(1, plan)}) {
    CHECK(lines_in(text) == 1);
    CHECK(text.back() == '\n');
    CHECK_FALSE(Json::parse(text, nullptr, false).is_discarded());
  }
}

TEST_CASE("an onlooker sees the bins from before the launch until its end, even if it fails") {
  struct WithoutMemory final : FakeDevice {
    Result<std::vector<kernels::Observation>> launch(
        const kernels::Compiled&, const kernels::LaunchConfig&,
        const std::vector<std::vector<kernels::Argument>>&, const kernels::Options&) override {
      throw std::bad_alloc();
    }
  };
  FakeDevice fake;
  WithoutMemory without_memory;
  const LabSpec lab = sample_lab();
  std::vector<std::string> seen;
  const LaunchBuffers* bins = nullptr;
  std::uint64_t counted = 0;
  Onlooker onlooker;
  onlooker.begins = [&](const LaunchBuffers& buffers) {
    bins = &buffers;
    seen.push_back("begins");
    CHECK(buffers.values() == reference::Values(7));
  };
  onlooker.ended = [&] {
    seen.push_back("ended"), counted = static_cast<std::uint64_t>(bins->values()[3]);
  };
  const auto run = [&](kernels::Device& device, const char* kernel) {
    seen.clear();
    return run_case(device, lab, *fake.compile({"k.cu", kernel}, {}), sample_plan().result,
                    {Bytes{'m', 'm'}}, {}, &onlooker);
  };
  const std::vector<std::string> both = {"begins", "ended"};
  CHECK(run(fake, "// fake: right\n")->correct);
  CHECK(seen == both);
  CHECK(counted == 2);
  CHECK(run(fake, "// fake: crash\n").ok());
  CHECK(seen == both);
  CHECK_THROWS_AS(static_cast<void>(run(without_memory, "// fake: right\n").ok()), std::bad_alloc);
  CHECK(seen == both);
}
