#include "kernels/gpu/error_verdict.h"

#include <string>

namespace histolab::kernels::gpu {
namespace {

Finding seen(FindingKind kind, const std::string& what, const std::string& next) {
  Finding finding;
  finding.kind = kind;
  finding.message = "the GPU stopped the kernel: " + what + ". " + next;
  return finding;
}

constexpr const char* where =
    "A GPU does not report the line; the emulator does: histolab run LAB --device emulator";

}  // namespace

std::optional<Finding> finding_of(cudaError_t error) {
  switch (error) {
    case cudaErrorIllegalAddress:
    case cudaErrorInvalidAddressSpace:
      return seen(FindingKind::out_of_bounds,
                  "a thread accessed an address where the kernel has no memory", where);
    case cudaErrorMisalignedAddress:
      return seen(
          FindingKind::misaligned_access,
          "a thread accessed a misaligned address, one that is not a multiple of the access's size",
          where);
    case cudaErrorAssert:
      return seen(FindingKind::illegal_instruction, "an assertion failed",
                  "The printed message names it");
    case cudaErrorIllegalInstruction:
    case cudaErrorInvalidPc:
    case cudaErrorLaunchFailure:
      return seen(FindingKind::illegal_instruction, "it executed an illegal instruction or a trap",
                  where);
    case cudaErrorHardwareStackError:
      return seen(FindingKind::illegal_instruction, "a thread's stack overflowed or was damaged",
                  "Look for recursion, and for large local arrays");
    case cudaErrorCooperativeLaunchTooLarge: {
      Finding finding;
      finding.kind = FindingKind::invalid_launch;
      finding.message =
          "the kernel calls grid.sync(), so all blocks must be resident at once, but the GPU does "
          "not hold so many. Launch fewer blocks, and let each thread take several elements";
      return finding;
    }
    case cudaErrorLaunchOutOfResources:
    case cudaErrorInvalidConfiguration:
    case cudaErrorInvalidValue: {
      Finding finding;
      finding.kind = FindingKind::invalid_launch;
      finding.message =
          "the GPU cannot launch the kernel in this shape: too many threads in a block for its "
          "registers, too much shared memory, or a grid that is too large";
      return finding;
    }
    default: return std::nullopt;
  }
}

}  // namespace histolab::kernels::gpu
