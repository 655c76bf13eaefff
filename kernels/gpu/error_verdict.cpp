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
    "A GPU does not tell which line; the emulator does: histolab run LAB --device emulator";

}  // namespace

std::optional<Finding> finding_of(cudaError_t error) {
  switch (error) {
    case cudaErrorIllegalAddress:
    case cudaErrorInvalidAddressSpace:
      return seen(FindingKind::out_of_bounds,
                  "a thread used an address where the kernel has no memory", where);
    case cudaErrorMisalignedAddress:
      return seen(
          FindingKind::misaligned_access,
          "a thread used an address that is no multiple of the size of what it read or wrote there",
          where);
    case cudaErrorAssert:
      return seen(FindingKind::illegal_instruction, "an assertion failed",
                  "What was printed names it");
    case cudaErrorIllegalInstruction:
    case cudaErrorInvalidPc:
    case cudaErrorLaunchFailure:
      return seen(FindingKind::illegal_instruction,
                  "it came to an instruction that cannot be executed, or to a trap", where);
    case cudaErrorHardwareStackError:
      return seen(FindingKind::illegal_instruction, "a thread's stack overflowed or was damaged",
                  "Look for a recursion, and for large local arrays");
    case cudaErrorCooperativeLaunchTooLarge: {
      Finding finding;
      finding.kind = FindingKind::invalid_launch;
      finding.message =
          "the kernel calls grid.sync(), so all blocks must be on the GPU at once, but it does not "
          "hold so many of them. Launch fewer "
          "blocks, and let each thread take several elements";
      return finding;
    }
    case cudaErrorLaunchOutOfResources:
    case cudaErrorInvalidConfiguration:
    case cudaErrorInvalidValue: {
      Finding finding;
      finding.kind = FindingKind::invalid_launch;
      finding.message =
          "the GPU does not start the kernel in this shape: too many threads in a block for its "
          "registers, too much shared memory, or a "
          "grid that is too large";
      return finding;
    }
    default: return std::nullopt;
  }
}

}  // namespace histolab::kernels::gpu
