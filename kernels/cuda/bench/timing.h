// Reliable times: contenders run in turns, read from memory, and every result is checked.
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

  // Returns the time to read `bytes` bytes at `data`.
  [[nodiscard]] double read_ms(const void* data, std::size_t bytes);
  // Returns the time to copy `bytes` bytes on the device, from `data` to `data` + `bytes`.
  [[nodiscard]] double copy_ms(void* data, std::size_t bytes);

  struct Result {
    std::vector<double> read_ms;
    std::vector<Measured> contenders;
  };
  // Measures `runs` rounds, after one that is not counted. A round runs the read limit and then
  // every contender once, so drifts of clock and temperature affect all of them equally. Before
  // each launch, the results are poisoned and the L2 is filled with other, clean lines
  // (cold_timer.h). After every launch, the result is compared with `expected`. After three
  // counted rounds, a contender drops out if its median exceeds 20 ms or `near` times that of
  // the fastest one.
  [[nodiscard]] Result in_turns(const std::vector<Contender>& contenders, const Problem& problem,
                                const std::vector<Count>& expected, unsigned runs, double near);

  // Returns the median time of `runs` launches, after one that is not counted. The L2 is not
  // flushed, and the results are not checked.
  [[nodiscard]] double warm_ms(const Contender& contender, unsigned runs);

 private:
  template <class F>
  double timed(F&& work);
  bool equals(const Contender& contender, const std::vector<Count>& expected);

  gpu::L2Flush dirty_;
  ColdTimer cold_;
  gpu::DeviceMemory histogram_;
  gpu::Event before_, after_;  // for warm_ms()
};

}  // namespace histolab::kernels::cuda::bench
