// histolab-gpu-worker: the only process that runs a student's kernel on a GPU.
//
// The client (gpu.cpp) starts it for one compilation, one series of launches or one timing. It ends
// afterwards, because a process cannot use the GPU any more after an illegal address or a trap. A
// kernel's printf writes to the standard output. So standard output is redirected to a file while a
// kernel runs; the answer goes to the original standard output.
#include <sys/mman.h>
#include <unistd.h>

#include <cstdio>
#include <string>

#include "kernels/gpu/cubin.h"
#include "kernels/gpu/harness.h"
#include "kernels/gpu/launcher.h"
#include "kernels/gpu/mapped_file.h"
#include "kernels/gpu/nvrtc.h"
#include "kernels/gpu/protocol.h"
#include "kernels/gpu/runtime.h"
#include "kernels/gpu/stopwatch.h"

namespace {

using namespace histolab;
using namespace histolab::kernels;
using gpu::Answer;
using gpu::Request;

constexpr std::size_t most_printed = 64 * 1024;

// Captures the standard output while the object exists.
class CapturedOutput {
 public:
  CapturedOutput() : file_(memfd_create("printed", MFD_CLOEXEC)), real_(dup(STDOUT_FILENO)) {
    if (file_ >= 0) dup2(file_, STDOUT_FILENO);
  }
  ~CapturedOutput() { restore(); }
  std::string text() {
    std::fflush(stdout);
    std::string bytes(most_printed, '\0');
    const ssize_t got = file_ < 0 ? 0 : pread(file_, bytes.data(), bytes.size(), 0);
    bytes.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
    return bytes;
  }
  void restore() {
    if (real_ < 0) return;
    dup2(real_, STDOUT_FILENO);
    close(real_);
    real_ = -1;
  }

 private:
  int file_, real_;
};

void probe(Answer& answer) {
  int count = 0;
  const cudaError_t found = cudaGetDeviceCount(&count);
  if (found == cudaErrorNoDevice) return;
  if (found == cudaErrorInsufficientDriver) {
    int driver = 0;
    if (cudaDriverGetVersion(&driver) != cudaSuccess || driver == 0) return;  // no driver
    answer.machine_error = "the GPU's driver supports CUDA " + std::to_string(driver / 1000) + "." +
                           std::to_string(driver % 1000 / 10) +
                           ", which is older than this build's " +
                           std::to_string(CUDART_VERSION / 1000) + ": update the driver";
    return;
  }
  gpu::check(found, "look for a GPU");
  for (int number = 0; number < count; ++number) {
    const gpu::GpuFacts facts = gpu::use_gpu(number);
    answer.gpus.push_back({facts.name, facts.driver, facts.capability, facts.multiprocessors});
  }
}

// Returns the bytes that follow the answer's line: the cubin of the student's source, then the
// cubin of the harness for the same architecture.
std::string compile(const Request& request, Answer& answer) {
  const gpu::MappedFile source(request.source.descriptor, request.source.bytes);
  const std::string text(source.bytes().begin(), source.bytes().end());
  Result<gpu::Compilation> kernel = gpu::compile_with_nvrtc(text, request.capability);
  if (!kernel) {
    answer.machine_error = kernel.error().message;
    return std::string{};
  }
  answer.diagnostics = std::move(kernel->diagnostics);
  answer.resources = std::move(kernel->resources);
  answer.is_cooperative = kernel->is_cooperative;
  if (kernel->cubin.empty()) return {};
  Result<gpu::Cubin> contents = gpu::read_cubin(kernel->cubin);
  if (!contents) {
    answer.machine_error = contents.error().message;
    return std::string{};
  }
  answer.contents = std::move(*contents);
  Result<gpu::Compilation> harness =
      gpu::compile_with_nvrtc(gpu::harness_source(), request.capability);
  if (!harness) {
    answer.machine_error = harness.error().message;
    return std::string{};
  }
  answer.cubin_bytes = kernel->cubin.size();
  answer.harness_bytes = harness->cubin.size();
  std::string bytes(kernel->cubin.begin(), kernel->cubin.end());
  return bytes.append(harness->cubin.begin(), harness->cubin.end());
}

std::string answer_to(const Request& request) {
  Answer answer;
  std::string bytes;
  CapturedOutput output;
  try {
    switch (request.what) {
      case Request::What::probe: probe(answer); break;
      case Request::What::compile: bytes = compile(request, answer); break;
      case Request::What::launch:
        static_cast<void>(gpu::use_gpu(request.gpu));
        answer.observations = gpu::run_launches(request);
        if (!answer.observations.empty()) answer.observations.front().printed = output.text();
        break;
      case Request::What::time:
        static_cast<void>(gpu::use_gpu(request.gpu));
        answer.timed = gpu::time_kernels(request);
        break;
    }
  } catch (const std::exception& failure) {
    answer.machine_error = failure.what();
  }
  output.restore();
  return to_text(answer) + "\n" + bytes;
}

}  // namespace

int main() try {
  const off_t size = lseek(gpu::request_descriptor, 0, SEEK_END);
  const gpu::MappedFile text(gpu::request_descriptor,
                             size > 0 ? static_cast<std::uint64_t>(size) : 0);
  if (text.bytes().empty()) {
    std::fputs(
        "histolab-gpu-worker is started by histolab, not by hand: try `histolab run 02-atomic-add "
        "--device gpu`\n",
        stderr);
    return 2;
  }
  const auto request =
      gpu::request_from({reinterpret_cast<const char*>(text.bytes().data()), text.bytes().size()});
  if (!request) {
    std::fprintf(stderr, "histolab-gpu-worker: %s\n", request.error().message.c_str());
    return 2;
  }
  const std::string reply = answer_to(*request);
  for (std::size_t sent = 0; sent < reply.size();) {
    const ssize_t written = write(STDOUT_FILENO, reply.data() + sent, reply.size() - sent);
    if (written <= 0) return 2;
    sent += static_cast<std::size_t>(written);
  }
  _exit(0);  // after a kernel's error, a regular CUDA shutdown can take seconds
} catch (const std::exception& failure) {
  std::fprintf(stderr, "histolab-gpu-worker: %s\n", failure.what());
  return 2;
}
