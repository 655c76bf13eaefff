// Lab 13, solution: bits instead of bytes.
//
// A thread takes 32 characters as eight words and transposes them into eight bit planes: word p holds bit p of each character. The
// group of a letter is then a Boolean function of the planes, for 32 characters at once, and __popc counts them into a register.
// Each block reads one contiguous range; the next loads are in flight while these are counted.
extern "C" __device__ const unsigned int threads_per_block = 512;
extern "C" __device__ const unsigned int blocks_per_multiprocessor = 2;

constexpr unsigned int bins = 7;
constexpr unsigned int loads = 4;  // of 16 characters, for each thread and round

// In each byte of `a` the bits in `mask` stay; the others change places with bits of `b`, shifted.
template <unsigned int mask, unsigned int shift>
__device__ void exchange(unsigned int& a, unsigned int& b) {
  const unsigned int low = (a & mask) | (b << shift & ~mask), high = (a >> shift & mask) | (b & ~mask);
  a = low, b = high;
}

struct Groups {
  unsigned int count[bins] = {};

  __device__ void add(const uint4& first, const uint4& second) {
    unsigned int w[8] = {first.x, first.y, first.z, first.w, second.x, second.y, second.z, second.w};
    exchange<0x0f0f0f0f, 4>(w[0], w[4]), exchange<0x0f0f0f0f, 4>(w[1], w[5]);
    exchange<0x0f0f0f0f, 4>(w[2], w[6]), exchange<0x0f0f0f0f, 4>(w[3], w[7]);
    exchange<0x33333333, 2>(w[0], w[2]), exchange<0x33333333, 2>(w[1], w[3]);
    exchange<0x33333333, 2>(w[4], w[6]), exchange<0x33333333, 2>(w[5], w[7]);
    exchange<0x55555555, 1>(w[0], w[1]), exchange<0x55555555, 1>(w[2], w[3]);
    exchange<0x55555555, 1>(w[4], w[5]), exchange<0x55555555, 1>(w[6], w[7]);

    // w[p] is now bit p of all 32 characters. A letter is 011x xxxx, its low five bits l = 1 to 26; the top three bits of l + 3 are
    // its group, from 1: 'a' 001, ..., 'y' and 'z' 111. All other bytes have group 0, or are 111 1.. (27 and 28).
    const unsigned int column = ~w[7] & w[6] & w[5];
    const unsigned int carry2 = w[0] | w[1], carry3 = w[2] & carry2;  // l + 3 carries out of the low two bits unless both are 0
    const unsigned int s2 = w[2] ^ carry2, s3 = w[3] ^ carry3, s4 = w[4] ^ (w[3] & carry3), s1 = ~(w[0] ^ w[1]);
    const unsigned int low_half = column & ~s4, high_half = column & s4;
    count[0] += __popc(low_half & ~s3 & s2);
    count[1] += __popc(low_half & s3 & ~s2);
    count[2] += __popc(low_half & s3 & s2);
    count[3] += __popc(high_half & ~s3 & ~s2);
    count[4] += __popc(high_half & ~s3 & s2);
    count[5] += __popc(high_half & s3 & ~s2);
    count[6] += __popc(high_half & s3 & s2 & ~s1);
  }
};

// The same as __reduce_add_sync, which exists from compute capability 8.0 on.
__device__ unsigned int warp_sum(unsigned int value) {
  for (unsigned int distance = 16; distance > 0; distance /= 2) {
    value += __shfl_xor_sync(0xffffffff, value, distance);
  }
  return value;
}

__global__ __launch_bounds__(1024) void histogram(const char* data, unsigned int length, unsigned int* histo) {
  Groups own;
  const uint4* wide = reinterpret_cast<const uint4*>(data);
  const unsigned int a_round = loads * blockDim.x;  // uint4 of a block
  const unsigned int rounds = length / 16 / a_round, share = rounds / gridDim.x, rest = rounds % gridDim.x;
  const unsigned int mine = share + (blockIdx.x < rest);
  const unsigned int first = blockIdx.x * share + min(blockIdx.x, rest);

  const uint4* at = wide + 1ull * first * a_round + threadIdx.x;
  uint4 now[loads], next[loads];
  if (mine > 0) {
#pragma unroll
    for (unsigned int k = 0; k < loads; ++k) {
      next[k] = at[k * blockDim.x];
    }
  }
  for (unsigned int round = 0; round < mine; ++round) {
#pragma unroll
    for (unsigned int k = 0; k < loads; ++k) {
      now[k] = next[k];
    }
    at += a_round;
    if (round + 1 < mine) {
#pragma unroll
      for (unsigned int k = 0; k < loads; ++k) {
        next[k] = at[k * blockDim.x];
      }
    }
#pragma unroll
    for (unsigned int k = 0; k < loads; k += 2) {
      own.add(now[k], now[k + 1]);
    }
  }

  __shared__ unsigned int counts[bins];
  if (threadIdx.x < bins) {
    counts[threadIdx.x] = 0;
  }
  __syncthreads();
  for (unsigned int i = rounds * a_round * 16 + blockIdx.x * blockDim.x + threadIdx.x; i < length; i += gridDim.x * blockDim.x) {
    const unsigned int letter = data[i] - 'a';
    if (letter < 26) {
      atomicAdd(&counts[letter / 4], 1u);
    }
  }
#pragma unroll
  for (unsigned int b = 0; b < bins; ++b) {
    const unsigned int sum = warp_sum(own.count[b]);
    if (threadIdx.x % 32 == b && sum > 0) {
      atomicAdd(&counts[b], sum);
    }
  }
  __syncthreads();
  if (threadIdx.x < bins && counts[threadIdx.x] > 0) {
    atomicAdd(&histo[threadIdx.x], counts[threadIdx.x]);
  }
}
