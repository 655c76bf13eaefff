def kernel(traps):
    return ("__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) "
            "{\n" + "".join(f"  histo[{k} % 7] += {k};\n" for k in range(600)) + "}\n")
