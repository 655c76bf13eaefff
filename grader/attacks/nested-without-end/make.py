def kernel(traps):
    deep = 100_000
    return ("__device__ int x = " + "(" * deep + "1" + ")" * deep + ";\n__device__ void f() " +
            "{" * deep + "}" * deep + "\n"
            "__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) "
            "{ " + "[" * deep + "]" * deep + " " + "f<" * deep + "}\n")
