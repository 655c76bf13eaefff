#include "kernels/gpu/launcher.h"

#include <fmt/format.h>

#include <cstring>
#include <deque>
#include <memory>

#include "kernels/gpu/guarded_buffer.h"
#include "kernels/gpu/loaded_kernel.h"
#include "kernels/gpu/mapped_file.h"
#include "kernels/gpu/watched_launch.h"

namespace histolab::kernels::gpu {
namespace {

// An argument on the GPU, and the file from which it is read and to which an output
// is written back.
struct Placed {
  const GpuArgument* argument;
  MappedFile file;
  GuardedBuffer buffer;
  std::uint8_t* pointer;
};

Finding noticed(FindingKind kind, const std::string& variable, std::string message) {
  Finding finding;
  finding.kind = kind;
  finding.space = Space::global;
  finding.variable = variable;
  finding.message = std::move(message);
  return finding;
}

class Launch {
 public:
  explicit Launch(const std::vector<GpuArgument>& arguments) {
    for (const GpuArgument& each : arguments) {
      if (each.kind == Argument::Kind::word) {
        values_.push_back(const_cast<std::uint32_t*>(&each.word));
        continue;
      }
      const bool is_output = each.kind == Argument::Kind::output;
      Placed& placed = placed_.emplace_back(
          Placed{&each,
                 MappedFile(each.buffer.descriptor, each.buffer.bytes,
                            is_output ? MappedFile::Access::write : MappedFile::Access::read),
                 GuardedBuffer(each.buffer.bytes), nullptr});
      placed.pointer = placed.buffer.data() + each.offset;
      values_.push_back(&placed.pointer);
      check(cudaMemcpy(placed.buffer.data(), placed.file.bytes().data(), placed.file.bytes().size(),
                       cudaMemcpyHostToDevice),
            "copy data to the GPU");
    }
  }

  std::vector<void*>& values() { return values_; }

  // Must be called after the kernel. Copies the outputs to their files. Returns a finding for each
  // changed input and each changed guard.
  std::vector<Finding> bring_back() {
    std::vector<Finding> findings;
    for (Placed& placed : placed_) {
      const std::string& name = placed.argument->name;
      if (placed.argument->kind == Argument::Kind::output) {
        check(cudaMemcpy(placed.file.bytes().data(), placed.buffer.data(),
                         placed.file.bytes().size(), cudaMemcpyDeviceToHost),
              "read the result");
      } else if (was_changed(placed)) {
        findings.push_back(noticed(FindingKind::write_to_input, name,
                                   fmt::format("the kernel changed its input {}, which must stay "
                                               "as it is; write results to the output only",
                                               name)));
      }
      if (!placed.buffer.guards_intact())
        findings.push_back(noticed(FindingKind::out_of_bounds, name,
                                   fmt::format("the kernel wrote before the start or beyond the "
                                               "end of {}; the emulator reports the line",
                                               name)));
    }
    return findings;
  }

 private:
  static bool was_changed(const Placed& placed) {
    std::vector<std::uint8_t> now(placed.file.bytes().size());
    check(cudaMemcpy(now.data(), placed.buffer.data(), now.size(), cudaMemcpyDeviceToHost),
          "read the input again");
    return std::memcmp(now.data(), placed.file.bytes().data(), now.size()) != 0;
  }

  std::deque<Placed> placed_;  // elements do not move, because values_ points into them
  std::vector<void*> values_;
};

}  // namespace

std::vector<Observation> run_launches(const Request& request) {
  const KernelImage& image = request.kernels.at(0);
  const MappedFile cubin(image.cubin.descriptor, image.cubin.bytes),
      harness(request.harness.descriptor, request.harness.bytes);
  cudaStream_t stream = nullptr;
  check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "make a stream");
  auto kernel = std::make_unique<LoadedKernel>(cubin.bytes(), image.symbol, image.is_cooperative);
  std::vector<Observation> observations;
  for (const auto& arguments : request.launches) {
    auto launch = std::make_unique<Launch>(arguments);
    std::optional<BadEnd> bad =
        launch_watched(*kernel, image, launch->values(), stream, harness.bytes(),
                       std::chrono::milliseconds(request.limit_ms));
    Observation& observation = observations.emplace_back();
    if (!bad) {
      observation.findings = launch->bring_back();
      continue;
    }
    observation.ending = bad->ending;
    observation.ending_detail = std::move(bad->detail);
    if (bad->finding) observation.findings.push_back(std::move(*bad->finding));
    // Leaked on purpose: freeing them would wait for the kernel.
    if (bad->still_running) {
      static_cast<void>(launch.release());
      static_cast<void>(kernel.release());
    }
    break;
  }
  return observations;
}

}  // namespace histolab::kernels::gpu
