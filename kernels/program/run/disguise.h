// Disguise: other contents of a program's device memory for one launch.
//
// A program can compute a result on the host and print it. If its kernels see other data, and it
// does not print the result of these, then its result does not come from kernels.
//
// The other data are in a copy of the memory file, which only the launch gets: the program's
// threads can read the file itself while a kernel runs.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "kernels/program/description/description.h"
#include "kernels/program/run/program_memory_files.h"
#include "reference/result.h"

namespace histolab::kernels::program {

class Disguise {
 public:
  // Copies `parts` of the memory. In the copy, each byte of `inputs` that is not 0 gets the value
  // `byte`; `inputs` are in `parts`. At most `left` bytes are copied, and the launch sees zeros
  // after them. `left` becomes smaller by the copied bytes.
  [[nodiscard]] static Result<Disguise> put_on(const ProgramMemoryFiles& files,
                                               std::vector<ByteRange> parts,
                                               const std::vector<ByteRange>& inputs,
                                               std::uint8_t byte, std::uint64_t& left);
  // Descriptor of the copy.
  [[nodiscard]] int memory() const { return seen_.memory(); }
  // Writes the bytes that have changed in the copy to the program's memory.
  [[nodiscard]] Status take_off(ProgramMemoryFiles& files) const;

 private:
  Disguise(std::vector<ByteRange> parts, ProgramMemoryFiles seen, ProgramMemoryFiles before)
      : parts_(std::move(parts)), seen_(std::move(seen)), before_(std::move(before)) {}

  std::vector<ByteRange> parts_;
  ProgramMemoryFiles seen_, before_;  // the copy, and its bytes before the launch
};

}  // namespace histolab::kernels::program
