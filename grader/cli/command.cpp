#include "grader/cli/command.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <set>
#include <sstream>
#include <thread>

#include "grader/catalogue.h"
#include "grader/cli/signals.h"
#include "grader/profile_json.h"
#include "grader/write_file.h"
#include "kernels/gpu/gpu.h"

namespace histolab::cli {

using grader::LabSpec;

CLI::App* add_command(CLI::App& app, const std::string& name, const std::string& summary, const std::string& example) {
  CLI::App* command = app.add_subcommand(name, summary);
  command->group("Commands");
  std::string footer = "Example:";
  for (std::size_t at = 0; at <= example.size();) {
    const std::size_t end = std::min(example.find('\n', at), example.size());
    footer += "\n  " + example.substr(at, end - at);
    at = end + 1;
  }
  command->footer(footer);
  command->fallthrough();
  return command;
}

void add_device_option(CLI::App& command, std::string& device) {
  const auto known = [](const std::string& word) {
    return word == "auto" || word == "emulator" || gpu_number(word) ? std::string{} : fmt::format("there is no device \"{}\"; known are auto, emulator, gpu and gpu:N", word);
  };
  command.add_option("--device", device, "auto, emulator, gpu or gpu:N (auto)")
      ->check(CLI::Validator(known, ""))
      ->type_name("NAME");
}

void add_seed_option(CLI::App& command, std::uint64_t& seed) {
  command.add_option("--seed", seed, "number that all generated data follow from (1)")
      ->check(CLI::Range(std::uint64_t{0}, max_seed).description(""))
      ->type_name("N");
}

void add_jobs_option(CLI::App& command, unsigned& jobs) {
  command.add_option("--jobs,-j", jobs, "kernels run at once (one per core); results do not depend on it")
      ->check(CLI::Range(1u, 1024u).description(""))
      ->type_name("N");
}

unsigned default_jobs() { return std::max(1u, std::thread::hardware_concurrency()); }

int complain(const Error& error) {
  note("histolab: " + error.message + "\n");
  return cannot;
}

void note(const std::string& text) {
  wait_if_interrupted();
  std::fputs(text.c_str(), stderr);
}

int print(const std::string& text) {
  wait_if_interrupted();
  if (Status written = grader::write_file("-", text); !written) return complain(written.error());
  return done;
}

bool color_wanted() {
  const char* no_color = std::getenv("NO_COLOR");
  const char* terminal = std::getenv("TERM");
  const bool refused = no_color != nullptr && *no_color != '\0';
  return isatty(STDOUT_FILENO) != 0 && !refused && (terminal == nullptr || std::string_view{terminal} != "dumb");
}

std::size_t columns_to_use(std::size_t least) {
  winsize size{};
  const bool known = isatty(STDOUT_FILENO) != 0 && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0;
  return std::max<std::size_t>(least, known && size.ws_col > 0 ? size.ws_col : 80);
}

std::optional<int> gpu_number(const std::string& device) {
  constexpr std::string_view numbered = "gpu:";
  if (device == "gpu") return 0;
  if (!device.starts_with(numbered)) return std::nullopt;
  const std::string number = device.substr(numbered.size());
  if (number.empty() || number.size() > 3 || number.find_first_not_of("0123456789") != std::string::npos) return std::nullopt;
  return std::stoi(number);
}

Result<int> gpu_to_measure(const std::string& device) {
  if (const std::optional<int> number = gpu_number(device)) return *number;
  return Error{fmt::format("--device {}: a GPU is measured, so it is gpu or gpu:N", device)};
}

bool gpu_may_be_there() {
  std::error_code ignored;
  return std::filesystem::exists("/proc/driver/nvidia/version", ignored) || std::filesystem::exists("/dev/nvidiactl", ignored);
}

Status has_program(const std::string& path) {
  if (access(path.c_str(), X_OK) == 0) return Done{};
  return Error{fmt::format("{} is not built: it needs a CUDA toolkit of 12.8 or later with nvcc; `./histolab setup cuda` gets one", path)};
}

Result<std::unique_ptr<kernels::TimedDevice>> make_gpu(const Context& context, const std::string& device) {
  const std::optional<int> asked_for = gpu_number(device);
  if (device == "emulator" || (!asked_for && !gpu_may_be_there())) return std::unique_ptr<kernels::TimedDevice>{};
  const Result<const sandbox::Sandbox*> sandbox = sandbox_of(context);
  if (!sandbox) return sandbox.error();
  Result<std::unique_ptr<kernels::TimedDevice>> gpu = kernels::make_gpu({.worker = context.paths.gpu_worker, .number = asked_for.value_or(0), .confinement = *sandbox});
  if (gpu || asked_for) return gpu;
  note(fmt::format("histolab: the GPU is not used: {}\n", gpu.error().message));
  return std::unique_ptr<kernels::TimedDevice>{};
}

namespace {

// Where the loader of the GPU worker looks for CUDA's libraries.
std::vector<std::string> cuda_places() {
  std::vector<std::string> places{HISTOLAB_CUDA_FOLDER};
  const char* listed = std::getenv("LD_LIBRARY_PATH");
  std::istringstream folders(listed == nullptr ? "" : listed);
  for (std::string folder; std::getline(folders, folder, ':');) places.push_back(folder);
  std::erase(places, "");
  return places;
}

}  // namespace

Result<const sandbox::Sandbox*> sandbox_of(const Context& context) {
  sandbox::Tier wanted = sandbox::Tier::full;
#ifdef __SANITIZE_ADDRESS__
  wanted = sandbox::Tier::none;  // the sanitizers look at files and at their own process
#endif
  const char* asked = std::getenv("HISTOLAB_SANDBOX");
  const bool demanded = asked != nullptr && *asked != 0;
  if (demanded) {
    const std::optional<sandbox::Tier> tier = sandbox::tier_from_name(asked);
    if (!tier) return Error{fmt::format("HISTOLAB_SANDBOX={}: there is no such sandbox; full, reduced and none are known", asked)};
    wanted = *tier;
  }
  static const sandbox::Sandbox sandbox =
      sandbox::Sandbox::best({.confine = context.paths.confine, .worker = context.paths.worker, .include_dir = context.paths.include_dir, .cuda = cuda_places()}, wanted);
  // Who asks for a tier gets it or nothing.
  if (demanded && sandbox.tier() != wanted && !sandbox.obstacles().empty()) {
    const sandbox::Obstacle& met = sandbox.obstacles().front();
    return Error{fmt::format("HISTOLAB_SANDBOX={} cannot be had here: {}. To mend it: {}", sandbox::name(wanted), met.what, met.remedy)};
  }
  return &sandbox;
}

Result<kernels::EmulatorPaths> emulator_paths(const Context& context) {
  for (const std::string& program : {context.paths.worker, context.paths.confine})
    if (access(program.c_str(), X_OK) != 0) return Error{fmt::format("{} is missing; build it with ./histolab, which makes all that a command needs", program)};
  if (access(context.paths.include_dir.c_str(), R_OK) != 0)
    return Error{fmt::format("{} is missing; it holds the CUDA headers of the emulator", context.paths.include_dir)};
  const Result<const sandbox::Sandbox*> sandbox = sandbox_of(context);
  if (!sandbox) return sandbox.error();
  return kernels::EmulatorPaths{.worker = context.paths.worker, .include_dir = context.paths.include_dir, .debugger = context.debugger, .confinement = *sandbox};
}

Result<std::unique_ptr<kernels::Device>> make_emulator(const Context& context) {
  Result<kernels::EmulatorPaths> paths = emulator_paths(context);
  if (!paths) return paths.error();
  return kernels::make_emulator(std::move(*paths));
}

decltype(grader::GradeOptions::gpu_compiler) gpu_compiler(const Context& context, const std::string& device, kernels::TimedDevice* gpu) {
  constexpr int of_the_profile = 90;  // an H200
  if (gpu != nullptr) return [gpu](const kernels::Source& source, const std::vector<kernels::KernelSignature>& signatures) { return gpu->compile(source, signatures); };
  if (device == "emulator" || access(context.paths.gpu_worker.c_str(), X_OK) != 0) return {};
  const Result<const sandbox::Sandbox*> sandbox = sandbox_of(context);
  const kernels::GpuOptions options{.worker = context.paths.gpu_worker, .confinement = sandbox ? *sandbox : nullptr};
  return [options](const kernels::Source& source, const std::vector<kernels::KernelSignature>& signatures) {
    return kernels::compile_for_gpu(options, of_the_profile, source, signatures);
  };
}

Result<Clock> make_clock(const Context& context, const std::string& device) {
  Clock clock;
  Result<std::unique_ptr<kernels::TimedDevice>> gpu = make_gpu(context, device);
  if (!gpu) return gpu.error();
  clock.gpu = std::move(*gpu);
  if (clock.gpu != nullptr) return clock;
  Result<reference::TimingProfile> profile = grader::load_profile(context.paths.profiles, kernels::LaunchConfig{}.profile);
  if (!profile) return profile.error();
  clock.profile = std::move(*profile);
  return clock;
}

namespace {

// The lab's name where the word is the path of its file in work/, as an editor gives it; else the word itself.
std::string lab_word(const std::string& word) {
  namespace fs = std::filesystem;
  std::error_code failure;
  const fs::path path = fs::absolute(word, failure).lexically_normal();
  const fs::path here = fs::current_path(failure);
  const bool in_work = path.parent_path() == here || path.parent_path() == here / work_folder;
  return !failure && in_work && path.extension() == ".cu" ? path.stem().string() : word;
}

}  // namespace

Result<std::vector<LabSpec>> chosen_labs(const Context& context, const std::vector<std::string>& words) {
  Result<std::vector<LabSpec>> all = grader::load_catalogue(context.paths.labs);
  if (!all || words.empty()) return all;
  std::set<const LabSpec*> wanted;
  for (const std::string& word : words) {
    Result<const LabSpec*> lab = grader::find_lab(*all, lab_word(word));
    if (!lab) return lab.error();
    wanted.insert(*lab);
  }
  std::vector<LabSpec> chosen;
  for (const LabSpec* lab : wanted) chosen.push_back(*lab);  // the set's order is the catalogue's: one array
  return chosen;
}

}  // namespace histolab::cli
