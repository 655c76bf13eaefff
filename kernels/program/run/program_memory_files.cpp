#include "kernels/program/run/program_memory_files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <vector>

#include "kernels/program/memory_layout.h"
#include "kernels/program/state/written_bits.h"

namespace histolab::kernels::program {
namespace {

Result<worker::Descriptor> sealed_file(const char* name, std::uint64_t bytes) {
  worker::Descriptor file(memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING));
  if (file.get() < 0 || ftruncate(file.get(), static_cast<off_t>(bytes)) != 0 ||
      fcntl(file.get(), F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0)
    return Error{fmt::format("cannot make a program's memory: {}", std::strerror(errno))};
  return file;
}

Result<std::span<std::uint8_t>> map(const worker::Descriptor& file, std::uint64_t bytes,
                                    int protection) {
  void* const begin = mmap(nullptr, bytes, protection, MAP_SHARED | MAP_NORESERVE, file.get(), 0);
  if (begin == MAP_FAILED)
    return Error{fmt::format("cannot map a program's memory: {}", std::strerror(errno))};
  return std::span(static_cast<std::uint8_t*>(begin), bytes);
}

}  // namespace

Result<ProgramMemoryFiles> ProgramMemoryFiles::make(std::uint64_t bytes) {
  ProgramMemoryFiles files;
  files.memory_ = TRY(sealed_file("device memory", bytes));
  files.written_ = TRY(sealed_file("written bytes", bytes / 8));
  files.bits_ = TRY(map(files.written_, bytes / 8, PROT_READ | PROT_WRITE));
  files.contents_ = TRY(map(files.memory_, bytes, PROT_READ));
  return files;
}

Result<ProgramMemoryFiles> ProgramMemoryFiles::make_similar() const {
  ProgramMemoryFiles files;
  files.memory_ = TRY(sealed_file("disguised device memory", contents_.size()));
  files.contents_ = TRY(map(files.memory_, contents_.size(), PROT_READ));
  return files;
}

Result<worker::Descriptor> ProgramMemoryFiles::open_memory() const {
  worker::Descriptor opened(
      open(fmt::format("/proc/self/fd/{}", memory_.get()).c_str(), O_RDWR | O_CLOEXEC));
  if (opened.get() < 0)
    return Error{fmt::format("cannot open a program's memory: {}", std::strerror(errno))};
  return opened;
}

ProgramMemoryFiles::~ProgramMemoryFiles() {
  for (const std::span<std::uint8_t> each : {bits_, contents_})
    if (!each.empty()) munmap(each.data(), each.size());
}

Status ProgramMemoryFiles::write(std::uint64_t offset, std::span<const std::uint8_t> bytes) {
  while (!bytes.empty()) {
    const ssize_t n = pwrite(memory_.get(), bytes.data(), bytes.size(), static_cast<off_t>(offset));
    if (n <= 0) return Error{fmt::format("cannot write a program's memory: {}", strerror(errno))};
    bytes = bytes.subspan(static_cast<std::size_t>(n));
    offset += static_cast<std::uint64_t>(n);
  }
  return Done{};
}

std::vector<ByteRange> ProgramMemoryFiles::data_in(const ByteRange& range,
                                                   std::uint64_t most_bytes) const {
  constexpr std::uint64_t most_of_one = 1 << 20, page = 4096;
  std::vector<ByteRange> parts;
  const std::uint64_t end = range.offset + range.bytes;
  for (std::uint64_t at = range.offset; at < end && most_bytes > 0;) {
    const off_t data = lseek(memory_.get(), static_cast<off_t>(at), SEEK_DATA);
    if (data < 0 || static_cast<std::uint64_t>(data) >= end) break;
    at = static_cast<std::uint64_t>(data);
    const off_t hole = lseek(memory_.get(), data, SEEK_HOLE);
    // The program may give the memory back meanwhile: there is a hole at `data` then.
    const std::uint64_t data_end =
        std::min(std::max(static_cast<std::uint64_t>(hole), at + page), end);
    // Looking for the hole again from each part would take quadratic time.
    while (at < data_end && most_bytes > 0) {
      const std::uint64_t bytes = std::min({data_end - at, most_of_one, most_bytes});
      parts.push_back({at, bytes});
      most_bytes -= bytes;
      at += bytes;
    }
  }
  return parts;
}

Status ProgramMemoryFiles::fill(std::uint64_t offset, std::uint64_t bytes) {
  static const std::vector<std::uint8_t> pattern(1 << 16, 0xcd);
  for (std::uint64_t at = 0; at < bytes; at += pattern.size())
    TRY(write(offset + at,
              std::span(pattern).first(std::min<std::uint64_t>(pattern.size(), bytes - at))));
  return Done{};
}

void ProgramMemoryFiles::release(std::uint64_t offset, std::uint64_t bytes) const {
  const auto punch = [](const worker::Descriptor& file, std::uint64_t from, std::uint64_t count) {
    return fallocate(file.get(), FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
                     static_cast<off_t>(from), static_cast<off_t>(count)) == 0;
  };
  // If this fails, the memory is only kept for longer.
  static_cast<void>(punch(memory_, offset, bytes));
  // Clearing the bits one by one would fill the parts that nothing has written.
  if (!punch(written_, offset / 8, (bytes + 7) / 8)) WrittenBits(bits_).set(offset, bytes, false);
}

}  // namespace histolab::kernels::program
