#include "kernels/program/runtime/memory.h"

#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <mutex>
#include <vector>

#include "kernels/program/memory_layout.h"

namespace histolab::kernels::program {
namespace {

constexpr std::uint64_t page = 4096;

struct Guard {
  std::uint64_t operation = 0;
  GuardedRange range;
  std::uint64_t begin = 0, end = 0;  // its whole pages
};

struct Memory {
  // A fault may happen in a thread that has it.
  std::recursive_mutex mutex;
  int file = -1;
  std::uint8_t* alias = nullptr;
  std::uint64_t bytes = 0;
  std::map<std::uint64_t, std::uint64_t> host;  // allocations that the host can access: bytes
  std::vector<Guard> guards;
};
Memory& memory() {
  static auto* const only = new Memory;  // lives until the process ends
  return *only;
}

std::uint64_t rounded_up(std::uint64_t address) { return (address + page - 1) / page * page; }
void* pointer(std::uint64_t address) { return reinterpret_cast<void*>(address); }

// Sets the rights of pages of an allocation by the guards that are left.
void protect(std::uint64_t begin, std::uint64_t end) {
  for (std::uint64_t at = begin, next = end; at < end; at = next, next = end) {
    int rights = PROT_READ | PROT_WRITE;
    for (const Guard& guard : memory().guards) {
      if (at >= guard.begin && at < guard.end)
        rights &= guard.range.reads != 0 ? PROT_READ : PROT_NONE;
      // From `at` to `next` the guards are the same.
      for (const std::uint64_t edge : {guard.begin, guard.end})
        if (edge > at) next = std::min(next, edge);
    }
    mprotect(pointer(at), next - at, rights);
  }
}

}  // namespace

bool map_device_memory(int file) {
  Memory& all = memory();
  struct stat status;
  if (fstat(file, &status) != 0) return false;
  all.file = file;
  all.bytes =
      std::min<std::uint64_t>(static_cast<std::uint64_t>(status.st_size), program_memory_bytes);
  void* const reserved =
      mmap(pointer(program_memory_begin), program_memory_bytes, PROT_NONE,
           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
  if (reserved != pointer(program_memory_begin)) return false;
  void* const alias =
      mmap(nullptr, all.bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, file, 0);
  if (alias == MAP_FAILED) return false;
  all.alias = static_cast<std::uint8_t*>(alias);
  return true;
}

bool is_device_address(std::uint64_t address) {
  return address - program_memory_begin < program_memory_bytes;
}

std::uint8_t* accessible(std::uint64_t address) {
  const std::uint64_t offset = address - program_memory_begin;
  return offset < memory().bytes ? memory().alias + offset
                                 : reinterpret_cast<std::uint8_t*>(address);
}

void map_for_host(std::uint64_t address, std::uint64_t bytes) {
  const std::lock_guard lock(memory().mutex);
  memory().host[address] = bytes;
  mmap(pointer(address), rounded_up(bytes), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED,
       memory().file, static_cast<off_t>(address - program_memory_begin));
}

void unmap_for_host(std::uint64_t address) {
  const std::lock_guard lock(memory().mutex);
  const auto found = memory().host.find(address);
  if (found == memory().host.end()) return;
  const std::uint64_t bytes = rounded_up(found->second);
  memory().host.erase(found);
  auto& guards = memory().guards;
  guards.erase(std::remove_if(guards.begin(), guards.end(),
                              [&](const Guard& guard) {
                                return guard.begin >= address && guard.begin < address + bytes;
                              }),
               guards.end());
  mmap(pointer(address), bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED,
       -1, 0);
}

void unmap_all_for_host() {
  const std::lock_guard lock(memory().mutex);
  while (!memory().host.empty()) unmap_for_host(memory().host.begin()->first);
}

void map_variables(const SharedVariables& variables, std::uint64_t load_base) {
  const std::uint64_t begin = load_base + variables.begin;
  std::memcpy(memory().alias + variables.offset, pointer(begin), variables.bytes);
  mmap(pointer(begin), variables.bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED,
       memory().file, static_cast<off_t>(variables.offset));
}

void add_guards(std::uint64_t operation, const GuardedRange* ranges, std::size_t count) {
  const std::lock_guard lock(memory().mutex);
  for (std::size_t i = 0; i < count; ++i) {
    auto allocation = memory().host.upper_bound(ranges[i].begin);
    if (allocation == memory().host.begin()) continue;
    --allocation;
    // Other parts of an allocation stay accessible, so only whole pages are guarded. At its end the
    // allocation has the page for itself.
    const std::uint64_t end = ranges[i].begin + ranges[i].bytes;
    Guard guard{operation, ranges[i], rounded_up(ranges[i].begin), end / page * page};
    if (end >= allocation->first + allocation->second) guard.end = rounded_up(end);
    if (guard.begin >= guard.end) continue;
    memory().guards.push_back(guard);
    protect(guard.begin, guard.end);
  }
}

void release_guards(std::uint64_t operation) {
  const std::lock_guard lock(memory().mutex);
  std::vector<Guard>& guards = memory().guards;
  for (std::size_t i = 0; i < guards.size();) {
    if (guards[i].operation != operation) {
      ++i;
      continue;
    }
    const Guard released = guards[i];
    guards.erase(guards.begin() + static_cast<std::ptrdiff_t>(i));
    protect(released.begin, released.end);
  }
}

std::uint64_t guarding(std::uint64_t address, bool writes) {
  const std::lock_guard lock(memory().mutex);
  for (const Guard& guard : memory().guards)
    if (address - guard.range.begin < guard.range.bytes && (writes || guard.range.reads == 0))
      return guard.operation;
  return 0;
}

bool release_page(std::uint64_t address) {
  const std::lock_guard lock(memory().mutex);
  for (const Guard& guard : memory().guards)
    if (address >= guard.begin && address < guard.end) {
      release_guards(guard.operation);
      return true;
    }
  return false;
}

}  // namespace histolab::kernels::program
