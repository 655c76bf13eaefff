// Window: the one range of addresses that a kernel may touch, and the layout of that range.
//
// Every byte a kernel can reach is inside one reserved range: its own text and variables, shared
// memory, the stacks of its threads, and its buffers. So "is this access wild?" is one subtraction
// and one comparison before the access is made, and a kernel's stores cannot reach the worker's own
// data. The stacks are behind that range: each thread may touch its own, and no other (guards.h).
// Each variable is a Region with a mapped red zone on both sides: an access there is harmless, and
// is reported with its element. The space between red zones is not mapped.
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

// Rounds up to a multiple of `unit`. A `unit` of 0, as in a section without alignment, leaves the
// value as it is.
[[nodiscard]] inline std::uint64_t round_up(std::uint64_t value, std::uint64_t unit) { return unit < 2 ? value : (value + unit - 1) / unit * unit; }

struct Region {
  enum class Role { input, output, device_variable, constant, shared_static, shared_dynamic, local, heap };
  Role role = Role::input;
  Space space = Space::global;
  std::string name;
  std::uint8_t* begin = nullptr;
  std::uint64_t size = 0;           // bytes that may be accessed
  std::uint32_t askew = 0;          // input: bytes by which it begins behind a sector's border
  std::uint32_t element_bytes = 0;  // 0: not known; an access's own width then names the element
  std::uint64_t bank_base = 0;      // shared: byte offset in the block's shared memory as a GPU would lay it out
  std::uint32_t id = 0;             // no other region has it
  std::uint64_t red_zone_before = 0, red_zone_after = 0;
  bool is_const = false;            // device_variable: declared so
  bool is_freed = false;            // heap: a lane has called free, in line `freed_line`
  int freed_line = 0;
  std::uint64_t freed_bytes = 0;    // heap: not 0 when it has ended (device_heap.h); its size is 0 then
  std::uint32_t times_handed_out = 0;  // heap: what is known of earlier times says nothing of this one
  // Input: the bytes that were read so far; null if the launch does not record them.
  std::shared_ptr<ReadBytes> read = nullptr;
  std::shared_ptr<WrittenBytes> written = nullptr;  // of memory that begins unset; nullptr: all of it is set

  [[nodiscard]] std::uint64_t address() const { return reinterpret_cast<std::uint64_t>(begin); }
  // The bytes that may have notes. Includes bytes behind the end of freed memory, whose address may
  // come again for a little more.
  [[nodiscard]] std::uint64_t noted_bytes() const { return (size + freed_bytes + 15) / 16 * 16; }
  [[nodiscard]] bool holds(std::uint64_t at, std::uint64_t bytes) const { return at - address() < size && at - address() + bytes <= size; }
  [[nodiscard]] bool is_read_only() const { return role == Role::input || role == Role::constant || is_const; }
  [[nodiscard]] bool tracked_for_races() const { return !is_read_only() && role != Role::local; }
};

class Window {
 public:
  static constexpr std::uint64_t text_bytes = 64 * 1024;  // a site is the low 16 bits of a return address
  static constexpr std::uint64_t image_bytes = 16 << 20;
  static constexpr std::uint64_t shared_bytes = 16 << 20;
  // Bytes per thread. The lower part is not mapped, so no frame reaches from one thread's stack
  // into another's, unless the kernel's code shows that none could (AccessProof::is_shallow). The
  // stack is the kernel's from stack_top() down: no data of the runtime is in it while a kernel
  // runs there (lanes.h).
  static constexpr std::uint64_t stack_bytes = 512 * 1024;
  static constexpr std::uint64_t stack_guard_bytes = 256 * 1024;
  static constexpr std::uint64_t above_stack_top = 512;  // bytes: what a proof takes for arguments is then there (access_proof.h)
  static constexpr std::uint64_t stack_colors = 64, color_bytes = 7 * 64;
  static constexpr std::uint64_t usable_stack_bytes = stack_bytes - stack_guard_bytes - above_stack_top - stack_colors * color_bytes;
  static constexpr std::uint64_t max_stacks = 1024;
  static constexpr std::uint64_t heap_bytes = 64 << 20;  // addresses for what a kernel allocates
  static constexpr std::uint64_t host_stack_bytes = 1 << 20;

  static Result<Window> reserve();

  // The stack of the OS thread that runs blocks. Its thread-local storage is at its end, and the
  // kernel's `thread_local` shared memory must be within 2 GiB of that.
  [[nodiscard]] std::span<std::uint8_t> host_stack() const { return {host_stack_, host_stack_bytes}; }
  [[nodiscard]] std::uint8_t* image() const { return begin_; }
  [[nodiscard]] std::uint8_t* shared() const { return begin_ + image_bytes; }
  // One past the highest byte that stack `i` begins with; nothing of it is mapped before map_stack(i).
  // Staggered by cache lines: at equal distances all stacks would compete for the same few sets of the cache.
  [[nodiscard]] std::uint8_t* stack_top(std::uint64_t i) const { return stacks() + (i + 1) * stack_bytes - above_stack_top - i % stack_colors * color_bytes; }
  // Position of an offset in the region of all stacks: the same for one variable in each thread.
  [[nodiscard]] static constexpr std::uint32_t place_in_stack(std::uint32_t offset) {
    const std::uint64_t stack = offset / stack_bytes;
    return static_cast<std::uint32_t>(offset % stack_bytes + stack % stack_colors * color_bytes);
  }
  [[nodiscard]] bool is_below_a_stack(std::uint64_t address) const;  // beyond what a thread may use of its own
  [[nodiscard]] bool map_stack(std::uint64_t i) const;  // false: the machine has no memory
  // Maps the first `count` at once and with nothing unmapped between them, for a kernel that stays
  // in the upper part of each.
  [[nodiscard]] bool map_stacks(std::uint64_t count) const;

  [[nodiscard]] std::uint64_t begin() const { return reinterpret_cast<std::uint64_t>(begin_); }
  [[nodiscard]] std::uint64_t size() const { return size_; }

  // Maps a buffer of `bytes` (4 GiB at most) with red zones: the file's bytes when `fd` >= 0 (shared with its other
  // owners or private to this process), else zeroed memory. Its first `offset` bytes belong to the red zone.
  Result<const Region*> map_buffer(Region::Role role, const std::string& name, std::uint32_t element_bytes,
                                   std::uint64_t bytes, int fd, bool shared_with_owner, std::uint32_t offset = 0);
  // Records in `read` the bytes that are read from `region`, an input.
  void record_reads(const Region& region, std::shared_ptr<ReadBytes> read);
  // `region` is an output. Its written bytes are recorded in `written`.
  void begins_unset(const Region& region, std::shared_ptr<WrittenBytes> written);
  // The memory that a DeviceHeap hands out, to be mapped before the first allocation. A region of
  // it is first created without an address, then put at its address, and later taken from there.
  [[nodiscard]] std::uint8_t* heap() const { return shared() + shared_bytes; }
  [[nodiscard]] bool is_in_heap(std::uint64_t address) const { return address - reinterpret_cast<std::uint64_t>(heap()) < heap_bytes; }
  [[nodiscard]] bool map_heap() const;  // false: the machine has no memory
  [[nodiscard]] Region& new_heap_region();
  void put_in_heap(Region& region);
  void take_from_heap(const Region& region);
  // Registers a region whose memory exists already.
  const Region& add(Region region);

  [[nodiscard]] const std::deque<Region>& regions() const { return regions_; }  // without those of the heap
  [[nodiscard]] const std::deque<Region>& heap_regions() const { return in_heap_; }       // what was freed has no size
  // Returns the region whose bytes or red zones hold this address, or nullptr.
  [[nodiscard]] const Region* find(std::uint64_t address) const;
  // Returns the region that an access outside of all regions was most likely meant for: the nearest
  // one. An unsigned 32-bit index that went below zero counts as one before the first element.
  // Returns nullptr without regions. `element_bytes` is used for regions that do not know theirs.
  [[nodiscard]] const Region* nearest(std::uint64_t address, std::uint32_t element_bytes) const;

 private:
  struct Unmap {
    void operator()(void* reserved) const;
  };

  [[nodiscard]] std::uint8_t* stacks() const { return begin_ + size_; }

  std::unique_ptr<void, Unmap> reserved_;
  std::uint8_t* host_stack_ = nullptr;
  std::uint8_t* begin_ = nullptr;
  std::uint64_t size_ = 0;
  std::uint64_t next_buffer_ = 0;  // offset in the window
  std::uint32_t next_id_ = 0;
  std::deque<Region> regions_, in_heap_;  // addresses of elements are stable
  std::map<std::uint64_t, Region*> heap_by_address_;
};

// Whether the address is in the part of a lane's stack that is in use: from `above` to its end.
[[nodiscard]] inline bool is_of_own_stack(std::uint64_t address, std::uint64_t above) {
  const std::uint64_t end = (above | (Window::stack_bytes - 1)) + 1;
  return address >= above && address < end;
}

}  // namespace histolab::kernels::emulator
