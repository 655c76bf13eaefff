#include "kernels/gpu/gpu.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>

#include "kernels/gpu/protocol.h"
#include "kernels/kernel_name.h"
#include "kernels/worker/processes/process.h"

namespace histolab::kernels {
namespace {

using gpu::Answer;
using gpu::Blob;
using gpu::Request;
using worker::ProcessResult;

struct Image {
  Buffer cubin, harness;
  std::vector<std::string> symbols;  // per signature
  bool may_be_watched = true, is_cooperative = false;
};

constexpr std::chrono::milliseconds time_to_begin{
    20'000};  // a driver that wakes up, a context, NVRTC's first use
// The longest kernel of the course takes a tenth of this on a GPU.
constexpr std::chrono::milliseconds longest_launch{2'000};

// The descriptors of a request, and their numbers in the worker.
class Blobs {
 public:
  Blob add(const Buffer& buffer) {
    descriptors_.emplace_back(buffer.fd(),
                              gpu::first_descriptor + static_cast<int>(descriptors_.size()));
    return {descriptors_.back().second, buffer.size()};
  }
  [[nodiscard]] const std::vector<std::pair<int, int>>& descriptors() const { return descriptors_; }

 private:
  std::vector<std::pair<int, int>> descriptors_;
};

struct WorkerRun {
  ProcessResult process;
  std::optional<Answer> answer;
  std::string bytes;  // output behind the answer's line
};

Result<WorkerRun> ask(const GpuOptions& options, const Request& request, const Blobs& blobs,
                      std::chrono::milliseconds time) {
  const std::string text = to_text(request);
  Buffer asked =
      TRY(Buffer::copy_of({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()}));
  worker::ProcessSpec spec;
  spec.command = {options.worker};
  spec.confinement = options.confinement;
  spec.purpose = worker::Purpose::gpu;
  spec.environment = gpu_environment();
  spec.environment.insert(spec.environment.end(),
                          {"CUDA_MODULE_LOADING=EAGER", "CUDA_CACHE_DISABLE=1"});
  spec.descriptors = blobs.descriptors();
  spec.descriptors.emplace_back(asked.fd(), gpu::request_descriptor);
  spec.limits.wall = time + time_to_begin;
  spec.limits.cpu_seconds = static_cast<std::uint64_t>(spec.limits.wall.count() / 1000 + 1);
  spec.limits.data_bytes = ~0ull;  // the driver reserves memory that it never uses
  spec.limits.output_bytes = 32ull << 20;
  ProcessResult ran = TRY(worker::run_process(spec));
  if (ran.end == ProcessResult::End::cancelled) return Error{"interrupted"};
  if (ran.end == ProcessResult::End::exited && ran.code == 127)
    return Error{fmt::format("cannot start the GPU worker {}: {}", options.worker,
                             ran.errors.empty() ? "build it again with ./histolab setup cuda"
                                                : ran.errors.substr(0, ran.errors.find('\n')))};
  WorkerRun run;
  if (ran.end == ProcessResult::End::exited && ran.code == 0 && !ran.output_cut) {
    const std::size_t end = ran.output.find('\n');
    if (auto answer = gpu::answer_from(std::string_view{ran.output}.substr(0, end)))
      run.answer = std::move(*answer);
    if (end != std::string::npos) run.bytes = ran.output.substr(end + 1);
  }
  run.process = std::move(ran);
  if (run.answer && !run.answer->machine_error.empty()) return Error{run.answer->machine_error};
  return run;
}

// Describes the end of a worker that was killed or died. The driver kills processes whose kernels
// cause a fatal error.
void describe_end(const ProcessResult& process, Ending& ending, std::string& detail) {
  const bool late = process.end == ProcessResult::End::timed_out;
  ending = late ? Ending::timed_out : Ending::crashed;
  detail = late ? "the kernel was still running on the GPU when its time was up: look for a loop "
                  "that never ends, or for one thread that does all the work"
                : "the process that ran the kernel on the GPU ended without an answer";
}

class Gpu final : public TimedDevice {
 public:
  Gpu(GpuOptions options, gpu::GpuDescription description)
      : options_(std::move(options)), description_(std::move(description)) {}

  [[nodiscard]] std::string kind() const override { return "gpu"; }
  [[nodiscard]] std::string name() const override { return description_.name; }
  [[nodiscard]] std::string sandbox() const override {
    return std::string(options_.confinement == nullptr ? "none" : options_.confinement->name());
  }
  [[nodiscard]] std::string driver() const override { return description_.driver; }
  [[nodiscard]] std::uint32_t multiprocessors() const override {
    return static_cast<std::uint32_t>(description_.multiprocessors);
  }

  Result<Compiled> compile(const Source& source,
                           const std::vector<KernelSignature>& signatures) override;
  Result<std::vector<Observation>> launch(const Compiled& compiled, const LaunchConfig& config,
                                          const std::vector<std::vector<Argument>>& launches,
                                          const Options& options) override;
  Result<std::vector<TimedKernel>> time(const TimingPlan& plan) override;

 private:
  GpuOptions options_;
  gpu::GpuDescription description_;
};

Result<Compiled> Gpu::compile(const Source& source,
                              const std::vector<KernelSignature>& signatures) {
  return compile_for_gpu(options_, description_.capability, source, signatures);
}

Result<std::vector<Observation>> Gpu::launch(const Compiled& compiled, const LaunchConfig& config,
                                             const std::vector<std::vector<Argument>>& launches,
                                             const Options& options) {
  const auto& image = *static_cast<const Image*>(compiled.image.get());
  Blobs blobs;
  Request request;
  request.what = Request::What::launch;
  request.gpu = options_.number;
  request.kernels.push_back({blobs.add(image.cubin),
                             image.symbols.at(config.kernel),
                             config,
                             image.may_be_watched,
                             image.is_cooperative,
                             {}});
  request.harness = blobs.add(image.harness);
  const auto limit = std::min(options.time_limit, longest_launch);
  request.limit_ms = static_cast<std::uint64_t>(limit.count());
  for (const auto& arguments : launches) {
    auto& mapped = request.launches.emplace_back();
    for (const Argument& argument : arguments) {
      const Buffer* buffer =
          argument.kind == Argument::Kind::input ? argument.input : argument.output;
      mapped.push_back({argument.kind, argument.name,
                        argument.kind == Argument::Kind::word ? Blob{} : blobs.add(*buffer),
                        argument.word, argument.offset});
    }
  }
  WorkerRun run = TRY(ask(options_, request, blobs, limit * static_cast<int>(launches.size())));
  if (run.answer && !run.answer->observations.empty() &&
      run.answer->observations.size() <= launches.size())
    return std::move(run.answer->observations);
  Observation observation;
  describe_end(run.process, observation.ending, observation.ending_detail);
  return std::vector<Observation>{std::move(observation)};
}

Result<std::vector<TimedKernel>> Gpu::time(const TimingPlan& plan) {
  Blobs blobs;
  Request request;
  request.what = Request::What::time;
  request.gpu = options_.number;
  request.limit_ms = static_cast<std::uint64_t>(plan.launch_limit.count());
  std::vector<Buffer> outputs;
  for (const TimingPlan::Kernel& kernel : plan.kernels) {
    const auto& image = *static_cast<const Image*>(kernel.compiled->image.get());
    gpu::KernelImage& entry =
        request.kernels.emplace_back(gpu::KernelImage{blobs.add(image.cubin),
                                                      image.symbols.at(kernel.config.kernel),
                                                      kernel.config,
                                                      image.may_be_watched,
                                                      image.is_cooperative,
                                                      {}});
    for (const Argument& argument : kernel.arguments)
      entry.arguments.push_back({argument.kind, argument.name, {}, argument.word, 0});
    if (request.harness.descriptor < 0) request.harness = blobs.add(image.harness);
    Buffer output = TRY(Buffer::zeroed(plan.samples.size() * plan.output_bytes));
    request.outputs.push_back(blobs.add(output));
    outputs.push_back(std::move(output));
  }
  for (const Buffer* input : plan.inputs) request.inputs.push_back(blobs.add(*input));
  request.output_bytes = plan.output_bytes;
  request.samples = plan.samples;
  request.least_samples = plan.least_samples;
  request.wanted_spread = plan.wanted_spread;
  request.budget_ms = static_cast<std::uint64_t>(plan.budget.count());
  WorkerRun run =
      TRY(ask(options_, request, blobs,
              plan.budget + plan.launch_limit * static_cast<int>(20 * plan.kernels.size())));
  if (!run.answer || run.answer->timed.size() != plan.kernels.size()) {
    std::vector<TimedKernel> ended(plan.kernels.size());
    describe_end(run.process, ended.front().ending, ended.front().ending_detail);
    return ended;
  }
  std::vector<TimedKernel> timed = std::move(run.answer->timed);
  for (std::size_t k = 0; k < timed.size(); ++k) {
    const std::size_t rounds = std::min(timed[k].timing.samples_ms.size(), plan.samples.size());
    timed[k].timing.samples_ms.resize(rounds);
    const auto bytes = outputs[k].bytes().first(rounds * plan.output_bytes);
    timed[k].outputs.assign(bytes.begin(), bytes.end());
  }
  return timed;
}

}  // namespace

Result<Compiled> compile_for_gpu(const GpuOptions& options, int capability, const Source& source,
                                 const std::vector<KernelSignature>& signatures) {
  Compiled compiled;
  compiled.path = source.path;
  Buffer text = TRY(Buffer::copy_of(
      {reinterpret_cast<const std::uint8_t*>(source.text.data()), source.text.size()}));
  Blobs blobs;
  Request request;
  request.what = Request::What::compile;
  request.capability = capability;
  request.source = blobs.add(text);
  WorkerRun run = TRY(ask(options, request, blobs, std::chrono::seconds(10)));
  if (!run.answer) {
    compiled.diagnostics.push_back(
        {Severity::error, 0, 0,
         run.process.end == ProcessResult::End::timed_out
             ? "the compiler took too long: write the kernel without deep templates or macros"
             : "the compiler crashed on this source: write the kernel more simply"});
    return compiled;
  }
  Answer& answer = *run.answer;
  compiled.diagnostics = std::move(answer.diagnostics);
  if (answer.cubin_bytes == 0) return compiled;
  const std::uint64_t all_bytes = run.bytes.size();
  if (answer.cubin_bytes > all_bytes || answer.harness_bytes != all_bytes - answer.cubin_bytes)
    return Error{"the GPU worker's answer is cut short; is the disk or the memory full?"};

  std::vector<FunctionSymbol> functions;
  for (std::string& name : answer.contents.kernels) functions.push_back({std::move(name), true});
  std::vector<std::string> symbols;
  for (const KernelSignature& signature : signatures) {
    const KernelChoice choice = choose_kernel(functions, signature);
    if (choice.problem.empty())
      symbols.push_back(functions[choice.number].name);
    else
      compiled.diagnostics.push_back({Severity::error, 0, 0, choice.problem});
  }
  if (symbols.size() != signatures.size()) return compiled;
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(run.bytes.data());
  Buffer cubin = TRY(Buffer::copy_of({bytes, answer.cubin_bytes}));
  Buffer harness = TRY(Buffer::copy_of({bytes + answer.cubin_bytes, answer.harness_bytes}));
  bool needs_stack = answer.contents.calls_the_driver;
  for (const gpu::KernelResources& resources : answer.resources)
    needs_stack |= resources.stack_bytes > 0;
  if (std::any_of(signatures.begin(), signatures.end(),
                  [](const KernelSignature& s) { return s.tells_local_memory; })) {
    compiled.local_bytes = 0;
    for (const gpu::KernelResources& resources : answer.resources)
      if (std::find(symbols.begin(), symbols.end(), resources.symbol) != symbols.end())
        *compiled.local_bytes += resources.stack_bytes;
  }
  for (const KernelSignature& signature : signatures)
    for (const std::string& name : signature.exports)
      if (const auto found = answer.contents.words.find(name); found != answer.contents.words.end())
        compiled.exports.insert(*found);
  compiled.ok = true;
  // The blocks of a cooperative launch may need the warp that the watchdog would occupy.
  const bool may_be_watched = !needs_stack && !answer.is_cooperative;
  compiled.image =
      std::make_shared<Image>(Image{std::move(cubin), std::move(harness), std::move(symbols),
                                    may_be_watched, answer.is_cooperative});
  return compiled;
}

std::vector<std::string> gpu_environment() {
  std::vector<std::string> kept;
  for (const char* name : {"CUDA_VISIBLE_DEVICES", "CUDA_DEVICE_ORDER", "LD_LIBRARY_PATH"})
    if (const char* value = std::getenv(name)) kept.push_back(fmt::format("{}={}", name, value));
  return kept;
}

Result<std::unique_ptr<TimedDevice>> make_gpu(const GpuOptions& options) {
  if (access(options.worker.c_str(), X_OK) != 0)
    return Error{
        "this build has no GPU support: it found no CUDA toolkit 12.8 or later. `./histolab setup "
        "cuda` installs one and builds it; --device emulator needs none"};
  Request request;
  WorkerRun run = TRY(ask(options, request, {}, std::chrono::seconds(10)));
  if (!run.answer)
    return Error{"the GPU worker does not answer; is the driver working? (try nvidia-smi)"};
  const auto& gpus = run.answer->gpus;
  if (gpus.empty())
    return Error{"there is no NVIDIA GPU here, or no driver for it; --device emulator needs none"};
  const auto number = static_cast<std::size_t>(options.number);
  if (number >= gpus.size())
    return Error{fmt::format(
        "there is no GPU {} here: {}", options.number,
        gpus.size() == 1 ? "the only one is 0" : fmt::format("they are 0 to {}", gpus.size() - 1))};
  return std::unique_ptr<TimedDevice>(std::make_unique<Gpu>(options, gpus[number]));
}

}  // namespace histolab::kernels
