// Tests of the client against misbehaving workers, which are shell scripts. Any behaviour is a
// verdict about the kernel or an Error about the machine, and never an exception.
#include <doctest/doctest.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <fstream>

#include "kernels/worker/processes/descriptor.h"
#include "kernels/worker/processes/process.h"
#include "kernels/worker/protocol/protocol.h"
#include "kernels/worker/testing/child_processes.h"
#include "kernels/worker/testing/kernel_fixture.h"

using namespace histolab;
using namespace histolab::kernels;

namespace {

std::string answer_with(std::vector<Observation> observations) {
  worker::Answer answer;
  answer.observations = std::move(observations);
  return to_text(answer);
}

Observation ended(Ending ending) {
  Observation observation;
  observation.ending = ending;
  observation.ending_detail = std::string(name(ending));
  return observation;
}

const std::string becomes_server = "[ \"$1\" = serve ] && exec " HISTOLAB_FAKE_SERVER " \"$0\"\n";

// A program in place of the worker. It answers the compile check like the real one and a launch
// with `script`. In the script, `answer NAME` prints one of the files in its folder.
class FakeWorker {
 public:
  explicit FakeWorker(const std::string& script,
                      const std::map<std::string, std::string>& answers = {}) {
    std::ofstream(folder_.path() + "/good") << answer_with({ended(Ending::completed)});
    worker::Answer inspected;
    inspected.modules.resize(1);
    std::ofstream(folder_.path() + "/compiled") << worker::to_text(inspected);
    for (const auto& [name, text] : answers) std::ofstream(folder_.path() + "/" + name) << text;
    std::ofstream(path())
        << "#!/bin/sh\n"
        << becomes_server << "answer() { cat " << folder_.path() << "/$1; }\n"
        << "grep -q '\"launch\":true' /proc/self/fd/3 || { answer compiled; exit 0; }\n"
        << script << "\n";
    chmod(path().c_str(), 0755);
  }
  [[nodiscard]] std::string path() const { return folder_.path() + "/worker"; }

 private:
  worker::TemporaryFolder folder_ = testing::temporary_folder();
};

KernelSignature signature() {
  using enum KernelSignature::Parameter;
  return {
      "k", {pointer, pointer}, "__global__ void k(const unsigned int* in, unsigned int* out)", {}};
}
constexpr const char* kernel =
    "__global__ void k(const unsigned int* in, unsigned int* out) { out[0] = in[0] + 1; }";

// The result of a launch of that worker, and the contents of the buffers afterwards. Before it, the
// input is 7 and the output 0.
struct Launched {
  Result<std::vector<Observation>> observed;
  std::uint32_t input = 0, output = 0;
};

Launched launch_with(const FakeWorker& worker, std::size_t times = 1,
                     std::chrono::milliseconds limit = std::chrono::seconds(5)) {
  EmulatorPaths paths = testing::emulator_paths();
  paths.worker = worker.path();
  const auto device = make_emulator(paths);
  const Result<Compiled> compiled = device->compile({"k.cu", kernel}, {signature()});
  REQUIRE(compiled.ok());
  REQUIRE(compiled->ok);
  const std::uint8_t seven[4] = {7, 0, 0, 0};
  Result<Buffer> in = Buffer::copy_of(seven), out = Buffer::zeroed(4);
  const std::vector<Argument> arguments{{Argument::Kind::input, "in", 4, &*in, nullptr, 0},
                                        {Argument::Kind::output, "out", 4, nullptr, &*out, 0}};
  Options options;
  options.time_limit = limit;
  Launched launched{
      device->launch(*compiled, {{1, 1, 1}, {1, 1, 1}, 0}, std::vector(times, arguments), options)};
  std::memcpy(&launched.input, in->bytes().data(), 4);
  std::memcpy(&launched.output, out->bytes().data(), 4);
  return launched;
}

// Returns the ending of the last observation, or "error" if the machine failed.
std::string ending_of(const Launched& launched) {
  if (!launched.observed.ok()) return "error";
  REQUIRE(!launched.observed->empty());
  return std::string(name(launched.observed->back().ending));
}

void check_holds(const char* condition) {
  CHECK_MESSAGE(
      ending_of(launch_with(FakeWorker(std::string(condition) + " && answer good"))) == "completed",
      std::string(condition));
}

}  // namespace

TEST_CASE("an idle worker that was ended from outside is replaced") {
  const EmulatorPaths paths = testing::emulator_paths();
  const auto device = make_emulator(paths);
  for (int round = 0; round < 3; ++round) {
    const Result<Compiled> compiled = device->compile({"k.cu", kernel}, {signature()});
    REQUIRE_MESSAGE(compiled.ok(), compiled.error().message);
    CHECK(compiled->ok);
    const std::vector<pid_t> workers = testing::children_of("self");
    CHECK_FALSE(workers.empty());
    for (const pid_t each : workers) {
      REQUIRE(kill(each, SIGKILL) == 0);
      siginfo_t ended;
      REQUIRE(waitid(P_PID, static_cast<id_t>(each), &ended, WEXITED | WNOWAIT) == 0);
    }
  }
}

TEST_CASE("a valid answer of a worker is accepted") {
  CHECK(ending_of(launch_with(FakeWorker("answer good"))) == "completed");
}

TEST_CASE("a worker that dies or sends an invalid answer counts as a crash of the kernel") {
  const std::map<std::string, std::string> answers = {
      {"half", answer_with({ended(Ending::completed)}).substr(0, 100)},
      {"twice", answer_with({ended(Ending::completed)}) + answer_with({})},
      {"none", answer_with({})},
      {"array", "[" + answer_with({ended(Ending::completed)}) + "]"}};
  for (const char* script :
       {"exit 1", "exit 0", "kill -KILL $$", "kill -SEGV $$", "echo garbage", "answer half",
        "answer twice", "answer none", "answer array", "echo '[]'", "echo 'null'", "echo '{}'",
        "printf '\\0\\377\\376'", "head -c 20000000 /dev/zero",
        "answer good; head -c 20000000 /dev/zero | tr '\\0' ' '", "yes | head -c 9000000",
        "echo '{\"machine_error\":7}'", "answer good | sed 's/\"ending\":0/\"ending\":99/'",
        "answer good | sed 's/\"counters\":\\[[^]]*\\]/\"counters\":[]/'",
        "answer good | sed 's/\"findings\":\\[\\]/\"findings\":[7]/'",
        "head -c 100000 /dev/zero | tr '\\0' '['", "answer good >&2; exit 0",
        // A good answer followed by a bad end.
        "answer good; exit 3", "answer good; kill -SEGV $$", "answer good; kill -KILL $$"}) {
    const Launched launched = launch_with(FakeWorker(script, answers));
    CHECK_MESSAGE(ending_of(launched) == "crashed", std::string(script));
    if (!launched.observed.ok()) continue;
    REQUIRE(launched.observed->size() == 1);
    CHECK(!launched.observed->front().ending_detail.empty());
    CHECK(launched.observed->front().findings.empty());
  }
}

TEST_CASE("one observation a launch, up to the first that does not complete") {
  const Observation good = ended(Ending::completed), bad = ended(Ending::stopped);
  const auto told = [](std::vector<Observation> observations, std::size_t launches) {
    const Launched launched = launch_with(
        FakeWorker("answer these", {{"these", answer_with(std::move(observations))}}), launches);
    REQUIRE(launched.observed.ok());
    return std::to_string(launched.observed->size()) + " " + ending_of(launched);
  };
  CHECK(told({good, good, good}, 3) == "3 completed");
  CHECK(told({good, bad}, 3) == "2 stopped");
  CHECK(told({bad}, 3) == "1 stopped");
  CHECK(told({good, good, bad}, 3) == "3 stopped");
  CHECK(told({good, good}, 3) == "1 crashed");        // too few.
  CHECK(told({good, good, good}, 2) == "1 crashed");  // too many.
  CHECK(told({bad, good, good}, 3) == "1 crashed");   // continues after an incomplete launch.
  CHECK(told({bad, bad}, 2) == "1 crashed");
  CHECK(told({}, 2) == "1 crashed");
}

TEST_CASE("the histogram is read from our own memory, whatever the worker claims") {
  const std::string claim = answer_with({ended(Ending::completed)});
  const Launched launched = launch_with(FakeWorker(
      "answer claim",
      {{"claim", "{\"histogram\":[8],\"out\":[8],\"outputs\":[[8,0,0,0]]," + claim.substr(1)}}));
  CHECK(ending_of(launched) == "completed");
  CHECK(launched.output == 0);
}

TEST_CASE("a worker can neither change an input nor shrink a buffer under its owner") {
  for (const char* attack :
       {": > /proc/self/fd/5", ": > /proc/self/fd/6",
        "truncate -s 0 /proc/self/fd/5 /proc/self/fd/6", "truncate -s 1000000 /proc/self/fd/6",
        "printf 9 >&5", "dd if=/dev/zero of=/proc/self/fd/6 bs=1 count=1",
        "printf 9 1<>/proc/self/fd/5"}) {
    const Launched launched =
        launch_with(FakeWorker(std::string("(") + attack + ") 2> /dev/null; answer good"));
    CHECK_MESSAGE(ending_of(launched) == "completed", std::string(attack));
    CHECK_MESSAGE(launched.input == 7, std::string(attack));
  }
  // read; read and write.
  check_holds("grep -q 'flags:.*0$' /proc/$$/fdinfo/5 && grep -q 'flags:.*2$' /proc/$$/fdinfo/6");
  // The real worker reads and writes its buffers.
  const testing::Outcome outcome = testing::run(
      "__global__ void k(const unsigned* in, unsigned* out) { out[0] = in[0] + 1; }",
      {.grid = {1},
       .block = {1},
       .arguments = {testing::in("in", std::vector<std::uint32_t>{7}), testing::out("out", 1)}});
  CHECK(outcome.output()[0] == 8);
}

TEST_CASE("a silent worker, and one that never stops writing, are timed out") {
  for (const char* script : {"sleep 1000000", "exec >&-; sleep 1000000", "while :; do :; done",
                             "exec yes", "answer good; sleep 1000000"}) {
    const Launched launched = launch_with(FakeWorker(script), 1, std::chrono::milliseconds(300));
    CHECK_MESSAGE(ending_of(launched) == "timed_out", std::string(script));
    if (launched.observed.ok())
      CHECK(launched.observed->front().ending_detail ==
            "the kernel was still running after 0.3 s of processor time. Look for a loop that "
            "never ends");
  }
}

TEST_CASE("launches of one submission share a budget of processor time") {
  const FakeWorker worker("while :; do :; done");
  EmulatorPaths paths = testing::emulator_paths();
  paths.worker = worker.path();
  const auto device = make_emulator(paths);
  Result<Compiled> compiled = device->compile({"k.cu", kernel}, {signature()});
  REQUIRE(compiled.ok());
  REQUIRE(compiled->ok);
  compiled->budget = std::make_shared<ProcessorBudget>(std::chrono::milliseconds(500));
  Result<Buffer> in = Buffer::zeroed(4), out = Buffer::zeroed(4);
  const std::vector<Argument> arguments{{Argument::Kind::input, "in", 4, &*in, nullptr, 0},
                                        {Argument::Kind::output, "out", 4, nullptr, &*out, 0}};
  Options options;
  options.time_limit = std::chrono::milliseconds(300);
  std::vector<std::string> said;
  for (int launch = 0; launch < 3; ++launch) {
    const auto observed =
        device->launch(*compiled, {{1, 1, 1}, {1, 1, 1}, 0}, {arguments}, options);
    REQUIRE(observed.ok());
    CHECK(observed->front().ending == Ending::timed_out);
    said.push_back(observed->front().ending_detail);
  }
  CHECK(said[0].starts_with("the kernel was still running after 0.3 s"));
  for (const int launch : {1, 2})
    CHECK(said[launch].starts_with("all cases together used up 0.5 s of processor time"));
  CHECK(compiled->budget->left().count() == 0);
  CHECK(compiled->budget->was_near_a_limit());
}

TEST_CASE("a worker has only the environment, descriptors and limits that it is given") {
  setenv("HISTOLAB_SECRET", "1", 1);
  check_holds("[ -z \"$(cat /proc/$$/environ)\" ]");
  unsetenv("HISTOLAB_SECRET");
  const int leaked = open("/dev/null", O_RDONLY);  // not close-on-exec
  // The request, the object, two buffers. A shell keeps its script at descriptor 10.
  check_holds(
      "i=7; while [ $i -lt 128 ]; do [ $i = 10 ] || [ ! -e /proc/$$/fd/$i ] || exit 3; i=$((i + "
      "1)); done; [ -e /proc/$$/fd/6 ]");
  close(leaked);
  check_holds("[ \"$(readlink /proc/$$/fd/0)\" = /dev/null ]");
  check_holds("[ \"$(ulimit -c) $(ulimit -f) $(ulimit -n)\" = '0 0 128' ]");
#ifndef HISTOLAB_SANITIZED  // a sanitizer needs more time and data: the client grants both.
  check_holds("[ \"$(ulimit -t)\" = 6 ]");
  check_holds("[ \"$(ulimit -d)\" -le 4194304 ]");
#endif
  check_holds("grep -q 'SigIgn:.0000000000000000' /proc/$$/status");
}

TEST_CASE("a failure of the machine is an Error, not a verdict") {
  CHECK(ending_of(launch_with(FakeWorker("exit 127"))) == "error");
  worker::Answer failed;
  failed.machine_error = "no memory";
  CHECK(ending_of(launch_with(FakeWorker("answer failed", {{"failed", to_text(failed)}}))) ==
        "error");
  EmulatorPaths paths = testing::emulator_paths();
  paths.worker = "/no/such/worker";
  const auto without_worker = make_emulator(paths)->compile({"k.cu", kernel}, {signature()});
  REQUIRE(!without_worker.ok());
  CHECK(without_worker.error().message.find("/no/such/worker") != std::string::npos);
}

TEST_CASE("a worker that dies while it checks a compiled kernel") {
  const FakeWorker worker("");
  std::ofstream(worker.path()) << "#!/bin/sh\n" << becomes_server << "kill -SEGV $$\n";
  EmulatorPaths paths = testing::emulator_paths();
  paths.worker = worker.path();
  const auto compiled = make_emulator(paths)->compile({"k.cu", kernel}, {signature()});
  REQUIRE(compiled.ok());
  CHECK(!compiled->ok);
  CHECK(!compiled->diagnostics.empty());
}

TEST_CASE(
    "a worker that cannot map its descriptors reports a machine error, not a crash of the kernel") {
  const worker::TemporaryFolder folder = testing::temporary_folder();
  const worker::Descriptor file(open((folder.path() + "/file").c_str(),
                                     O_WRONLY | O_CREAT | O_CLOEXEC, 0600));  // not readable.
  REQUIRE(write(file.get(), "bytes", 5) == 5);
  worker::ProcessSpec spec;
  spec.command = {testing::emulator_paths().worker};
  spec.descriptors = {{file.get(), worker::request_descriptor},
                      {file.get(), worker::object_descriptor}};
  spec.limits.data_bytes = ~0ull;
  const Result<worker::ProcessResult> ran = worker::run_process(spec);
  REQUIRE(ran);
  CHECK(ran->code == 0);
  const auto answer = worker::answer_from(ran->output);
  REQUIRE(answer);
  CHECK(answer->machine_error == "cannot map its input: Permission denied");
}

TEST_CASE("the output is read from our own memory, also if the kernel is stopped") {
  const testing::Outcome outcome = testing::run(
      "__global__ void k(unsigned int* out) {\n  out[0] = 7;\n  if (out[0] == 7) __trap();\n  "
      "out[1] = 8;\n}",
      {.grid = {1}, .block = {1}, .arguments = {testing::out("out", 2)}});
  CHECK(outcome.last().ending == Ending::stopped);
  CHECK(outcome.output() == std::vector<std::uint32_t>{7, 0});
}
