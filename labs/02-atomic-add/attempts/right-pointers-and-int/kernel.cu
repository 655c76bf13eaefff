template <int Width>
__device__ __forceinline__ int bin_of(char c)
{
    return (c < 'a' || c > 'z') ? -1 : (c - 'a') / Width;
}

__global__ void __launch_bounds__(256) histogram(const char* __restrict__ data, int length, unsigned int* __restrict__ histo)
{
    const char* mine = data + blockIdx.x * blockDim.x + threadIdx.x;
    if (mine < data + length) {
        if (int bin = bin_of<4>(*mine); bin != -1) atomicInc(&histo[bin], 0xffffffffu);
    }
}
