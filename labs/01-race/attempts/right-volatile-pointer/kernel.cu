__device__ bool is_letter(char c) { return 'a' <= c && c <= 'z'; }

__global__ void histogram(const char* data, unsigned int length, unsigned int* histo)
{
    int index = threadIdx.x + blockDim.x * blockIdx.x;
    if (index >= static_cast<int>(length)) return;
    if (!is_letter(data[index])) return;

    volatile unsigned int* bin = histo + ((data[index] - 'a') >> 2);
    unsigned int old = *bin;
    *bin = old + 1;
}
