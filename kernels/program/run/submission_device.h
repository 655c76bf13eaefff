// The device for submissions: the emulator, which also runs whole programs.
//
// A submission is a program if its signatures say so (KernelSignature::is_of_program). A launch
// then runs the whole program. Its standard input is the data, its argument is the number of
// threads per block. It must print this and nothing else, for a histogram of two bins:
//
//   bin 0: 17
//   bin 1: 4
//   kernel: 0.0061 ms
//
// The program is untrusted. Its output is text, which the caller compares with the expected counts.
// Findings and counters are those of its kernels and calls; a leak is an error. A second run shows
// whether the counts come from kernels (disguise.h). If they do not, all data is unread. In a third
// run, calls of one kind fail, and the program should notice.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "kernels/device.h"
#include "kernels/worker/compiling/emulator_paths.h"

namespace histolab::kernels::program {

struct ProgramParts {
  std::string runtime_library;  // path of libhistolab_cudart.a
  // As in ProgramSettings.
  std::function<double(const Observation& observation, std::uint64_t bytes)> modelled_ms;
};

[[nodiscard]] std::unique_ptr<Device> make_submission_device(EmulatorPaths paths,
                                                             ProgramParts parts);

}  // namespace histolab::kernels::program
