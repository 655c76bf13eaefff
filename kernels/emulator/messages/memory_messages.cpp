#include "kernels/emulator/messages/memory_messages.h"

#include <fmt/format.h>

#include "kernels/emulator/messages/names.h"

namespace histolab::kernels::emulator {

std::string out_of_bounds_message(const Finding& finding, AccessKind kind, std::uint64_t address,
                                  const Region* meant, std::uint32_t element_bytes) {
  if (meant == nullptr || !finding.index)
    return fmt::format(
        "{} {} address {:#x}{}, where the kernel has no memory. Check what the pointer is computed "
        "from",
        describe(*finding.thread), verb(kind), address, address < 4096 ? " (a null pointer)" : "");
  const std::uint64_t elements = element_bytes == 0 ? 0 : meant->size / element_bytes;
  std::string what = fmt::format("{} {} {}, but {} ", describe(*finding.thread), verb(kind),
                                 describe_element(finding), finding.variable);
  if (elements == 0)
    what += "has no elements here";
  else if (elements == 1)
    what += "has 1 element, index 0";
  else
    what += fmt::format("has {} elements, 0 to {}", elements, elements - 1);
  if (*finding.index < 0)
    return what +
           ". The index is below zero: check what it is computed from (a signed char? a missing "
           "lower bound?)";
  if (static_cast<std::uint64_t>(*finding.index) >= (1ull << 30) && elements < (1ull << 28))
    return what +
           ". An index this large is an unsigned value that wrapped below zero: check the lower "
           "bound first";
  if (meant->is_input() || elements == 0)
    return what + ". Check the index against the length before you use it";
  return what + ". Check how the index is computed, and test it before you use it";
}

std::string write_to_input_message(const Finding& finding, bool constant) {
  if (constant)
    return fmt::format(
        "{} writes {}, but {} is constant: a kernel can only read it. Make it __device__ without "
        "const, or keep data that changes in shared memory",
        describe(*finding.thread), describe_element(finding), finding.variable);
  return fmt::format(
      "{} writes {}, but {} is the kernel's input and must stay as it is. Write results to the "
      "output only",
      describe(*finding.thread), describe_element(finding), finding.variable);
}

std::string atomic_on_local_message(const Finding& finding) {
  return fmt::format(
      "{} updates a local variable with an atomic function, which works only on shared and global "
      "memory. Did you mean another variable? Declare data that a block shares with __shared__; "
      "for a thread's own data a plain += is enough",
      describe(*finding.thread));
}

std::string beyond_local_message(const Finding& finding, AccessKind kind, std::uint32_t bytes) {
  return fmt::format(
      "{} {} {} byte{} outside its local variables, with an index beyond the end of a local array. "
      "Keep the index below the array's number of elements",
      describe(*finding.thread), verb(kind), bytes, bytes == 1 ? "" : "s");
}

std::string others_local_message(const Finding& finding, AccessKind kind) {
  return fmt::format(
      "{} {} a local variable of another thread through its address; on a GPU that address is in "
      "the accessing thread's own local memory. Put data that threads share into __shared__ memory",
      describe(*finding.thread), verb(kind));
}

std::string uninitialized_read_message(const Finding& finding, AccessKind kind, std::uint32_t bytes,
                                       std::uint32_t written, SetElements elements) {
  const std::string begin =
      fmt::format("{} {} {}", describe(*finding.thread), verb(kind), describe_element(finding));
  if (elements.set > 0 && written == 0)
    return fmt::format(
        "{}, which is uninitialized: this block has set only {} of {} elements. Set all {}, even "
        "with fewer threads: for (i = threadIdx.x; i < {}; i += blockDim.x), then __syncthreads()",
        begin, elements.set, elements.all, elements.all, elements.all);
  const std::string part = written == 0
                               ? "anything was written there"
                               : fmt::format("byte {} of its {} was written", written, bytes);
  const std::string what = fmt::format(
      "{} before {} in this block. Shared memory starts with whatever was left in it: ", begin,
      part);
  if (!finding.index)
    return what + fmt::format("let one thread set {}, then __syncthreads()", finding.variable);
  return what +
         "set every element first, even with fewer threads than elements, then __syncthreads()";
}

std::string uninitialized_global_message(const Finding& finding, AccessKind kind,
                                         std::uint64_t byte) {
  const std::string where =
      byte == 0 ? describe_element(finding)
                : fmt::format("{} (byte {} of it)", describe_element(finding), byte);
  return fmt::format(
      "{} {} {} before anything was written there. Allocated memory holds whatever was left in it: "
      "write every element before you read it, for example in a loop over all of them",
      describe(*finding.thread), verb(kind), where);
}

std::string wrong_free_message(const Finding& finding, const DeviceHeap::Freeing& freeing) {
  const std::string what = fmt::format("{} frees {}", describe(*finding.thread),
                                       finding.variable.empty() ? "an address" : finding.variable);
  switch (freeing.what) {
    case DeviceHeap::Freed::again:
      return fmt::format("{}, which was already freed{}. Let one thread free it, once", what,
                         at_line(freeing.earlier_line));
    case DeviceHeap::Freed::not_its_start:
      return what +
             " with a pointer into it. Free the pointer that malloc or new returned, not one that "
             "was advanced";
    case DeviceHeap::Freed::never_allocated:
    case DeviceHeap::Freed::done: break;
  }
  return what +
         " that neither malloc nor new returned. Free only memory that the kernel has allocated";
}

std::string use_after_free_message(const Finding& finding, AccessKind kind, const Region& region) {
  return fmt::format(
      "{} {} {}, but that memory was freed{}. Use it before you free it, or free it later",
      describe(*finding.thread), verb(kind), describe_element(finding),
      region.freed_at.empty() ? at_line(region.freed_line) : fmt::format(" ({})", region.freed_at));
}

std::string misaligned_access_message(const Finding& finding, AccessKind kind, std::uint32_t bytes,
                                      std::optional<std::uint32_t> byte) {
  const std::string place =
      byte ? fmt::format("byte {} of {}", *byte, finding.variable) : describe_element(finding);
  return fmt::format(
      "{} {} {} bytes at once at {}, a misaligned address: it is not a multiple of {}. Start at an "
      "aligned element and handle the rest one by one",
      describe(*finding.thread), verb(kind), bytes, place, bytes);
}

}  // namespace histolab::kernels::emulator
