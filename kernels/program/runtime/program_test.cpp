// Tests of the library that programs link: a real program, and this process as its parent.
#include <doctest/doctest.h>
#include <fcntl.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "kernels/program/calls/messages.h"
#include "kernels/program/state/cuda_values.h"
#include "kernels/program/state/program_state.h"

extern char** environ;

namespace histolab::kernels::program {
namespace {

const std::string source = HISTOLAB_SOURCE_DIR "/kernels/program/runtime/testing/program.cpp";

std::string output_of(const std::string& command) {
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(command.c_str(), "r"), pclose);
  REQUIRE(pipe);
  std::string text;
  char part[4096];
  for (std::size_t n; (n = fread(part, 1, sizeof part, pipe.get())) > 0;) text.append(part, n);
  return text;
}

// A build of the test's program. It is deleted with the object.
struct Executable {
  explicit Executable(const std::string& options) {
    char name[] = "/tmp/histolab-program-XXXXXX";
    const int file = mkstemp(name);
    REQUIRE(file >= 0);
    close(file);
    path = name;
    const std::string command = "g++ -g -w " + options +
                                " -I'" HISTOLAB_SOURCE_DIR "/kernels/emulator/include' '" + source +
                                "' '" HISTOLAB_CUDART "' -lpthread -o " + path;
    REQUIRE(std::system(command.c_str()) == 0);
    const std::string table = output_of("nm -C " + path);
    for (std::size_t at = 0; at < table.size();) {
      const std::size_t end = table.find('\n', at);
      const std::string line = table.substr(at, end - at);
      if (line.size() > 19 && line[0] != ' ')
        symbols[line.substr(19, line.find('(', 19) - 19)] = std::stoull(line, nullptr, 16);
      at = end + 1;
    }
  }
  ~Executable() { std::filesystem::remove(path); }
  Executable(const Executable&) = delete;
  Executable& operator=(const Executable&) = delete;

  [[nodiscard]] int line_of(std::uint64_t address) const {
    char command[600];
    std::snprintf(command, sizeof command, "addr2line -e %s %#llx", path.c_str(),
                  static_cast<unsigned long long>(address - 1));
    const std::string text = output_of(command);
    if (text.find("testing/program.cpp:") == std::string::npos) return 0;
    return std::atoi(text.c_str() + text.rfind(':') + 1);
  }
  std::string path;
  std::map<std::string, std::uint64_t> symbols;
};

// A run of the program, with a launcher that only records launches.
struct Run {
  Run(const Executable& executable, const std::string& what) {
    const int memory = memfd_create("device memory", 0);
    REQUIRE(ftruncate(memory, bytes) == 0);
    device = static_cast<std::uint8_t*>(
        mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, memory, 0));
    int sockets[2], out[2];
    REQUIRE(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets) == 0);
    REQUIRE(pipe2(out, O_CLOEXEC) == 0);
    constexpr int socket_there = 100, memory_there = 101;
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, sockets[1], socket_there);
    posix_spawn_file_actions_adddup2(&actions, memory, memory_there);
    posix_spawn_file_actions_adddup2(&actions, out[1], 1);
    std::vector<char*> environment;
    std::string variable = std::string(socket_variable) + "=" + std::to_string(socket_there);
    for (char** each = environ; *each != nullptr; ++each) environment.push_back(*each);
    environment.push_back(variable.data());
    environment.push_back(nullptr);
    std::string path = executable.path, argument = what;
    char* arguments[] = {path.data(), argument.data(), nullptr};
    pid_t child = -1;
    REQUIRE(posix_spawn(&child, path.c_str(), &actions, nullptr, arguments, environment.data()) ==
            0);
    posix_spawn_file_actions_destroy(&actions);
    close(sockets[1]), close(out[1]), close(memory);

    ProgramSetup setup;
    written.resize(bytes / 8);
    setup.written = written;
    setup.variables_end = 4096;
    setup.memory_descriptor = memory_there;
    setup.variables = {{"table", executable.symbols.at("table"), 64, 16, false}};
    setup.line_of = [&](std::uint64_t address) {
      return SourceLine{"program.cpp", executable.line_of(address)};
    };
    setup.kernel_at = [&](std::uint64_t address) -> const KernelFacts* {
      for (const auto& [name, begin] : executable.symbols)
        if (begin == address && name != "not_a_kernel") return &facts_of(name);
      return nullptr;
    };
    state = std::make_unique<ProgramState>(std::move(setup));
    std::thread reader([&] {
      char part[4096];
      for (ssize_t n; (n = read(out[0], part, sizeof part)) > 0;)
        output.append(part, static_cast<std::size_t>(n));
    });
    for (Call call; receive_call(sockets[0], call);) {
      Answer answer = state->call(call);
      if (answer.launch) {
        launches.push_back(*answer.launch);
        LaunchResult result;
        result.modelled_ms = 2;
        result.printed = answer.launch->facts->name == "empty" ? "kernel\n" : "";
        on_launch(*answer.launch);
        answer.reply = state->launched(*answer.launch, std::move(result));
      }
      if (!send_reply(sockets[0], answer.reply)) break;
    }
    waitpid(child, &status, 0);
    reader.join();
    close(sockets[0]), close(out[0]);
    state->ended({WIFEXITED(status), WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status)});
  }
  ~Run() { munmap(device, bytes); }
  Run(const Run&) = delete;
  Run& operator=(const Run&) = delete;

  // The kernel `plain` adds 1 to managed memory.
  void on_launch(const KernelLaunch& launch) {
    if (launch.facts->name != "plain" || launch.arguments.integers[1] != 4096) return;
    auto* values =
        reinterpret_cast<int*>(device + launch.arguments.integers[0] - program_memory_begin);
    for (int i = 0; i < 4096; ++i) ++values[i];
  }
  const KernelFacts& facts_of(const std::string& name) {
    KernelFacts& facts = kernels[name];
    facts.name = name;
    using enum ArgumentPlace::Where;
    if (name == "plain" && facts.parameters.empty())
      facts.parameters = {{"data", 8, true, false, 4, {{0, 0, 8, integer, 0}}},
                          {"n", 4, false, false, 0, {{1, 0, 4, integer, 1}}}};
    return facts;
  }
  [[nodiscard]] std::string findings() const {
    std::string text;
    for (const Finding& each : state->findings())
      text += std::to_string(each.line) + " " + std::string(name(each.kind)) + ": " + each.message +
              "\n";
    return text;
  }

  static constexpr std::uint64_t bytes = 256 << 20;
  std::uint8_t* device = nullptr;
  std::vector<std::uint8_t> written;
  std::map<std::string, KernelFacts> kernels;
  std::unique_ptr<ProgramState> state;
  std::vector<KernelLaunch> launches;
  std::string output;
  int status = -1;
};

// The line of program.cpp with this text.
int line_with(const std::string& text) {
  return std::atoi(output_of("grep -nF -- '" + text + "' '" + source + "'").c_str());
}

const Executable& unoptimized() {
  static const Executable only("-std=c++11 -O0 -fPIE -pie");
  return only;
}
const Executable& optimized() {
  static const Executable only("-std=c++20 -O2 -fPIE -pie -fcf-protection");
  return only;
}

template <class T>
T part(const void* bytes) {
  T value;
  std::memcpy(&value, bytes, sizeof value);
  return value;
}

TEST_CASE("launches carry the kernel, the shape and the arguments as a call passes them") {
  for (const Executable* executable : {&unoptimized(), &optimized()}) {
    const Run run(*executable, "launches");
    CHECK(run.output == "line " + std::to_string(line_with("cudaLaunchKernel(not_a_kernel")) +
                            ": cudaErrorInvalidDeviceFunction\nline " +
                            std::to_string(line_with("CHECK(cudaGetLastError())")) +
                            ": cudaErrorInvalidDeviceFunction\nkernel\n");
    REQUIRE(run.launches.size() == 8);
    const KernelLaunch& plain = run.launches[0];
    CHECK(plain.facts->name == "plain");
    CHECK(plain.config.grid == Dim3{3, 1, 1});
    CHECK(plain.config.block == Dim3{4, 5, 1});
    CHECK(plain.config.dynamic_shared_bytes == 16);
    CHECK(plain.line.line == line_with("plain(d, 7), histolab_go"));
    CHECK(plain.arguments.integers[0] > program_memory_begin);
    CHECK(static_cast<int>(plain.arguments.integers[1]) == 7);
    const emulator::RawArguments& many = run.launches[1].arguments;
    CHECK(static_cast<int>(many.integers[0]) == 1);
    CHECK(part<float>(many.vectors[0].data()) == 2.5f);
    CHECK(part<double>(many.vectors[1].data()) == 3.5);
    CHECK(part<float>(&many.integers[1]) == 4.5f);  // a structure of a float and an int
    CHECK(static_cast<int>(many.integers[1] >> 32) == 5);
    CHECK(part<double>(&many.stack[24]) == 4);
    CHECK(static_cast<int>(many.integers[2]) == 6);
    CHECK(static_cast<int>(many.integers[5]) == 9);
    CHECK(part<short>(&many.stack[32]) == 10);
    CHECK(part<float>(many.vectors[2].data()) == 11.5f);
    CHECK(run.launches[2].facts->name == "void typed<float>");
    CHECK(part<float>(run.launches[2].arguments.vectors[0].data()) == 1.5f);
    CHECK(run.launches[3].facts->name == "void typed<char>");
    CHECK(static_cast<char>(run.launches[3].arguments.integers[1]) == 'x');
    for (int i = 4; i < 7; ++i) {
      CHECK(run.launches[i].facts->name == "plain");
      CHECK(run.launches[i].arguments.integers[0] == plain.arguments.integers[0]);
      CHECK(static_cast<int>(run.launches[i].arguments.integers[1]) == (i == 4 ? 8 : 9));
    }
    CHECK(run.launches[6].line.line == line_with("cudaLaunchKernel((void*)plain"));
    CHECK(run.launches[7].cooperative);
    REQUIRE_MESSAGE(run.state->findings().size() == 1, run.findings());
    CHECK(run.state->findings()[0].kind == FindingKind::invalid_launch);
  }
}

TEST_CASE("copies move bytes of the device memory") {
  const Run run(optimized(), "copies");
  const int wrong = line_with("cudaMemcpy(d, values, sizeof values, cudaMemcpyDeviceToHost)");
  CHECK(run.output == "1 -1 3 4\n0 0 1 2\n16 2\nabcd\nline " + std::to_string(wrong) +
                          ": cudaErrorInvalidValue\n");
  CHECK(part<int>(run.device + 64 + 8) == 1);
  REQUIRE(run.state->findings().size() == 1);
  CHECK(run.state->findings()[0].kind == FindingKind::invalid_copy);
  CHECK(run.state->findings()[0].line == wrong);
}

TEST_CASE("managed memory is shared, and a use before synchronization is found") {
  const Run run(unoptimized(), "managed");
  CHECK(run.output == "2\n4096\n4097\n");
  REQUIRE_MESSAGE(run.state->findings().size() == 1, run.findings());
  CHECK(run.state->findings()[0].kind == FindingKind::missing_synchronization);
  CHECK(run.state->findings()[0].line == line_with("m[1]);  // too early"));
}

TEST_CASE("an asynchronous copy to pinned memory is complete when the host has waited") {
  const Run run(optimized(), "pinned");
  CHECK(run.output == "1\n0\n");
  REQUIRE_MESSAGE(run.state->findings().size() == 1, run.findings());
  CHECK(run.state->findings()[0].kind == FindingKind::missing_synchronization);
  CHECK(run.state->findings()[0].line == line_with("h[0]);  // too early"));
}

TEST_CASE("a device pointer that the host uses ends the program, with a finding") {
  const Run run(optimized(), "dereferences");
  CHECK(run.output == "before\n");
  CHECK(WIFSIGNALED(run.status));
  REQUIRE_MESSAGE(run.state->findings().size() == 1, run.findings());
  CHECK(run.state->findings()[0].kind == FindingKind::host_access_of_device_memory);
  CHECK(run.state->findings()[0].line == line_with("d[3] = 4;"));
}

TEST_CASE("a copy beyond the host's array is a finding") {
  const Run run(unoptimized(), "reads_beyond");
  CHECK(WIFSIGNALED(run.status));
  REQUIRE_MESSAGE(run.state->findings().size() == 1, run.findings());
  CHECK(run.state->findings()[0].kind == FindingKind::invalid_copy);
  CHECK(run.state->findings()[0].line == line_with("cudaMemcpy(d, small"));
}

TEST_CASE("device code on the host ends the program, with a finding") {
  for (const auto& [what, text] : {std::pair{"calls_device_function", "device_function(3)"},
                                   {"reads_built_in", "built_in); }"}}) {
    CAPTURE(what);
    const Run run(unoptimized(), what);
    CHECK(run.output.empty());
    CHECK(WIFSIGNALED(run.status));
    REQUIRE_MESSAGE(run.state->findings().size() == 1, run.findings());
    CHECK(run.state->findings()[0].kind == FindingKind::illegal_instruction);
    CHECK(run.state->findings()[0].line == line_with(text));
  }
}

TEST_CASE("output of kernels comes when the host waits") {
  CHECK(Run(optimized(), "prints").output == "host 1\nhost 2\nkernel\nhost 3\n");
}

TEST_CASE("threads can call at the same time") {
  const Run run(optimized(), "threads");
  CHECK(run.output.empty());
  CHECK(run.launches.size() == 800);
  CHECK_MESSAGE(run.state->findings().empty(), run.findings());
}

TEST_CASE("a forked child cannot use the device") {
  const Run run(optimized(), "forks");
  CHECK(run.output == "child: refused\n");
  CHECK_MESSAGE(run.state->findings().empty(), run.findings());
}

TEST_CASE("device, occupancy, errors, events and callbacks") {
  const Run run(optimized(), "facts");
  CHECK(run.output ==
        "NVIDIA H200 8 264 1024\nan illegal memory access was encountered, cudaSuccess\n"
        "kernel\n2.00\n1\n");
  CHECK_MESSAGE(run.state->findings().empty(), run.findings());
}

TEST_CASE("a program that is started by hand says how to start it") {
  CHECK(output_of(optimized().path + " facts 2>&1; echo $?") ==
        "histolab: this program needs an emulated GPU: start it with `histolab exec PROGRAM`\n"
        "127\n");
}

TEST_CASE("a program ends when its parent does") {
  const std::string text =
      output_of("HISTOLAB_PROGRAM_SOCKET=0 " + optimized().path + " facts < /dev/null; echo $?");
  CHECK(text == "127\n");
}

}  // namespace
}  // namespace histolab::kernels::program
