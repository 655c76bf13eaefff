// ProgramDescription: facts that a program's executable states about itself.
//
// The executable is untrusted: only a confined worker calls describe_program(). The parent process
// calls check_description() before it uses the result. Addresses are relative to the load base.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "kernels/emulator/code/function_parameters.h"
#include "kernels/program/state/program_facts.h"
#include "reference/result.h"

namespace histolab::kernels::program {

struct ByteRange {
  std::uint64_t offset = 0, bytes = 0;
};

// Static kernels of several files may share a symbol.
struct DescribedKernel {
  std::string symbol;         // its mangled name
  std::uint64_t address = 0;  // of its host function
  std::uint32_t object = 0;   // index of the device object that has it
  KernelFacts facts;
};

struct DescribedVariable {
  std::string symbol, name;             // the mangled name, and the one in the source
  std::uint64_t offset = 0, bytes = 0;  // offset in the section
  // Addresses of host variables with this symbol. Several: static variables of different files.
  std::vector<std::uint64_t> host = {};
};

// A section of a device object with variables. They keep their distances.
struct DescribedSection {
  std::uint32_t object = 0;
  std::uint64_t bytes = 0, alignment = 1;
  bool may_be_host = false;  // no kernel uses it
  ByteRange contents;        // in the executable; no bytes: all are 0
  std::vector<DescribedVariable> variables;
};

// The code from this address to the next one is of this line.
struct DescribedLine {
  std::uint64_t address = 0;
  std::uint32_t file = 0;  // number in `files`, from 1; 0 if the file is not the user's
  std::uint32_t line = 0;
};

struct ProgramDescription {
  std::vector<ByteRange> objects;  // device objects in the executable, in the order of the units
  std::vector<DescribedKernel> kernels;
  std::vector<DescribedSection> sections;
  ByteRange managed;  // the host's section of `__managed__` variables; `offset` is its address
  std::vector<std::string> files;
  std::vector<DescribedLine> lines;  // ascending

  // The line of the code before a return address. It has no file if it is unknown.
  [[nodiscard]] SourceLine line_of(std::uint64_t return_address) const;
};

// `library_folders`: files in these folders are not the user's. Returns an Error if the file is not
// an executable that build_program() made.
[[nodiscard]] Result<ProgramDescription> describe_program(
    std::span<const std::uint8_t> executable, std::span<const std::string> library_folders);

// Adds the places of a call's arguments. After a parameter of unknown size, places are unknown,
// too.
[[nodiscard]] std::vector<KernelParameter> parameters_with_places(
    std::span<const emulator::FunctionParameter> parameters);

// Checks that all offsets are within the executable, and all indices within their lists.
[[nodiscard]] bool check_description(const ProgramDescription& description,
                                     std::uint64_t executable_bytes);

}  // namespace histolab::kernels::program
