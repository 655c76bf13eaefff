// expect: passed
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo)
{
    unsigned int i, b;
    char c;
    i = blockIdx.x, i *= blockDim.x, i += threadIdx.x;
    if (i >= length) goto out;
    c = data[i];
    if (c < 'a' || c > 'z') goto out;
    b = c, b -= 'a', b /= 4;
    atomicAdd(b + histo, 1);
out:
    return;
}
