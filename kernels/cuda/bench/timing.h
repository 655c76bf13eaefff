// Times that one can defend: contenders in turns, from memory, each result checked.
//
// A round runs the read limit and then every contender once, so that drift of the clock or the memory's temperature
// meets all of them alike. Before each launch the results are poisoned and the L2 is filled with other, clean lines
// (cold_timer.h). Afterwards the result is compared with the reference's; that happens for every
// launch, the timed ones included.
#pragma once

#include <string>
#include <vector>

#include "kernels/cuda/bench/contenders.h"
#include "kernels/cuda/cold_timer.h"
#include "kernels/gpu/runtime.h"

namespace histolab::kernels::cuda::bench {

struct Measured {
  std::vector<double> samples_ms;
  bool verified = true;
};

class Timer {
 public:
  explicit Timer(const gpu::GpuFacts& facts);

  // Read-only, of so many bytes at `data`.
  [[nodiscard]] double read_ms(const void* data, std::size_t bytes);
  // Device to device, `bytes` from the first half of `data` to the second.
  [[nodiscard]] double copy_ms(void* data, std::size_t bytes);

  struct Result {
    std::vector<double> read_ms;
    std::vector<Measured> contenders;
  };
  // `runs` rounds after one that is not counted. After three rounds a contender drops out if it takes more than 20 ms, or
  // more than `near` times as long as the fastest one.
  [[nodiscard]] Result in_turns(const std::vector<Contender>& contenders, const Problem& problem,
                                const std::vector<Count>& expected, unsigned runs, double near);

  // The median of `runs` launches that nothing is flushed before and whose result nobody looks at, after one that is
  // not counted.
  [[nodiscard]] double warm_ms(const Contender& contender, unsigned runs);

 private:
  template <class F>
  double timed(F&& work);
  bool equals(const Contender& contender, const std::vector<Count>& expected);

  gpu::L2Flush dirty_;
  ColdTimer cold_;
  gpu::DeviceMemory histogram_;
  gpu::Event before_, after_;  // of what is timed warm
};

}  // namespace histolab::kernels::cuda::bench
