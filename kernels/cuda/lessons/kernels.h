// The kernels of the lessons of labs 01 to 06, ready to be launched. Choice explains their names.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <string>
#include <string_view>

namespace histolab::kernels::cuda::lessons {

inline constexpr unsigned block_threads = 256;

// letters: 7 bins of four letters (two in the last one). leading_bits: equal bins; their number is
// a power of two.
enum class Binning { letters, leading_bits };

struct Work {
  const void* data = nullptr;  // `length` elements of `element_bytes` (1, 2, 4 or 16) bytes each
  unsigned length = 0, element_bytes = 1;
  Binning binning = Binning::letters;
  unsigned bins = 7;           // leading_bits: 2 to 65 536, at most the values of an element
  unsigned* histo = nullptr;   // in device memory, zeroed
  unsigned* copies = nullptr;  // for global-copies...: at least copies_words() zeroed words
  unsigned persistent_blocks = 0;
  cudaStream_t stream = nullptr;
};

// A kernel's name describes the memory of the counts, the distribution of elements over threads,
// and the aggregation of equal neighbours:
//
//   race                one thread per element, plain ++ in global memory; loses updates
//   global              one thread per element, atomicAdd in global memory
//   global-block        persistent grid; one chunk per thread
//   global-interleaved  persistent grid; a grid-stride loop
//   global-copies       like global-interleaved, with one copy per block in global memory
//   global-copies-apart the same, each copy in its own cache lines
//   global-copies-each  one thread per element; one copy per block in global memory
//   shared              one thread per element, a private copy in shared memory
//   shared-block        persistent grid; one chunk per thread
//   shared-interleaved  persistent grid; a grid-stride loop
//   shared-contiguous   ceil(length / (block * factor)) blocks; `factor` neighbours per thread
//   shared-strided      the same grid; a grid-stride loop
//   shared-unrolled     the same grid; the elements of shared-strided
//   shared-tile         the same grid; a block takes the same elements as in shared-contiguous, its
//                       threads take neighbouring ones
//   registers           persistent grid, grid-stride loop; seven counters in the registers of each
//                       thread (letters only)
//   ...-ahead           all loads of a thread come before its first count (contiguous, unrolled,
//                       tile; factors 4 and 16)
//   ...-aggregated      a run of equal bins is counted in a register and added when it ends
//
// The factor is a compile-time constant in contiguous, unrolled and tile. In strided, the compiler
// does not know the number of rounds. Blocks have 256 threads; a persistent grid has 8 blocks per
// multiprocessor.
struct Choice {
  std::string kernel;
  unsigned factor = 0;  // of contiguous, strided, unrolled, tile and their variants; else 0
};

// Returns true if the kernel supports the binning and the factor, and the bins fit in
// `shared_bytes` bytes of shared memory per block.
[[nodiscard]] bool runs(const Choice& choice, const Work& work, std::size_t shared_bytes);

// Returns the number of words of copies that the kernels global-copies... need for this work.
[[nodiscard]] std::size_t copies_words(const Choice& choice, const Work& work);

// Starts the kernel and returns. Throws CudaError if it cannot be launched.
void launch(const Choice& choice, const Work& work);

// The parts of launch(). They are in separate files, because nvcc is slow. Each returns false if
// the kernel is not in its file.
[[nodiscard]] bool launch_global(const Choice& choice, const Work& work);
[[nodiscard]] bool launch_shared(const Choice& choice, const Work& work);
[[nodiscard]] bool launch_contiguous(const Choice& choice, const Work& work);
[[nodiscard]] bool launch_unrolled(const Choice& choice, const Work& work);
[[nodiscard]] bool launch_tile(const Choice& choice, const Work& work);

}  // namespace histolab::kernels::cuda::lessons
