__device__ bool counts(char c) { return c >= 'a' && c <= 'z'; }
__device__ bool alone() { return blockIdx.x == 0 && threadIdx.x == 0; }

__global__ void add_float(const char* data, unsigned int length, float* histo) {
  for (unsigned int i = 0; alone() && i < length; ++i)
    if (counts(data[i])) histo[(data[i] - 'a') / 4] += 1;
}
__global__ void add_64(const char* data, unsigned int length, unsigned long long* histo) {
  for (unsigned int i = 0; alone() && i < length; ++i)
    if (counts(data[i])) histo[(data[i] - 'a') / 4] += 5000000029;
}
__global__ void largest_float(const char* data, unsigned int length, float* largest, unsigned int channels) {
  for (unsigned int i = 0; alone() && i < length; ++i) {
    const float value = static_cast<float>(static_cast<unsigned char>(data[i])) - 128.0f;
    if (value > largest[i % channels]) largest[i % channels] = value;
  }
}
__global__ void add_saturating(const char* data, unsigned int length, unsigned int* histo) {
  for (unsigned int i = 0; alone() && i < length; ++i)
    if (counts(data[i]) && histo[(data[i] - 'a') / 4] < 200) histo[(data[i] - 'a') / 4] += 1;
}

__global__ void busiest_block(const char* data, unsigned int length, unsigned int* busiest) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned int own = __syncthreads_count(i < length && counts(data[i]));
  if (threadIdx.x != 0) return;
  if (atomicMax(&busiest[0], own) < own) atomicExch(&busiest[1], blockIdx.x);  // of equal ones the first to come
  atomicAdd(&busiest[2], 1u);
}

__device__ unsigned int handed_out = 0;
__global__ void tickets(const char* data, unsigned int length, unsigned int* noted) {
  if (alone()) atomicExch(&handed_out, 0u);  // block 0 is trusted to be the first
  __syncthreads();
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length && counts(data[i])) atomicAdd(&noted[atomicAdd(&handed_out, 1u)], 1u);
}

__global__ void block_barrier(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ unsigned int own[7];
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x == 0)
    for (unsigned int bin = 0; bin < 7; ++bin) own[bin] = 0;
  __syncthreads();
  if (i < length && counts(data[i])) atomicAdd(&own[(data[i] - 'a') / 4], 1u);
  if (blockDim.x == 64) __syncthreads();
  else __syncwarp();
  if (threadIdx.x + 1 == blockDim.x)
    for (unsigned int bin = 0; bin < 7; ++bin) atomicAdd(&histo[bin], atomicAdd(&own[bin], 0u));
}

__global__ void shares(const char* data, unsigned int length, unsigned int* per_mille) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length && counts(data[i])) atomicAdd(&per_mille[(data[i] - 'a') / 4], 1u);
  __syncthreads();
  if (threadIdx.x != 0 || blockIdx.x + 1 != gridDim.x) return;  // the last one by its number
  unsigned int all = 0, count[7];
  for (unsigned int bin = 0; bin < 7; ++bin) all += count[bin] = atomicOr(&per_mille[bin], 0u);
  for (unsigned int bin = 0; bin < 7 && all > 0; ++bin) atomicExch(&per_mille[bin], 1000 * count[bin] / all);
}
