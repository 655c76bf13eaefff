#include <fmt/format.h>

#include <fstream>
#include <iterator>
#include <limits>
#include <memory>
#include <stdexcept>

#include "kernels/cuda/bench/contenders.h"
#include "kernels/gpu/cubin.h"
#include "kernels/gpu/loaded_kernel.h"
#include "kernels/gpu/nvrtc.h"
#include "kernels/gpu/runtime.h"
#include "kernels/kernel_name.h"

namespace histolab::kernels::cuda::bench {
namespace {

// With more samples, the slowest of these kernels takes a second.
constexpr std::size_t longest = std::size_t{1} << 28;

struct LabKernel {
  std::string name;
  std::vector<std::uint8_t> cubin;
  LaunchConfig config;
  std::uint64_t share = 0;  // elements per block; if 0, the grid of `config` is used
  std::unique_ptr<gpu::LoadedKernel> loaded;
};

int capability() {
  int number = 0;
  gpu::check(cudaGetDevice(&number), "ask for the current GPU");
  return gpu::use_gpu(number).capability;
}

std::string text_of(const std::string& path) {
  std::ifstream file{path};
  if (!file) throw std::runtime_error(fmt::format("cannot read {}", path));
  return {std::istreambuf_iterator<char>{file}, {}};
}

std::shared_ptr<LabKernel> compiled(const nlohmann::json& description) {
  const std::string source = description.at("source").get<std::string>();
  auto compilation = gpu::compile_with_nvrtc(text_of(source), capability());
  if (!compilation) throw std::runtime_error(compilation.error().message);
  if (compilation->cubin.empty())
    throw std::runtime_error(fmt::format("{}:{}: {}", source, compilation->diagnostics.front().line,
                                         compilation->diagnostics.front().message));
  const auto contents = gpu::read_cubin(compilation->cubin);
  if (!contents) throw std::runtime_error(contents.error().message);
  std::vector<FunctionSymbol> functions;
  for (const std::string& kernel : contents->kernels) functions.push_back({kernel, true});
  using Parameter = KernelSignature::Parameter;
  const KernelSignature abi{"histogram",
                            {Parameter::pointer, Parameter::word, Parameter::pointer},
                            "histogram(data, length, histo)",
                            {}};
  const KernelChoice choice = choose_kernel(functions, abi);
  if (!choice.problem.empty())
    throw std::runtime_error(fmt::format("{}: {}", source, choice.problem));

  auto kernel = std::make_shared<LabKernel>();
  kernel->name = description.at("name").get<std::string>();
  kernel->config.block.x = description.at("block").get<std::uint32_t>();
  kernel->config.dynamic_shared_bytes = description.at("shared_bytes").get<std::uint32_t>();
  kernel->config.shared_opt_in = description.at("opt_in").get<bool>();
  kernel->config.grid.x = description.value("grid", 1u);
  kernel->share = description.value("share", std::uint64_t{0});
  if (const auto factor = description.find("factor"); factor != description.end()) {
    const auto word = contents->words.find(factor->get<std::string>());
    kernel->share *= word != contents->words.end()
                         ? word->second
                         : description.at("fallback").get<std::uint32_t>();
  }
  kernel->loaded = std::make_unique<gpu::LoadedKernel>(
      compilation->cubin, functions[choice.number].name, compilation->is_cooperative);
  kernel->cubin = std::move(compilation->cubin);
  return kernel;
}

std::optional<Contender> make(const std::shared_ptr<LabKernel>& kernel, const Case& c,
                              const Problem& problem) {
  if (c.layout != Layout::letters || c.length > longest) return {};
  LaunchConfig config = kernel->config;
  if (kernel->share > 0)
    config.grid.x = static_cast<std::uint32_t>(
        std::max<std::uint64_t>(1, (c.length + kernel->share - 1) / kernel->share));
  return Contender{
      kernel->name, "lab", ResultType::count32, [=](void* histogram, cudaStream_t stream) {
        gpu::check(cudaMemsetAsync(histogram, 0, letter_bins * sizeof(std::uint32_t), stream),
                   "zero the histogram");
        const void* data = problem.samples;
        auto length = static_cast<std::uint32_t>(problem.length);
        std::vector<void*> values = {&data, &length, &histogram};
        gpu::check(kernel->loaded->launch(config, values, stream), "launch a lab's kernel");
      }};
}

}  // namespace

Kernel lab_kernel(const nlohmann::json& description) {
  const std::shared_ptr<LabKernel> kernel = compiled(description);
  return {kernel->name, "a solution of the course",
          [kernel](const Case& c, const Problem& problem) { return make(kernel, c, problem); }};
}

}  // namespace histolab::kernels::cuda::bench
