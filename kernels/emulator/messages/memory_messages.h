// The messages of findings about single accesses to memory: the event, its place, and the next
// step.
//
// The finding's kind, variable, index, threads and lines must be set.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "kernels/emulator/code/site.h"
#include "kernels/emulator/memory/device_heap.h"
#include "kernels/emulator/memory/window.h"
#include "kernels/finding.h"

namespace histolab::kernels::emulator {

[[nodiscard]] std::string out_of_bounds_message(const Finding& finding, AccessKind kind,
                                                std::uint64_t address, const Region* meant,
                                                std::uint32_t element_bytes);
[[nodiscard]] std::string write_to_input_message(const Finding& finding, bool constant);
[[nodiscard]] std::string atomic_on_local_message(const Finding& finding);
// For an access outside of the thread's local variables, and of all memory that it may use.
[[nodiscard]] std::string beyond_local_message(const Finding& finding, AccessKind kind,
                                               std::uint32_t bytes);
[[nodiscard]] std::string others_local_message(const Finding& finding, AccessKind kind);
// The number of elements of an array that a block has set, and the number of all elements.
struct SetElements {
  std::uint64_t set = 0, all = 0;
};
// For an access of `bytes` bytes. The first `written` of them are written.
[[nodiscard]] std::string uninitialized_read_message(const Finding& finding, AccessKind kind,
                                                     std::uint32_t bytes, std::uint32_t written,
                                                     SetElements elements);
// For global memory that began unset. `byte`: offset of the first unset byte in the element.
[[nodiscard]] std::string uninitialized_global_message(const Finding& finding, AccessKind kind,
                                                       std::uint64_t byte);
[[nodiscard]] std::string wrong_free_message(const Finding& finding,
                                             const DeviceHeap::Freeing& freeing);
[[nodiscard]] std::string use_after_free_message(const Finding& finding, AccessKind kind,
                                                 const Region& region);
// `byte`: offset in the variable, if its elements are not known.
[[nodiscard]] std::string misaligned_access_message(const Finding& finding, AccessKind kind,
                                                    std::uint32_t bytes,
                                                    std::optional<std::uint32_t> byte);

}  // namespace histolab::kernels::emulator
