// histolab doctor
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <regex>

#include "grader/cli/command.h"
#include "grader/cli/cuda_toolkit.h"
#include "grader/cli/devices.h"
#include "grader/cli/doctor_checks.h"
#include "grader/words/words.h"
#include "kernels/worker/compiling/compiler.h"
#include "kernels/worker/processes/process.h"

namespace histolab::cli {
namespace {

namespace fs = std::filesystem;

using State = Examined::State;

std::string value_in(const std::string& file, const std::string& key,
                     const std::string& separator) {
  std::ifstream in{file};
  for (std::string line; std::getline(in, line);) {
    if (!line.starts_with(key)) continue;
    std::string value = line.substr(std::min(line.size(), line.find(separator) + 1));
    std::erase(value, '"');
    const std::size_t start = value.find_first_not_of(" \t");
    return start == std::string::npos ? std::string{} : value.substr(start);
  }
  return {};
}

Examined distribution() {
  const std::string name = value_in("/etc/os-release", "PRETTY_NAME=", "=");
  return {State::good, "system", name.empty() ? "unknown" : name, "", ""};
}

Examined compiler() {
  constexpr int oldest = 12;
  const std::string why = "it compiles the kernels", version = kernels::worker::compiler_version();
  // Not from PATH: run_process() looks only in the system's folders.
  if (access("/usr/bin/g++", X_OK) != 0 && access("/bin/g++", X_OK) != 0)
    return {State::broken, "compiler", "no g++ in /usr/bin", why, install_command("g++")};
  if (version.empty())
    return {State::broken, "compiler", "g++ does not start", why,
            install_command("--reinstall g++")};
  if (std::atoi(version.c_str()) < oldest)
    return {State::broken, "compiler",
            fmt::format("g++ {}, {} or later is needed", version, oldest), why,
            install_command("g++-12")};
  return {State::good, "compiler", "g++ " + version, "", ""};
}

Examined file(const std::string& what, const std::string& path, int mode,
              const std::string& without, const std::string& fix) {
  if (access(path.c_str(), mode) != 0)
    return {State::broken, what, path + " is missing", without, fix};
  return {State::good, what, path, "", ""};
}

// The whole path of one kernel: compile it, launch it in its own process, read its result back.
Examined emulator(const Context& context) {
  const char* source =
      "__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {\n"
      "  unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
      "  if (i < length) atomicAdd(&histo[data[i] - 'a'], 1u);\n"
      "}\n";
  Result<std::unique_ptr<kernels::Device>> device = make_emulator(context);
  const std::string why = "no kernel runs";
  if (!device) return {State::broken, "emulator", device.error().message, why, "./histolab setup"};
  const auto start = std::chrono::steady_clock::now();
  kernels::KernelSignature signature;
  using Parameter = kernels::KernelSignature::Parameter;
  signature.parameters = {Parameter::pointer, Parameter::word, Parameter::pointer};
  const Result<kernels::Compiled> compiled = (*device)->compile({"doctor.cu", source}, {signature});
  if (!compiled)
    return {State::broken, "emulator", compiled.error().message, why, "./histolab setup"};
  if (!compiled->ok) {
    const std::string said =
        compiled->diagnostics.empty() ? "no reason given" : compiled->diagnostics.front().message;
    return {State::broken, "emulator", "a correct kernel did not compile: " + said,
            "kernels are compiled by g++ 12 or later", install_command("--reinstall g++")};
  }
  const std::vector<std::uint8_t> letters(64, 'a');
  Result<kernels::Buffer> data = kernels::Buffer::copy_of(letters);
  Result<kernels::Buffer> histo = kernels::Buffer::zeroed(sizeof(std::uint32_t));
  if (!data || !histo)
    return {State::broken, "emulator", (!data ? data.error() : histo.error()).message, why,
            "free -h"};
  using Kind = kernels::Argument::Kind;
  const std::vector<kernels::Argument> arguments = {{.kind = Kind::input,
                                                     .name = "data",
                                                     .element_bytes = 1,
                                                     .input = &*data,
                                                     .output = nullptr,
                                                     .word = 0},
                                                    {.kind = Kind::word,
                                                     .name = "length",
                                                     .element_bytes = 4,
                                                     .input = nullptr,
                                                     .output = nullptr,
                                                     .word = 64},
                                                    {.kind = Kind::output,
                                                     .name = "histo",
                                                     .element_bytes = 4,
                                                     .input = nullptr,
                                                     .output = &*histo,
                                                     .word = 0}};
  const auto seen = (*device)->launch(
      *compiled, {.grid = {2, 1, 1}, .block = {32, 1, 1}, .dynamic_shared_bytes = 0}, {arguments},
      {});
  if (!seen) return {State::broken, "emulator", seen.error().message, why, "./histolab setup"};
  std::uint32_t count = 0;
  std::memcpy(&count, histo->bytes().data(), sizeof count);
  if (seen->empty() || seen->front().ending != kernels::Ending::completed ||
      count != letters.size())
    return {State::broken, "emulator",
            fmt::format("a correct kernel counted {} instead of 64", count),
            "this is a bug in histolab: please report it", ""};
  const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - start;
  return {State::good, "emulator",
          fmt::format("runs a kernel ({:.0f} ms to compile and launch)", took.count()), "", ""};
}

// The confinement of strangers' kernels.
Examined sandbox(const Context& context) {
  const Result<const sandbox::Sandbox*> made = sandbox_of(context);
  if (!made)
    return {State::broken, "sandbox", made.error().message, "no kernel runs",
            "unset HISTOLAB_SANDBOX"};
  const std::string tier{(*made)->name()};
  const auto& obstacles = (*made)->obstacles();
  const char* asked = std::getenv("HISTOLAB_SANDBOX");
  if ((*made)->tier() == sandbox::Tier::full)
    return {State::good, "sandbox", "full: bubblewrap, system calls, limits", "", ""};
  if (obstacles.empty())
    return {State::absent, "sandbox",
            fmt::format("{}: HISTOLAB_SANDBOX={} limits it", tier, asked == nullptr ? "" : asked),
            "kernels of strangers could be confined better", "unset HISTOLAB_SANDBOX"};
  const bool reduced = (*made)->tier() == sandbox::Tier::reduced;
  return {State::absent, "sandbox", fmt::format("{}: {}", tier, obstacles.front().what),
          reduced ? "`batch` uses Landlock, without namespaces"
                  : "`batch` refuses to grade strangers' kernels",
          obstacles.front().remedy};
}

Examined cores() { return {State::good, "cores", std::to_string(default_jobs()), "", ""}; }

// The toolkit that this program was built with. A build without one is complete; it just cannot use
// a GPU.
Examined cuda_toolkit() {
  const auto [version, folder] = built_with_cuda();
  if (version.empty())
    return {State::absent, "CUDA toolkit", "none of 12.8 or later",
            "only a GPU needs one; 195 MB, installed without root", "./histolab setup cuda"};
  return {State::good, "CUDA toolkit", version + " in " + folder, "", ""};
}

// "NVRM version: NVIDIA UNIX x86_64 Kernel Module  580.159.04  ..."; empty without a driver.
std::string driver_version() {
  std::ifstream in{"/proc/driver/nvidia/version"};
  std::string line;
  std::smatch found;
  if (!std::getline(in, line) || !std::regex_search(line, found, std::regex{R"( (\d{3}\.[\d.]+))"}))
    return {};
  return found[1];
}

Examined gpu(const Context& context) {
  std::error_code failure;
  std::string name;
  for (fs::directory_iterator at{"/proc/driver/nvidia/gpus", failure}, end;
       !failure && at != end && name.empty(); at.increment(failure))
    name = value_in((at->path() / "information").string(), "Model:", ":");
  if (name.empty() && fs::exists("/dev/nvidia0", failure)) name = "an NVIDIA GPU";
  if (name.empty())
    return {State::absent, "GPU", "none",
            "not required: the emulator grades the labs. Measured times need one", ""};
  if (const std::string driver = driver_version(); !driver.empty()) name += ", driver " + driver;
  if (access(context.paths.gpu_worker.c_str(), X_OK) != 0)
    return {State::absent, "GPU", name, "not used: histolab was built without a CUDA toolkit",
            "./histolab setup cuda"};
  return {
      State::good, "GPU", name,
      "runs and times the kernels of grade and run; findings and counters come from the emulator",
      ""};
}

// The output of --version names GLFW and the other libraries that it draws with.
Examined viewer(const Context& context) {
  if (access(context.paths.viewer.c_str(), X_OK) != 0)
    return {State::absent, "viewer", "not built", "only `view` needs it; 54 MB are fetched",
            "./histolab setup viewer"};
  const std::string version = kernels::worker::first_line_of({context.paths.viewer, "--version"});
  if (version.empty())
    return {State::absent, "viewer", context.paths.viewer, "it does not start",
            context.paths.viewer + " --version"};
  return {State::good, "viewer", version, "", ""};
}

Examined display() {
  for (const char* name : {"DISPLAY", "WAYLAND_DISPLAY"})
    if (const char* value = std::getenv(name); value != nullptr && *value != '\0')
      return {State::good, "display", fmt::format("{} ({})", value, name), "", ""};
  return {State::absent, "display", "none",
          "only the window of `view` needs one; `view --screenshot FILE` works without it", ""};
}

// The finding, its consequence and the command. Wrapped to 80 columns; a command is
// never broken.
std::string to_text(const Examined& each) {
  constexpr std::size_t indent = 20;
  const char* mark = each.state == State::good ? "ok" : each.state == State::absent ? "--" : "NO";
  std::string out = fmt::format("  {}  {:<13} ", mark, each.what);
  bool first = true;
  for (const std::string* text : {&each.found, &each.without})
    for (const std::string& line : grader::wrapped(grader::harmless(*text), 80 - indent))
      if (!line.empty()) {
        out += (first ? "" : std::string(indent, ' ')) + line + "\n";
        first = false;
      }
  return each.fix.empty() ? out : out + std::string(indent, ' ') + "to fix it: " + each.fix + "\n";
}

int doctor(const Context& context) {
  const std::string kit = "./histolab setup",
                    again = "get the kit again, or name its folder with --labs";
  std::vector<Examined> all = {
      distribution(),
      cores(),
      memory(),
      current_folder(),
      temporary_folder(),
      compiler(),
      file("labs", context.paths.labs, R_OK, "there is nothing to grade: " + again, ""),
      file("CUDA headers", context.paths.include_dir, R_OK, "no kernel compiles: get the kit again",
           ""),
      file("worker", context.paths.worker, X_OK, "no kernel runs", kit)};
  const auto broken = [](const Examined& each) { return each.state == State::broken; };
  // Do not report a fault from above twice, with another remedy.
  if (std::any_of(all.begin(), all.end(), broken))
    all.push_back({State::absent, "emulator", "not tried: see above", "", ""});
  else {
    all.push_back(sandbox(context));
    all.push_back(emulator(context));
  }
  for (const Examined& each : {terminal(), file_watches(), debugger(), editor(), cuda_toolkit(),
                               gpu(context), viewer(context), display()})
    all.push_back(each);
  const bool works = std::none_of(all.begin(), all.end(), broken);
  std::string out = fmt::format("histolab {}\n", HISTOLAB_VERSION);
  for (const Examined& each : all) out += to_text(each);
  out += works
             ? "\nthis machine can grade every lab: histolab list, histolab watch, histolab grade\n"
             : "\nthis machine cannot grade yet: see the lines marked NO\n";
  if (const int printed = print(out); printed != done) return printed;
  return works ? done : cannot;
}

}  // namespace

void add_doctor(CLI::App& app, Context& context) {
  CLI::App* command = add_command(
      app, "doctor", "checks this machine: what is missing, what that affects, how to fix it",
      "histolab doctor");
  command->callback([&context] { context.run = [&context] { return doctor(context); }; });
}

}  // namespace histolab::cli
