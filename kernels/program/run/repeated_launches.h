// RepeatedLaunches: launches whose result is known, because an earlier launch had the same kernel,
// shape, arguments and memory. Benchmarks make many of them.
//
// A launch depends on nothing else: the emulator has no clock and no other source of chance. It
// does not depend on where an allocation is, either, unless memory contains addresses: many
// programs allocate in each round. Hashes of 128 bits are compared.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "kernels/program/description/description.h"
#include "kernels/program/run/program_memory_files.h"
#include "kernels/program/state/program_state.h"
#include "reference/result.h"

namespace histolab::kernels::program {

class RepeatedLaunches {
 public:
  // `files` must outlive the object.
  explicit RepeatedLaunches(ProgramMemoryFiles& files) : files_(files) {}

  struct Hash {
    std::uint64_t high = 0, low = 0;
    auto operator<=>(const Hash&) const = default;
  };
  struct Part {                           // of the memory, at most 1 MiB
    std::size_t range = 0;                // Its index in `memory`.
    std::uint64_t offset = 0, bytes = 0;  // In that range.
    auto operator<=>(const Part&) const = default;
  };
  // Everything that the result of a launch depends on.
  struct Inputs {
    std::vector<ByteRange> memory;
    std::map<Part, Hash> parts;
    bool has_addresses = false;  // The memory has values that could be addresses in it.
    Hash all;
  };
  // `memory` lists the variables and allocations of the memory file that the launch can use, in
  // the order in which they were made.
  [[nodiscard]] Inputs inputs_of(const KernelLaunch& launch, std::vector<ByteRange> memory) const;

  [[nodiscard]] bool knows(const Inputs& inputs) const { return known_.contains(inputs.all); }
  // Changes the memory as the known launch with these inputs did. Returns what it printed.
  [[nodiscard]] Result<std::string> repeat(const Inputs& inputs);
  // A launch with these inputs has completed. Keeps at most 512 MiB of results: a larger one is not
  // remembered, and older ones are forgotten.
  void remember(const Inputs& inputs, const std::string& printed);

 private:
  struct Known {
    struct Change {
      Part part;
      std::vector<std::uint8_t> bytes;
    };
    std::vector<Change> changes;
    std::string printed;
  };

  ProgramMemoryFiles& files_;
  std::map<Hash, Known> known_;
  std::uint64_t bytes_ = 0;  // of all changes
};

}  // namespace histolab::kernels::program
