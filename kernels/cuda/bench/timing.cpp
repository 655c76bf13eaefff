#include "kernels/cuda/bench/timing.h"

#include <algorithm>

#include "reference/statistics.h"

namespace histolab::kernels::cuda::bench {
namespace {

constexpr double slow_ms = 20;
constexpr unsigned few_runs = 3;

// Marks the contenders whose median exceeds slow_ms or `near` times the smallest median.
std::vector<bool> slower_than(double near, const std::vector<Measured>& all) {
  std::vector<double> medians;
  for (const Measured& measured : all) medians.push_back(reference::median(measured.samples_ms));
  const double most = std::min(slow_ms, near * *std::min_element(medians.begin(), medians.end()));
  std::vector<bool> slower;
  for (const double median : medians) slower.push_back(median > most);
  return slower;
}

}  // namespace

Timer::Timer(const gpu::GpuFacts& facts)
    : dirty_(facts.l2_bytes), cold_(facts), histogram_(max_bins * sizeof(Count)) {}

template <class F>
double Timer::timed(F&& work) {
  dirty_();
  return cold_.ms(std::forward<F>(work));
}

double Timer::read_ms(const void* data, std::size_t bytes) {
  dirty_();
  return cold_.read_ms(data, bytes);
}

double Timer::copy_ms(void* data, std::size_t bytes) {
  return timed([&] {
    gpu::check(cudaMemcpyAsync(static_cast<char*>(data) + bytes, data, bytes,
                               cudaMemcpyDeviceToDevice, nullptr),
               "copy on the GPU");
  });
}

bool Timer::equals(const Contender& contender, const std::vector<Count>& expected) {
  const auto same = [&]<class T>(T) {
    std::vector<T> got(expected.size());
    gpu::check(
        cudaMemcpy(got.data(), histogram_.as(), got.size() * sizeof(T), cudaMemcpyDeviceToHost),
        "copy a histogram from the GPU");
    return std::equal(got.begin(), got.end(), expected.begin(),
                      [](T a, Count b) { return a == b; });
  };
  return contender.result_type == ResultType::count64 ? same(Count{}) : same(std::uint32_t{});
}

double Timer::warm_ms(const Contender& contender, unsigned runs) {
  std::vector<double> times;
  for (unsigned run = 0; run <= runs; ++run) {
    before_.record();
    contender.run(histogram_.as(), nullptr);
    after_.record();
    after_.wait();
    if (run > 0) times.push_back(after_.ms_since(before_));
  }
  return reference::median(times);
}

Timer::Result Timer::in_turns(const std::vector<Contender>& contenders, const Problem& problem,
                              const std::vector<Count>& expected, unsigned runs, double near) {
  Result result;
  result.contenders.resize(contenders.size());
  const std::size_t bytes = problem.length * bytes_of(problem.type);
  std::vector<bool> dropped(contenders.size());
  for (unsigned round = 0; round <= runs; ++round) {
    if (round == few_runs + 1) dropped = slower_than(near, result.contenders);
    const double read = read_ms(problem.samples, bytes);
    if (round > 0) result.read_ms.push_back(read);
    for (std::size_t i = 0; i < contenders.size(); ++i) {
      Measured& measured = result.contenders[i];
      if (dropped[i]) continue;
      gpu::check(cudaMemset(histogram_.as(), 0xa5, histogram_.bytes()), "poison a histogram");
      const double ms = timed([&] { contenders[i].run(histogram_.as(), nullptr); });
      measured.verified = measured.verified && equals(contenders[i], expected);
      if (round > 0) measured.samples_ms.push_back(ms);
    }
  }
  return result;
}

}  // namespace histolab::kernels::cuda::bench
