def kernel(traps):
    return ("#include <cassert>\n__global__ void histogram(const char* data, unsigned int length, "
            "unsigned int* histo) {\n  assert(length == 1u << 31 && \"" + "a" * 500_000 +
            "\");\n}\n")
