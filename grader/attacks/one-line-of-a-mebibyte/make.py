def kernel(traps):
    return ("__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) "
            "{ " + "__builtin_" + "a" * 300_000 + " " + "__shared__ x " * 20_000 + "R\"" +
            "(" * 100_000 + "'" * 100_000)
