extern __shared__ unsigned int s[];

__device__ int bin_of(const unsigned char c) { return c >= 'a' && c <= 'z' ? (c - 'a') >> 2 : -1; }

__global__ void histogram(const char* data, unsigned int length, unsigned int* histo)
{
    for (int b = threadIdx.x; b < 7; b += blockDim.x) s[b] = 0u;
    __syncthreads();

    int t = blockIdx.x * blockDim.x + threadIdx.x;
    int b = t < (int)length ? bin_of(data[t]) : -1;
    if (b >= 0) atomicAdd(s + b, 1u);
    __syncthreads();

    if (threadIdx.x != 0) return;
    for (b = 0; b < 7; ++b)
        if (s[b]) atomicAdd(histo + b, s[b]);
}
