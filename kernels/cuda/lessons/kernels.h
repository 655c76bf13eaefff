// The kernels that the lessons of labs 01 to 06 speak of, ready to be launched.
//
// A name is where the counts are kept, how elements are shared out, and whether equal neighbours are aggregated:
//
//   race                one thread per element, plain ++ in global memory; loses updates
//   global              one thread per element, atomicAdd in global memory
//   global-block        persistent grid; a chunk for each thread
//   global-interleaved  persistent grid; a grid-stride loop
//   global-copies       as global-interleaved, each block in a copy of its own in global memory
//   global-copies-apart the same, each copy in cache lines of its own
//   global-copies-each  one thread per element, and a copy for each of so many blocks
//   shared              one thread per element, a private copy in shared memory
//   shared-block        persistent grid; a chunk for each thread
//   shared-interleaved  persistent grid; a grid-stride loop
//   shared-contiguous   ceil(length / (block * factor)) blocks; `factor` neighbours for each thread, the factor a constant
//   shared-strided      the same grid; the grid-stride loop, whose number of rounds the compiler does not know
//   shared-unrolled     the same grid and elements, the factor a constant
//   shared-tile         the same grid; a block's elements as in shared-contiguous, its threads side by side, the factor a constant
//   registers           persistent grid, grid-stride loop; seven counters in each thread's registers (letters only)
//   ...-ahead           all loads of a thread come before its first count (contiguous, unrolled, tile; factors 4 and 16)
//   ...-aggregated      a run of equal bins is counted in a register and added when it ends
//
// Blocks have 256 threads; a persistent grid has 8 blocks for each multiprocessor. Counts start at zero, also those of the copies.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <string>
#include <string_view>

namespace histolab::kernels::cuda::lessons {

inline constexpr unsigned block_threads = 256;

// letters: 7 bins of four letters (two in the last); leading_bits: a power of two of equal bins.
enum class Binning { letters, leading_bits };

struct Work {
  const void* data = nullptr;  // `length` elements of `element_bytes`: 1, 2, 4 or 16
  unsigned length = 0, element_bytes = 1;
  Binning binning = Binning::letters;
  unsigned bins = 7;           // leading_bits: 2 to 65 536, and no more than the element has values
  unsigned* histo = nullptr;   // in device memory
  unsigned* copies = nullptr;  // of global-copies...: zeros, at least copies_words(work)
  unsigned persistent_blocks = 0;
  cudaStream_t stream = nullptr;
};

struct Choice {
  std::string kernel;
  unsigned factor = 0;  // of shared-contiguous, -strided, -unrolled, -tile and their other forms; else 0
};

// Whether this kernel exists for this work: binning, bins that fit in shared memory (`shared_bytes` a block), factor.
[[nodiscard]] bool runs(const Choice& choice, const Work& work, std::size_t shared_bytes);

// How many words of copies the kernels named global-copies... may use for this work.
[[nodiscard]] std::size_t copies_words(const Choice& choice, const Work& work);

// Returns as soon as the kernel is under way. CudaError: it could not be launched.
void launch(const Choice& choice, const Work& work);

// The parts of launch(), in files of their own because nvcc takes its time; false: not theirs.
[[nodiscard]] bool launch_global(const Choice& choice, const Work& work);
[[nodiscard]] bool launch_shared(const Choice& choice, const Work& work);
[[nodiscard]] bool launch_contiguous(const Choice& choice, const Work& work);
[[nodiscard]] bool launch_unrolled(const Choice& choice, const Work& work);
[[nodiscard]] bool launch_tile(const Choice& choice, const Work& work);

}  // namespace histolab::kernels::cuda::lessons
