#include "kernels/emulator/memory/window.h"

#include <fmt/format.h>
#include <sys/mman.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <iterator>

#include "kernels/program/memory_layout.h"

namespace histolab::kernels::emulator {
namespace {

constexpr std::uint64_t page = 4096;
constexpr std::uint64_t gib = 1ull << 30;
constexpr std::uint64_t reserved_bytes = 64 * gib;
constexpr std::uint64_t buffer_red_zone = 64 * 1024;
constexpr std::uint64_t buffer_spacing = 1 * gib;    // unmapped on both sides of each buffer
constexpr std::uint64_t max_buffer_bytes = 4 * gib;  // offsets in a region have 32 bits

Error failed(const char* what) {
  return Error{
      fmt::format("cannot set up the kernel's memory: {}: {}", what, std::strerror(errno))};
}

}  // namespace

Result<Window> Window::reserve() {
  constexpr int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
  // Half a GiB behind this program's code, if that range is free. A kernel there can call the
  // runtime directly, and the process's heap has room to grow.
  const auto code = reinterpret_cast<std::uint64_t>(&Window::reserve);
  void* near = reinterpret_cast<void*>(round_up(code, 1 << 20) + gib / 2);
  void* reserved = mmap(near, reserved_bytes, PROT_NONE, flags | MAP_FIXED_NOREPLACE, -1, 0);
  if (reserved == MAP_FAILED) reserved = mmap(nullptr, reserved_bytes, PROT_NONE, flags, -1, 0);
  if (reserved == MAP_FAILED) return failed("reserving addresses");
  return in_reserved(reserved);
}

Result<Window> Window::reserve_for_program() {
  void* const reserved =
      mmap(reinterpret_cast<void*>(program::program_window_begin), reserved_bytes, PROT_NONE,
           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
  if (reserved == MAP_FAILED) return failed("reserving a program's addresses");
  Window window = TRY(in_reserved(reserved));
  window.program_begin_ = program::program_memory_begin - program::program_red_zone;
  static_assert(program::program_memory_begin >= program::program_window_begin + host_stack_bytes +
                                                     (3 << 20) + image_bytes + shared_bytes +
                                                     heap_bytes + program::program_red_zone);
  static_assert(program::program_memory_begin + program::program_memory_bytes +
                    program::program_red_zone <
                program::program_window_begin + reserved_bytes - 2 * max_stacks * stack_bytes);
  static_assert(program::most_allocation_bytes <= max_buffer_bytes);
  return window;
}

Result<Window> Window::in_reserved(void* reserved) {
  Window window;
  window.reserved_.reset(reserved);
  const auto start = round_up(reinterpret_cast<std::uint64_t>(reserved), 1 << 20);
  window.host_stack_ = reinterpret_cast<std::uint8_t*>(start);
  window.begin_ = window.host_stack_ + host_stack_bytes + (1 << 20);
  // Aligned, so that the color of a stack follows from any address in it.
  constexpr std::uint64_t aligned = stack_colors * stack_bytes;
  const std::uint64_t stacks =
      (reinterpret_cast<std::uint64_t>(reserved) + reserved_bytes - max_stacks * stack_bytes) /
      aligned * aligned;
  window.size_ = stacks - window.begin();
  window.next_buffer_ = round_up(image_bytes + shared_bytes + heap_bytes, gib) + buffer_spacing;
  if (mprotect(window.host_stack_, host_stack_bytes, PROT_READ | PROT_WRITE) != 0 ||
      mprotect(window.begin_, image_bytes + shared_bytes, PROT_READ | PROT_WRITE) != 0)
    return failed("mapping the kernel's image");
  Region local;
  local.role = Region::Role::local;
  local.space = Space::local;
  local.begin = window.stacks();
  local.size = max_stacks * stack_bytes;
  window.add(std::move(local));
  return window;
}

void Window::Unmap::operator()(void* reserved) const { munmap(reserved, reserved_bytes); }

bool Window::is_below_a_stack(std::uint64_t address) const {
  const std::uint64_t distance = address - reinterpret_cast<std::uint64_t>(stacks());
  if (distance >= max_stacks * stack_bytes) return false;
  const std::uint64_t from_top =
      reinterpret_cast<std::uint64_t>(stack_top(distance / stack_bytes)) - address;
  return from_top > usable_stack_bytes - 4096 && from_top <= stack_bytes;
}

bool Window::map_stack(std::uint64_t i) const {
  return mprotect(stacks() + i * stack_bytes + stack_guard_bytes, stack_bytes - stack_guard_bytes,
                  PROT_READ | PROT_WRITE) == 0;
}

bool Window::map_stacks(std::uint64_t count) const {
  if (mprotect(stacks(), count * stack_bytes, PROT_READ | PROT_WRITE) != 0) return false;
  madvise(stacks(), count * stack_bytes, MADV_NOHUGEPAGE);  // each stack touches only a few pages
  return true;
}

Result<const Region*> Window::map_buffer(Region::Role role, const std::string& name,
                                         std::uint32_t element_bytes, std::uint64_t bytes, int fd,
                                         bool shared_with_owner, std::uint32_t offset) {
  const auto mapped = round_up(std::min(bytes, max_buffer_bytes), page);
  if (bytes > max_buffer_bytes || next_buffer_ + mapped + 2 * buffer_spacing > size_)
    return Error{
        fmt::format("{} bytes for {} do not fit into the emulator's memory: it holds {} bytes in "
                    "all, {} in one buffer",
                    bytes, name, size_, max_buffer_bytes)};
  std::uint8_t* begin = begin_ + next_buffer_;
  if (mprotect(begin - buffer_red_zone, mapped + 2 * buffer_red_zone, PROT_READ | PROT_WRITE) != 0)
    return failed("mapping a buffer");
  if (fd >= 0 && bytes > 0) {
    const int sharing = shared_with_owner ? MAP_SHARED : MAP_PRIVATE;
    if (mmap(begin, bytes, PROT_READ | PROT_WRITE, sharing | MAP_FIXED | MAP_POPULATE, fd, 0) ==
        MAP_FAILED)
      return failed("mapping a buffer's file");
  }
  next_buffer_ += round_up(mapped, buffer_spacing) + buffer_spacing;
  Region region;
  region.role = role;
  region.name = name;
  region.begin = begin + offset;
  region.size = bytes - offset;
  region.askew = offset % 32;
  region.element_bytes = element_bytes;
  region.red_zone_before = buffer_red_zone + offset;
  region.red_zone_after = mapped - bytes + buffer_red_zone;
  return &add(std::move(region));
}

Status Window::map_program_file(int fd, std::uint64_t begin, std::uint64_t end) {
  const std::uint64_t from = begin / page * page;
  if (mmap(reinterpret_cast<void*>(program::program_memory_begin + from),
           round_up(end, page) - from, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, fd,
           static_cast<off_t>(from)) == MAP_FAILED)
    return failed("mapping a program's memory");
  return Done{};
}

const Region& Window::add(Region region) {
  region.id = next_id_++;
  Region& added = regions_.emplace_back(std::move(region));
  if (added.address() >= program_begin_ && added.role != Region::Role::local)
    program_by_address_[added.address() - added.red_zone_before] = &added;
  return added;
}

void Window::record_reads(const Region& region, std::shared_ptr<ReadBytes> read) {
  for (Region& known : regions_)
    if (&known == &region) known.read = std::move(read);
}

void Window::begins_unset(const Region& region, std::shared_ptr<WrittenBytes> written) {
  for (Region& known : regions_)
    if (&known == &region) known.written = std::move(written);
}

bool Window::map_heap() const { return mprotect(heap(), heap_bytes, PROT_READ | PROT_WRITE) == 0; }

Region& Window::new_heap_region() {
  Region& region = in_heap_.emplace_back();
  region.id = next_id_++;
  return region;
}

void Window::put_in_heap(Region& region) {
  heap_by_address_[region.address() - region.red_zone_before] = &region;
}
void Window::take_from_heap(const Region& region) {
  heap_by_address_.erase(region.address() - region.red_zone_before);
}

const Region* Window::find(std::uint64_t address) const {
  const auto last_before = [&](const std::map<std::uint64_t, Region*>& by_address) {
    const auto behind = by_address.upper_bound(address);
    return behind == by_address.begin() ? nullptr : std::prev(behind)->second;
  };
  const auto is_in = [&](const Region& region) {
    const auto zone_begin = region.address() - region.red_zone_before;
    return address - zone_begin < region.red_zone_before + region.size + region.red_zone_after;
  };
  if (is_in_heap(address)) return last_before(heap_by_address_);
  if (address >= program_begin_ && address < reinterpret_cast<std::uint64_t>(stacks())) {
    const Region* const region = last_before(program_by_address_);
    return region != nullptr && is_in(*region) ? region : nullptr;
  }
  for (const Region& region : regions_)
    if (is_in(region)) return &region;
  return nullptr;
}

const Region* Window::nearest(std::uint64_t address, std::uint32_t element_bytes) const {
  const Region* best = nullptr;
  std::uint64_t best_distance = ~0ull;
  for (const Region& region : regions_) {
    if (region.role == Region::Role::local) continue;
    const auto begin = region.address(), end = begin + region.size;
    const auto distance_of = [&](std::uint64_t a) {
      return a < begin ? begin - a : a < end ? 0 : a - end + 1;
    };
    const std::uint64_t wrap =
        (region.element_bytes != 0 ? region.element_bytes : element_bytes) * (4 * gib);
    const auto distance = std::min(distance_of(address), distance_of(address - wrap));
    if (distance < best_distance) {
      best = &region;
      best_distance = distance;
    }
  }
  return best;
}

}  // namespace histolab::kernels::emulator
