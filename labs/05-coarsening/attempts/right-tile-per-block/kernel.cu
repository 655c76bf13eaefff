extern "C" __device__ const unsigned int coarsening_factor = 16;
extern __shared__ unsigned int tile_counts[];

__device__ __forceinline__ void zero(unsigned int* bins, unsigned int n)
{
    for (unsigned int k = threadIdx.x; k < n; k += blockDim.x) bins[k] = 0;
    __syncthreads();
}

__global__ void histogram(const char* const data, const unsigned int length, unsigned int* const histo)
{
    zero(tile_counts, 7);

    const unsigned int first = blockIdx.x * (blockDim.x * coarsening_factor);
    const unsigned int last = min(length, first + blockDim.x * coarsening_factor);
    for (const char* p = data + first + threadIdx.x; p < data + last; p += blockDim.x)
        if (*p >= 'a' && *p <= 'z') atomicAdd(tile_counts + ((*p - 'a') >> 2), 1u);

    __syncthreads();
    for (unsigned int k = threadIdx.x; k < 7; k += blockDim.x)
        if (const unsigned int n = tile_counts[k]) atomicAdd(histo + k, n);
}
