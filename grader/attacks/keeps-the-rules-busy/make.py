"""Just below the largest permitted kernel."""


def kernel(traps):
    return "__attribute__((unused(" * 45_000 + """
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
}
"""
