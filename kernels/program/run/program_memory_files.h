// ProgramMemoryFiles: the two files of a program's device memory (memory_layout.h).
//
// They are anonymous and sparse. Their sizes are sealed: the program cannot shrink them under this
// process's mapping.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "kernels/program/description/description.h"
#include "kernels/worker/processes/descriptor.h"
#include "reference/result.h"

namespace histolab::kernels::program {

class ProgramMemoryFiles {
 public:
  // `bytes`: size of the memory, at most program_memory_bytes.
  static Result<ProgramMemoryFiles> make(std::uint64_t bytes);
  // Makes an empty memory file of the same size. It has no file of written bytes.
  [[nodiscard]] Result<ProgramMemoryFiles> make_similar() const;
  ProgramMemoryFiles(ProgramMemoryFiles&& other) noexcept
      : memory_(std::move(other.memory_)),
        written_(std::move(other.written_)),
        bits_(std::exchange(other.bits_, {})),
        contents_(std::exchange(other.contents_, {})) {}
  ProgramMemoryFiles& operator=(ProgramMemoryFiles&&) = delete;
  ~ProgramMemoryFiles();

  [[nodiscard]] int memory() const { return memory_.get(); }
  // Opens the memory file again, for the program: flags that it sets (O_APPEND) do not hold for the
  // descriptors of this process.
  [[nodiscard]] Result<worker::Descriptor> open_memory() const;
  [[nodiscard]] int written() const { return written_.get(); }
  // One bit per byte of the memory.
  [[nodiscard]] std::span<std::uint8_t> written_bits() const { return bits_; }
  // Writes bytes of the memory file. Does not mark them as written.
  [[nodiscard]] Status write(std::uint64_t offset, std::span<const std::uint8_t> bytes);
  // The bytes of the memory file in this range. Reading them makes memory of holes: see data_in().
  [[nodiscard]] std::span<const std::uint8_t> bytes(const ByteRange& range) const {
    return contents_.subspan(range.offset, range.bytes);
  }
  // Returns the first parts of `range`, at most `most_bytes` in all and 1 MiB each, that take up
  // memory. The other bytes are 0.
  [[nodiscard]] std::vector<ByteRange> data_in(const ByteRange& range,
                                               std::uint64_t most_bytes = ~std::uint64_t{0}) const;
  // Fills bytes of the memory file with a pattern, as the emulator fills memory that is not set.
  [[nodiscard]] Status fill(std::uint64_t offset, std::uint64_t bytes);
  // Gives the memory of these bytes back to the machine: they become 0, and not written. `offset`
  // is a multiple of 8, and no other bytes share the last 8.
  void release(std::uint64_t offset, std::uint64_t bytes) const;

 private:
  ProgramMemoryFiles() = default;
  worker::Descriptor memory_, written_;
  std::span<std::uint8_t> bits_, contents_;
};

}  // namespace histolab::kernels::program
