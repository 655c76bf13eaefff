// Disguise: other contents of a program's device memory while a kernel runs.
//
// A program can compute a result on the host and print it. If its kernels see other data, and it
// does not print the result of these, then its result does not come from kernels.
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
  // Gives each byte that is not 0 the value `byte`.
  [[nodiscard]] static Result<Disguise> put_on(ProgramMemoryFiles& files,
                                               std::vector<ByteRange> parts, std::uint8_t byte);
  // Gives each byte its former value, except those that have changed since.
  [[nodiscard]] Status take_off(ProgramMemoryFiles& files) const;

 private:
  struct Part {
    std::uint64_t offset = 0;
    std::vector<std::uint8_t> former;
  };
  Disguise(std::vector<Part> parts, std::uint8_t byte) : parts_(std::move(parts)), byte_(byte) {}

  std::vector<Part> parts_;
  std::uint8_t byte_;
};

}  // namespace histolab::kernels::program
