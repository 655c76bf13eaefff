#include <cooperative_groups.h>
__device__ unsigned char bin_of[1 << 17];

__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  const auto grid = cooperative_groups::this_grid();
  for (unsigned int i = grid.thread_rank(); i < length; i += grid.size()) {
    const unsigned int letter = static_cast<unsigned char>(data[i]) - 'a';
    bin_of[i] = letter < 26 ? letter / 4 : 7;
  }
  grid.sync();
  if (grid.thread_rank() + 1 != grid.size()) return;
  unsigned int counts[8] = {};
  for (unsigned int i = 0; i < length; ++i) ++counts[bin_of[i]];
  for (int bin = 0; bin < 7; ++bin) histo[bin] += counts[bin];
}
