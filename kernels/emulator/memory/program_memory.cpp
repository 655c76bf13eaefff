#include "kernels/emulator/memory/program_memory.h"

#include <fmt/format.h>
#include <sys/mman.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <optional>
#include <utility>

#include "kernels/program/memory_layout.h"

namespace histolab::kernels::emulator {
namespace {

constexpr std::uint64_t bytes_per_page = 4096;

bool is_valid(std::uint64_t offset, std::uint64_t bytes) {
  return bytes > 0 && bytes <= program::most_allocation_bytes &&
         offset >= program::program_red_zone &&
         offset <= program::program_memory_bytes - program::program_red_zone - bytes;
}

Error invalid() { return Error{"a program's memory has a part with an invalid offset or size"}; }

// Returns the offsets in the memory file that all parts and their red zones take up. Returns an
// Error if a part is invalid.
Result<std::pair<std::uint64_t, std::uint64_t>> used_part(const ProgramMemory& memory) {
  std::uint64_t begin = ~std::uint64_t{0}, end = 0;
  const auto add = [&](std::uint64_t offset, std::uint64_t bytes) {
    if (!is_valid(offset, bytes)) return false;
    begin = std::min(begin, offset - program::program_red_zone);
    end = std::max(end, offset + bytes + program::program_red_zone);
    return true;
  };
  for (const ProgramVariable& variable : memory.variables)
    if (!add(variable.offset, variable.bytes)) return invalid();
  for (const ProgramAllocation& allocation : memory.allocations)
    if (!add(allocation.offset, allocation.bytes) ||
        allocation.offset % program::allocation_alignment != 0)
      return invalid();
  return std::pair{std::min(begin, end), end};
}

// The bits of all bytes from `begin` to `end`, two offsets in the memory file.
class MappedBits {
 public:
  static Result<std::shared_ptr<MappedBits>> map(int fd, std::uint64_t begin, std::uint64_t end) {
    auto made = std::make_shared<MappedBits>();
    made->from_ = begin / 8 / bytes_per_page * bytes_per_page;
    made->bytes_ = round_up(end, 64) / 8 - made->from_;
    void* const mapped = mmap(nullptr, made->bytes_, PROT_READ | PROT_WRITE, MAP_SHARED, fd,
                              static_cast<off_t>(made->from_));
    if (mapped == MAP_FAILED)
      return Error{fmt::format("cannot map the written bytes of a program's memory: {}",
                               std::strerror(errno))};
    made->mapped_ = static_cast<std::uint8_t*>(mapped);
    return made;
  }
  MappedBits() = default;
  MappedBits(const MappedBits&) = delete;
  MappedBits& operator=(const MappedBits&) = delete;
  ~MappedBits() {
    if (mapped_ != nullptr) munmap(mapped_, bytes_);
  }
  // `offset`: in the memory file, a multiple of 64.
  [[nodiscard]] std::uint64_t* at(std::uint64_t offset) const {
    return reinterpret_cast<std::uint64_t*>(mapped_ + (offset / 8 - from_));
  }

 private:
  std::uint8_t* mapped_ = nullptr;
  std::uint64_t from_ = 0, bytes_ = 0;
};

}  // namespace

Result<WrittenOfAllocations> map_program_memory(const ProgramMemory& memory, Window& window) {
  const auto [begin, end] = TRY(used_part(memory));
  WrittenOfAllocations written;
  if (begin == end) return written;
  TRY(window.map_program_file(memory.fd, begin, end));
  const auto bits = TRY(MappedBits::map(memory.written_fd, begin, end));
  for (const ProgramAllocation& allocation : memory.allocations) {
    Region region;
    region.role = Region::Role::output;
    region.name = allocation.name;
    region.begin =
        reinterpret_cast<std::uint8_t*>(program::program_memory_begin + allocation.offset);
    region.element_bytes = allocation.element_bytes;
    region.red_zone_before = region.red_zone_after = program::program_red_zone;
    region.is_freed = allocation.is_freed;
    region.freed_at = allocation.freed_at;
    region.is_only_read = allocation.pointers == PointersInto::to_const;
    region.is_too_large = allocation.is_too_large;
    (allocation.is_freed ? region.freed_bytes : region.size) = allocation.bytes;
    if (allocation.is_freed) region.red_zone_after += allocation.bytes;
    written.emplace_back();
    if (!allocation.is_freed && allocation.written != WrittenState::all) {
      std::optional<std::uint64_t> left;
      if (allocation.written == WrittenState::none) left = allocation.bytes;
      struct Written {
        std::shared_ptr<MappedBits> bits;
        WrittenBytes bytes;
      };
      const auto made = std::shared_ptr<Written>(
          new Written{bits, WrittenBytes(bits->at(allocation.offset), allocation.bytes, left)});
      region.written = written.back() = std::shared_ptr<WrittenBytes>(made, &made->bytes);
    }
    window.add(std::move(region));
  }
  return written;
}

std::vector<WrittenState> written_states(const ProgramMemory& memory,
                                         const WrittenOfAllocations& written) {
  std::vector<WrittenState> states;
  for (std::size_t i = 0; i < memory.allocations.size(); ++i) {
    const ProgramAllocation& allocation = memory.allocations[i];
    if (i >= written.size() || written[i] == nullptr)
      states.push_back(allocation.written);
    else if (written[i]->all())
      states.push_back(WrittenState::all);
    else
      states.push_back(written[i]->left() == allocation.bytes ? WrittenState::none
                                                              : WrittenState::some);
  }
  return states;
}

}  // namespace histolab::kernels::emulator
