// The client against workers that misbehave: shell scripts in the worker's place. Whatever they do is a verdict about the
// kernel or an Error about the machine, and never an exception.
#include <doctest/doctest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>

#include "kernels/worker/testing/kernel_fixture.h"

using namespace histolab;
using namespace histolab::kernels;

namespace {

// A program that answers the compile check as the real worker does, and the launch with `script`.
class FakeWorker {
 public:
  explicit FakeWorker(const std::string& script) {
    char pattern[] = "/tmp/histolab-fake-XXXXXX";
    REQUIRE(mkdtemp(pattern) != nullptr);
    folder_ = pattern;
    std::ofstream(path()) << "#!/bin/sh\nif ! grep -q '\"launch\":true' /proc/self/fd/3; then\n"
                          << "  echo '{\"machine_error\":\"\",\"diagnostics\":[],\"exports\":{},\"static_shared\":0,\"observations\":[]}'; exit 0\nfi\n"
                          << script << "\n";
    chmod(path().c_str(), 0755);
  }
  ~FakeWorker() { std::filesystem::remove_all(folder_); }
  FakeWorker(const FakeWorker&) = delete;
  FakeWorker& operator=(const FakeWorker&) = delete;
  [[nodiscard]] std::string path() const { return folder_ + "/worker"; }

 private:
  std::string folder_;
};

KernelSignature signature() { return {"k", {KernelSignature::Parameter::pointer}, "__global__ void k(unsigned int* out)", {}}; }

Result<std::vector<Observation>> launch_with(const std::string& script, std::chrono::milliseconds wall = std::chrono::seconds(5)) {
  const FakeWorker worker(script);
  EmulatorPaths paths = testing::emulator_paths();
  paths.worker = worker.path();
  const auto device = make_emulator(paths);
  const Result<Compiled> compiled = device->compile({"k.cu", "__global__ void k(unsigned int* out) { out[0] = 1; }"}, signature());
  REQUIRE(compiled.ok());
  REQUIRE(compiled->ok);
  Result<Buffer> buffer = Buffer::zeroed(4);
  Argument argument{Argument::Kind::output, "out", 4, nullptr, &*buffer, 0};
  Options options;
  options.wall_limit = wall;
  return device->launch(*compiled, {{1, 1, 1}, {1, 1, 1}, 0}, {{argument}}, options);
}

}  // namespace

TEST_CASE("a worker that dies or talks nonsense: the kernel crashed") {
  for (const char* script : {
           "exit 1", "exit 0", "kill -KILL $$", "kill -SEGV $$", "echo garbage", "echo '{\"machine_error\":\"\",'", "echo '[]'", "echo 'null'", "echo '{}'",
           "printf '\\0\\377\\376'", "head -c 20000000 /dev/zero", "yes | head -c 9000000", "echo '{\"machine_error\":7}'",
           "echo '{\"machine_error\":\"\",\"diagnostics\":[],\"exports\":{},\"static_shared\":0,\"observations\":[]}'",
           "echo '{\"machine_error\":\"\",\"diagnostics\":[],\"exports\":{},\"static_shared\":0,\"observations\":[{\"ending\":99}]}'",
           "head -c 100000 /dev/zero | tr '\\0' '['", "echo '{\"machine_error\":\"\"}' >&2; exit 0"}) {
    const auto observed = launch_with(script);
    REQUIRE_MESSAGE(observed.ok(), script);
    REQUIRE(observed->size() == 1);
    CHECK_MESSAGE(observed->front().ending == Ending::crashed, script);
    CHECK(!observed->front().ending_detail.empty());
    CHECK(observed->front().findings.empty());
  }
}

TEST_CASE("a worker that answers well and then fails is not believed") {
  CHECK(launch_with("echo '{\"machine_error\":\"\",\"diagnostics\":[],\"exports\":{},\"static_shared\":0,\"observations\":[]}'; exit 3")->front().ending == Ending::crashed);
}

TEST_CASE("a silent worker, and one that never stops talking, are timed out") {
  for (const char* script : {"sleep 30", "exec >&-; sleep 30", "while :; do :; done", "yes"}) {
    const auto begin = std::chrono::steady_clock::now();
    const auto observed = launch_with(script, std::chrono::milliseconds(300));
    CHECK(std::chrono::steady_clock::now() - begin < std::chrono::seconds(3));
    REQUIRE(observed.ok());
    CHECK_MESSAGE(observed->front().ending == Ending::timed_out, script);
    CHECK(observed->front().ending_detail == "the kernel was still running after 0.3 s");
  }
}

TEST_CASE("what the machine fails to do is an Error, not a verdict") {
  CHECK(!launch_with("exit 127").ok());
  CHECK(!launch_with("echo '{\"machine_error\":\"no memory\",\"diagnostics\":[],\"exports\":{},\"static_shared\":0,\"observations\":[]}'").ok());
  EmulatorPaths paths = testing::emulator_paths();
  paths.worker = "/no/such/worker";
  const auto without_worker = make_emulator(paths)->compile({"k.cu", "__global__ void k(unsigned int*) {}"}, signature());
  REQUIRE(!without_worker.ok());
  CHECK(without_worker.error().message.find("/no/such/worker") != std::string::npos);
  paths.compiler = "no-such-compiler";
  const auto without_compiler = make_emulator(paths)->compile({"k.cu", "__global__ void k(unsigned int*) {}"}, signature());
  REQUIRE(!without_compiler.ok());
  CHECK(without_compiler.error().message.find("g++") != std::string::npos);
}

TEST_CASE("a worker that dies while it checks a compiled kernel") {
  const FakeWorker worker("");
  std::ofstream(worker.path()) << "#!/bin/sh\nkill -SEGV $$\n";
  EmulatorPaths paths = testing::emulator_paths();
  paths.worker = worker.path();
  const auto compiled = make_emulator(paths)->compile({"k.cu", "__global__ void k(unsigned int*) {}"}, signature());
  REQUIRE(compiled.ok());
  CHECK(!compiled->ok);
  CHECK(!compiled->diagnostics.empty());
}

TEST_CASE("the output is read from our own memory, also when the kernel is stopped") {
  const testing::Outcome outcome = testing::run("__global__ void k(unsigned int* out) {\n  out[0] = 7;\n  if (out[0] == 7) __trap();\n  out[1] = 8;\n}",
                                                {.grid = {1}, .block = {1}, .arguments = {testing::out("out", 2)}});
  CHECK(outcome.last().ending == Ending::stopped);
  CHECK(outcome.output() == std::vector<std::uint32_t>{7, 0});
}
