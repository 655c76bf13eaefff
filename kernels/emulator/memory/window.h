// Window: the one range of addresses that a kernel may touch, and the layout of that range.
//
// Each variable or buffer is a Region with a red zone on both sides. For the layout and the reasons
// see docs/emulator.md, "Memory".
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "kernels/emulator/memory/written_bytes.h"
#include "kernels/finding.h"
#include "reference/result.h"

namespace histolab::kernels::emulator {

class ReadBytes;

// Rounds up to a multiple of `unit`. Returns `value` unchanged if `unit` is 0, as in a section
// without alignment.
[[nodiscard]] inline std::uint64_t round_up(std::uint64_t value, std::uint64_t unit) {
  return unit < 2 ? value : (value + unit - 1) / unit * unit;
}

struct Region {
  enum class Role {
    input,
    output,
    device_variable,
    constant,
    shared_static,
    shared_dynamic,
    local,
    heap
  };
  Role role = Role::input;
  Space space = Space::global;
  std::string name;
  std::uint8_t* begin = nullptr;
  std::uint64_t size = 0;   // bytes that may be accessed
  std::uint32_t askew = 0;  // input: bytes from the 32-byte boundary before its begin
  // Bytes of an element. If 0, an access counts elements of its own width.
  std::uint32_t element_bytes = 0;
  // Shared: offset in the block's shared memory as a GPU lays it out, in bytes.
  std::uint64_t bank_base = 0;
  std::uint32_t id = 0;                                   // unique in its Window
  std::uint64_t red_zone_before = 0, red_zone_after = 0;  // in bytes
  bool is_const = false;                                  // device_variable: declared const
  bool is_freed = false;  // heap: a lane has freed it, on line `freed_line`
  int freed_line = 0;
  std::string freed_at = {};  // place of the cudaFree of a program's freed allocation, or empty
  // If a block of the heap has ended (device_heap.h), or a program's allocation is freed: its
  // bytes. Then `size` is 0.
  std::uint64_t freed_bytes = 0;
  // Heap: counts the allocations that used this region. State recorded for an earlier one is stale.
  std::uint32_t times_handed_out = 0;
  // A program's allocation that the kernel gets only by pointers to const, as long as no thread has
  // written to it.
  mutable bool is_only_read = false;
  bool is_too_large = false;  // races are not looked for there
  // Input: the bytes that were read so far. Null if the launch does not record them.
  std::shared_ptr<ReadBytes> read = nullptr;
  // The bytes that were written so far, for memory that begins unset. Null for all other memory.
  std::shared_ptr<WrittenBytes> written = nullptr;

  [[nodiscard]] std::uint64_t address() const { return reinterpret_cast<std::uint64_t>(begin); }
  // Returns the number of bytes, rounded up to 16, for which observers may keep state. It includes
  // freed bytes, because their address may be allocated again with a slightly larger size.
  [[nodiscard]] std::uint64_t noted_bytes() const { return (size + freed_bytes + 15) / 16 * 16; }
  [[nodiscard]] bool holds(std::uint64_t at, std::uint64_t bytes) const {
    return at - address() < size && at - address() + bytes <= size;
  }
  [[nodiscard]] bool is_read_only() const {
    return role == Role::input || role == Role::constant || is_const;
  }
  [[nodiscard]] bool tracked_for_races() const {
    return !is_read_only() && role != Role::local && !is_only_read && !is_too_large;
  }
  [[nodiscard]] bool is_input() const { return role == Role::input || is_only_read; }
  // Call it for a write to the region. From then on races are looked for there.
  void note_write() const { is_only_read = false; }
};

class Window {
 public:
  static constexpr std::uint64_t text_bytes =
      64 * 1024;  // a site is the low 16 bits of a return address
  static constexpr std::uint64_t image_bytes = 16 << 20;
  static constexpr std::uint64_t shared_bytes = 16 << 20;
  // Bytes per thread. The lower part is not mapped, so a frame cannot reach into another thread's
  // stack. It is mapped only if the kernel's code shows that no frame is that large
  // (AccessProof::is_shallow). From stack_top() down the stack holds only the kernel's data while
  // the kernel runs there (lanes.h).
  static constexpr std::uint64_t stack_bytes = 512 * 1024;
  static constexpr std::uint64_t stack_guard_bytes = 256 * 1024;
  // Bytes above the top of each stack. A proof allows a function to read that many bytes of stack
  // arguments (access_proof.h), so they have to be mapped even for the outermost frame.
  static constexpr std::uint64_t above_stack_top = 512;
  static constexpr std::uint64_t stack_colors = 64, color_bytes = 7 * 64;
  static constexpr std::uint64_t usable_stack_bytes =
      stack_bytes - stack_guard_bytes - above_stack_top - stack_colors * color_bytes;
  static constexpr std::uint64_t max_stacks = 1024;
  static constexpr std::uint64_t heap_bytes = 64 << 20;  // address space of the device heap
  static constexpr std::uint64_t host_stack_bytes = 1 << 20;

  static Result<Window> reserve();
  // Reserves a window with room for a program's memory, at its constant address
  // (kernels/program/memory_layout.h). Returns an Error if that range is in use.
  static Result<Window> reserve_for_program();

  // The stack of the OS thread that runs blocks. Its thread-local storage is at its end, and the
  // kernel's `thread_local` shared memory must be within 2 GiB of that.
  [[nodiscard]] std::span<std::uint8_t> host_stack() const {
    return {host_stack_, host_stack_bytes};
  }
  [[nodiscard]] std::uint8_t* image() const { return begin_; }
  [[nodiscard]] std::uint8_t* shared() const { return begin_ + image_bytes; }
  // Returns the end of stack `i`, which grows down from there. The stack is not mapped before
  // map_stack(i). The ends are staggered by cache lines: at equal distances all stacks would
  // compete for the same few sets of the cache.
  [[nodiscard]] std::uint8_t* stack_top(std::uint64_t i) const {
    return stacks() + (i + 1) * stack_bytes - above_stack_top - i % stack_colors * color_bytes;
  }
  // Converts an offset in the region of all stacks to an offset in one stack. A local variable has
  // the same result in each thread.
  [[nodiscard]] static constexpr std::uint32_t place_in_stack(std::uint32_t offset) {
    const std::uint64_t stack = offset / stack_bytes;
    return static_cast<std::uint32_t>(offset % stack_bytes + stack % stack_colors * color_bytes);
  }
  // Returns whether the address is in the unmapped part below a stack, or within 4096 bytes above
  // it: the stack has overflowed.
  [[nodiscard]] bool is_below_a_stack(std::uint64_t address) const;
  // Maps the usable part of stack `i`. Returns false if the machine is out of memory.
  [[nodiscard]] bool map_stack(std::uint64_t i) const;
  // Maps the first `count` stacks in one call, including their lower parts. This is only for a
  // kernel that stays in the upper part of each stack. Returns false if the machine is out of
  // memory.
  [[nodiscard]] bool map_stacks(std::uint64_t count) const;

  [[nodiscard]] std::uint64_t begin() const { return reinterpret_cast<std::uint64_t>(begin_); }
  [[nodiscard]] std::uint64_t size() const { return size_; }

  // Maps a buffer of `bytes` (4 GiB at most) with red zones. If `fd` >= 0, it holds the file's
  // bytes, shared with the file's other owners or private to this process. Otherwise it is zeroed.
  // Its first `offset` bytes belong to the red zone. Returns an Error if it does not fit or the
  // machine is out of memory.
  Result<const Region*> map_buffer(Region::Role role, const std::string& name,
                                   std::uint32_t element_bytes, std::uint64_t bytes, int fd,
                                   bool shared_with_owner, std::uint32_t offset = 0);
  // Maps the pages of the file `fd` from `begin` to `end`, two offsets, shared with its other
  // owners: a program's memory. Adds no region. Returns an Error if the machine is out of memory.
  Status map_program_file(int fd, std::uint64_t begin, std::uint64_t end);
  // Makes observers record in `read` the bytes that the kernel reads from `region`, an input.
  void record_reads(const Region& region, std::shared_ptr<ReadBytes> read);
  // Declares that `region`, an output, begins unset. Its written bytes are recorded in `written`.
  void begins_unset(const Region& region, std::shared_ptr<WrittenBytes> written);
  // The memory that a DeviceHeap hands out. It has to be mapped before the first allocation. A heap
  // region is created without an address, then put at its address, and later taken from there.
  [[nodiscard]] std::uint8_t* heap() const { return shared() + shared_bytes; }
  [[nodiscard]] bool is_in_heap(std::uint64_t address) const {
    return address - reinterpret_cast<std::uint64_t>(heap()) < heap_bytes;
  }
  // Returns false if the machine is out of memory.
  [[nodiscard]] bool map_heap() const;
  [[nodiscard]] Region& new_heap_region();
  void put_in_heap(Region& region);
  void take_from_heap(const Region& region);
  // Registers a region whose memory exists already.
  const Region& add(Region region);

  // Returns all regions except those of the heap.
  [[nodiscard]] const std::deque<Region>& regions() const { return regions_; }
  // Returns the regions of the heap. A region that has ended has size 0.
  [[nodiscard]] const std::deque<Region>& heap_regions() const { return in_heap_; }
  // Returns the region whose bytes or red zones hold this address, or nullptr. In the heap, returns
  // the last region whose red zone begins at or before the address.
  [[nodiscard]] const Region* find(std::uint64_t address) const;
  // Returns the region that an access outside of all regions was most likely meant for: the nearest
  // one. An unsigned 32-bit index that went below zero counts as one before the first element.
  // Regions with unknown element size use `element_bytes`. Stacks and the heap are not considered.
  // Returns nullptr if there are no other regions.
  [[nodiscard]] const Region* nearest(std::uint64_t address, std::uint32_t element_bytes) const;

 private:
  struct Unmap {
    void operator()(void* reserved) const;
  };

  static Result<Window> in_reserved(void* reserved);
  [[nodiscard]] std::uint8_t* stacks() const { return begin_ + size_; }

  std::unique_ptr<void, Unmap> reserved_;
  std::uint8_t* host_stack_ = nullptr;
  std::uint8_t* begin_ = nullptr;
  std::uint64_t size_ = 0;
  std::uint64_t next_buffer_ = 0;  // offset in the window
  std::uint64_t program_begin_ =
      ~std::uint64_t{0};  // address of a program's memory, if there is one
  std::uint32_t next_id_ = 0;
  std::deque<Region> regions_, in_heap_;  // a deque, because callers keep pointers to elements
  std::map<std::uint64_t, Region*> heap_by_address_, program_by_address_;
};

// Returns whether the address is in the used part of the lane's stack that contains `above`: from
// `above` to the stack's end.
[[nodiscard]] inline bool is_of_own_stack(std::uint64_t address, std::uint64_t above) {
  const std::uint64_t end = (above | (Window::stack_bytes - 1)) + 1;
  return address >= above && address < end;
}

}  // namespace histolab::kernels::emulator
