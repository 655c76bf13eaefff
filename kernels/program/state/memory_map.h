// MemoryMap: the allocations of a program in its device memory, those that were freed, too.
//
// It is arithmetic on offsets in the memory file (kernels/program/memory_layout.h): it has no
// memory itself. Addresses are not reused while there is room, so that a use after free is found.
#pragma once

#include <cstdint>
#include <map>
#include <optional>

#include "kernels/emulator/memory/program_memory.h"
#include "kernels/program/calls/functions.h"
#include "kernels/program/memory_layout.h"

namespace histolab::kernels::program {

struct Allocation {
  // Pinned: host memory that kernels can access, too. The host maps managed and pinned memory.
  enum class Kind { device, managed, pinned };
  Kind kind = Kind::device;
  std::uint64_t offset = 0, bytes = 0;
  std::uint32_t flags = 0;  // of cudaHostAlloc
  // `some` may be all. The host can write managed and pinned memory at any time, so all of it
  // counts as written.
  emulator::WrittenState written = emulator::WrittenState::none;
  // The calls that made and freed it: functions and return addresses.
  Function made_by = Function::cudaMalloc, freed_by = Function::cudaFree;
  std::uint64_t made_at = 0, freed_at = 0;
  bool freed = false;
  std::uint64_t free_number = 0;  // counts the calls that freed memory

  [[nodiscard]] std::uint64_t address() const { return program_memory_begin + offset; }
  [[nodiscard]] bool host_can_access() const { return kind != Kind::device; }
};

class MemoryMap {
 public:
  // The allocations take the bytes of the file from `begin` to `end`.
  MemoryMap(std::uint64_t begin, std::uint64_t end) : begin_(begin), end_(end), next_(begin) {}

  // Returns null if the memory has no room for `bytes`, which must not be 0.
  Allocation* allocate(Allocation::Kind kind, std::uint64_t bytes);
  void free(Allocation& allocation);
  // Returns the allocation that the address is in, or in whose red zone it is, or null.
  [[nodiscard]] Allocation* find(std::uint64_t address);
  // Sum of the bytes of all allocations that are not freed.
  [[nodiscard]] std::uint64_t used_bytes() const { return used_; }
  [[nodiscard]] std::uint64_t frees() const { return frees_; }
  [[nodiscard]] std::uint64_t all_bytes() const { return end_ - begin_; }
  // By offset. An allocation stays where it is until its room is reused.
  [[nodiscard]] const std::map<std::uint64_t, Allocation>& allocations() const { return all_; }
  [[nodiscard]] std::map<std::uint64_t, Allocation>& allocations() { return all_; }

 private:
  // Returns the begin of a gap between allocations that are not freed. Forgets the freed ones
  // there.
  std::optional<std::uint64_t> reuse(std::uint64_t bytes);

  std::uint64_t begin_, end_, next_, used_ = 0, frees_ = 0;
  std::map<std::uint64_t, Allocation> all_;
};

}  // namespace histolab::kernels::program
