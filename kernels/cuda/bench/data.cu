#include "kernels/cuda/bench/data.h"

#include <cmath>
#include <numeric>
#include <stdexcept>

#include "kernels/cuda/binning.cuh"
#include "kernels/gpu/runtime.h"

namespace histolab::kernels::cuda::bench {
namespace {

constexpr std::size_t run_segment = 65536;

enum class Shape { uniform, zipf, constant, two_bins, runs, sorted, adversary };

// SplitMix64's mixing function, applied to a counter: the same number at position i
// in every launch.
__device__ std::uint64_t random_at(std::uint64_t seed, std::uint64_t i) {
  std::uint64_t z = seed + (i + 1) * 0x9e3779b97f4a7c15;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

struct Source {
  Shape shape;
  Bins bins;
  std::size_t length;
  unsigned samples_per_vector;
  std::uint64_t seed;
  const std::uint64_t* cumulative;  // zipf: probability of a rank up to k, times 2^63
  unsigned scatter;                 // coprime to bins.count

  __device__ std::uint64_t sample_of(unsigned bin, std::uint64_t random) const {
    const std::uint64_t low = begin_of(bins, bin), high = begin_of(bins, bin + 1);
    return high > low ? low + random % (high - low) : low;
  }
  __device__ unsigned zipf(std::uint64_t random) const {
    unsigned low = 0, high = bins.count - 1;
    while (low < high) {
      const unsigned middle = (low + high) / 2;
      if (cumulative[middle] > random >> 1)
        high = middle;
      else
        low = middle + 1;
    }
    return static_cast<unsigned>(static_cast<std::uint64_t>(low) * scatter % bins.count);
  }
  __device__ std::uint64_t at(std::size_t i) const {
    const std::uint64_t random = random_at(seed, i);
    const unsigned middle = bins.count / 2;
    switch (shape) {
      case Shape::uniform:
        return sample_of(static_cast<unsigned>(__umul64hi(random, bins.count)),
                         random & 0xffffffff);
      case Shape::zipf: return sample_of(zipf(random), random_at(seed + 1, i));
      case Shape::constant: return begin_of(bins, middle);
      case Shape::two_bins: {
        const unsigned other = middle >= 32 ? middle - 32 : 0;
        return sample_of(random >> 63 ? middle : other, random & 0xffffffff);
      }
      case Shape::sorted: return sample_of(static_cast<unsigned>(i * bins.count / length), 0);
      case Shape::adversary: {
        const unsigned step = bins.count > 32 ? 32 : 1;
        return sample_of(static_cast<unsigned>(i / samples_per_vector % (bins.count / step) * step),
                         random & 0xffffffff);
      }
      case Shape::runs: break;
    }
    return 0;
  }
};

template <class Sample>
__global__ void fill(Source source, Sample* samples) {
  const std::size_t stride = std::size_t{gridDim.x} * blockDim.x,
                    thread = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (source.shape != Shape::runs) {
    for (std::size_t i = thread; i < source.length; i += stride)
      samples[i] = static_cast<Sample>(source.at(i));
    return;
  }
  for (std::size_t segment = thread * run_segment; segment < source.length;
       segment += stride * run_segment) {
    std::uint64_t draw = random_at(source.seed, segment);
    unsigned bin = static_cast<unsigned>(__umul64hi(draw, source.bins.count));
    for (std::size_t i = segment; i < segment + run_segment && i < source.length; ++i) {
      const std::uint64_t random = random_at(source.seed + 1, i);
      samples[i] = static_cast<Sample>(source.sample_of(bin, random & 0xffffffff));
      if (random >> 53 == 0)
        bin = static_cast<unsigned>(__umul64hi(random_at(source.seed + 2, i), source.bins.count));
    }
  }
}

__global__ void repeat(const std::uint8_t* pattern, std::size_t size, bool stretch,
                       std::uint8_t* out, std::size_t length) {
  const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < length; i += stride)
    out[i] =
        pattern[stretch
                    ? static_cast<std::size_t>(static_cast<unsigned __int128>(i) * size / length)
                    : i % size];
}

Shape shape_of(const std::string& name) {
  const auto& names = wide_datasets();
  for (std::size_t i = 0; i < names.size(); ++i)
    if (names[i] == name) return static_cast<Shape>(i);
  throw std::runtime_error("there is no dataset \"" + name + "\" of 16- or 32-bit samples");
}

}  // namespace

void make_data(const std::string& name, const Problem& problem, std::uint64_t seed,
               cudaStream_t stream) {
  if (problem.length == 0) return;
  if (problem.type == SampleType::u8) {
    const auto bytes = pattern_of(name, problem.bins.levels == nullptr, problem.length, seed);
    gpu::DeviceMemory pattern(bytes.size());
    gpu::check(
        cudaMemcpyAsync(pattern.as(), bytes.data(), bytes.size(), cudaMemcpyHostToDevice, stream),
        "copy data to the GPU");
    repeat<<<2048, 256, 0, stream>>>(pattern.as(), bytes.size(), name == "sorted",
                                     static_cast<std::uint8_t*>(const_cast<void*>(problem.samples)),
                                     problem.length);
    gpu::check(cudaStreamSynchronize(stream), "make data on the GPU");
    return;
  }

  Source source{shape_of(name),
                problem.bins,
                problem.length,
                16 / bytes_of(problem.type),
                seed * 0x10001,
                nullptr,
                1};
  gpu::DeviceMemory cumulative;
  if (source.shape == Shape::zipf) {
    std::vector<std::uint64_t> up_to(problem.bins.count);
    double total = 0, sum = 0;
    for (unsigned k = 1; k <= problem.bins.count; ++k) total += std::pow(k, -1.2);
    for (unsigned k = 1; k <= problem.bins.count; ++k)
      up_to[k - 1] = static_cast<std::uint64_t>((sum += std::pow(k, -1.2)) / total * 9.2e18);
    cumulative = gpu::DeviceMemory(up_to.size() * sizeof up_to[0]);
    gpu::check(cudaMemcpyAsync(cumulative.as(), up_to.data(), cumulative.bytes(),
                               cudaMemcpyHostToDevice, stream),
               "copy data to the GPU");
    source.cumulative = cumulative.as<std::uint64_t>();
    source.scatter = static_cast<unsigned>(problem.bins.count * 0.618) | 1;
    while (std::gcd(source.scatter, problem.bins.count) != 1) source.scatter += 2;
  }
  // For `runs`, a thread makes a whole segment.
  if (problem.type == SampleType::u16)
    fill<<<2048, 256, 0, stream>>>(source,
                                   static_cast<std::uint16_t*>(const_cast<void*>(problem.samples)));
  else
    fill<<<2048, 256, 0, stream>>>(source,
                                   static_cast<std::uint32_t*>(const_cast<void*>(problem.samples)));
  gpu::check(cudaGetLastError(), "launch a kernel");
  gpu::check(cudaStreamSynchronize(stream), "make data on the GPU");
}

}  // namespace histolab::kernels::cuda::bench
