#include "kernels/cuda/lessons/data.h"

#include <stdexcept>

#include "datasets/datasets.h"
#include "kernels/cuda/lowbias32.h"

namespace histolab::kernels::cuda::lessons {
namespace {

__device__ void store(std::uint8_t* to, std::uint32_t key, unsigned shift, unsigned) {
  *to = static_cast<std::uint8_t>(key >> shift);
}
__device__ void store(std::uint16_t* to, std::uint32_t key, unsigned shift, unsigned) {
  *to = static_cast<std::uint16_t>(key >> shift);
}
__device__ void store(std::uint32_t* to, std::uint32_t key, unsigned, unsigned) { *to = key; }
__device__ void store(uint4* to, std::uint32_t key, unsigned, unsigned place) {
  const uint4 salt{lowbias32(4 * place), lowbias32(4 * place + 1), lowbias32(4 * place + 2), 0};
  *to = uint4{salt.x, salt.y, salt.z, key ^ salt.x ^ salt.y ^ salt.z};
}

template <class Element>
__global__ void expand(const std::uint32_t* keys, unsigned stretch, unsigned shift, Element* data,
                       unsigned length) {
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < length; i += gridDim.x * blockDim.x)
    store(data + i, keys[stretch > 0 ? i / stretch : i % tile_length], shift, i);
}

}  // namespace

Tile::Tile(const std::string& dataset, Binning binning)
    : binning_(binning), stretched_(dataset == "sorted") {
  const std::string generator = dataset == "uniform" ? "bytes" : dataset;
  auto bytes = datasets::generate(generator, tile_length, 1);
  if (!bytes) throw std::runtime_error(bytes.error().message);
  const bool random_below = generator == "bytes" || generator == "zipf";
  keys_.resize(tile_length);
  for (std::uint32_t i = 0; i < tile_length; ++i) {
    const std::uint32_t byte = (*bytes)[i];
    keys_[i] =
        binning == Binning::letters ? byte : byte << 24 | (random_below ? lowbias32(i) >> 8 : 0);
  }
  on_gpu_ = gpu::DeviceMemory(keys_.size() * sizeof keys_[0]);
  gpu::check(cudaMemcpy(on_gpu_.as(), keys_.data(), on_gpu_.bytes(), cudaMemcpyHostToDevice),
             "copy data to the GPU");
}

void Tile::fill(const Work& work, void* data) const {
  const unsigned stretch = stretched_ ? work.length / tile_length : 0;
  const unsigned shift =
      binning_ == Binning::letters || work.element_bytes > 2 ? 0 : 32 - 8 * work.element_bytes;
  const auto run = [&](auto* elements) {
    expand<<<2048, 256>>>(on_gpu_.as<std::uint32_t>(), stretch, shift, elements, work.length);
  };
  switch (work.element_bytes) {
    case 1: run(static_cast<std::uint8_t*>(data)); break;
    case 2: run(static_cast<std::uint16_t*>(data)); break;
    case 4: run(static_cast<std::uint32_t*>(data)); break;
    default: run(static_cast<uint4*>(data));
  }
  gpu::check(cudaDeviceSynchronize(), "make data on the GPU");
}

std::vector<unsigned> Tile::histogram(const Work& work) const {
  std::vector<unsigned> counts(work.bins);
  const unsigned times = work.length / tile_length;
  unsigned shift = 32;
  while (1u << (32 - shift) < work.bins) --shift;
  for (const std::uint32_t key : keys_) {
    if (binning_ == Binning::leading_bits)
      counts[key >> shift] += times;
    else if (key >= 'a' && key <= 'z')
      counts[(key - 'a') / 4] += times;
  }
  return counts;
}

}  // namespace histolab::kernels::cuda::lessons
