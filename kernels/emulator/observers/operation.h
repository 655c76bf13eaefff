// Converts the kinds of accesses to those of a report.
#pragma once

#include "kernels/device.h"
#include "kernels/emulator/code/site.h"

namespace histolab::kernels::emulator {

[[nodiscard]] inline Operation operation_of(AccessKind kind) {
  switch (kind) {
    case AccessKind::load:
    // mutant return {}: a load is the first operation in the enum
    case AccessKind::volatile_load: return Operation::load;
    case AccessKind::atomic: return Operation::atomic;
    case AccessKind::compare_and_swap: return Operation::compare_and_swap;
    case AccessKind::exchange: return Operation::exchange;
    case AccessKind::store:
    // mutant gone: it is the last case, and the code after it does the same
    case AccessKind::release: break;
  }
  return Operation::store;
}

}  // namespace histolab::kernels::emulator
