def kernel(traps):
    name = "n" * 2000
    return ("template <class A, class B> struct Pair {};\n" +
            "".join(f"using T{k} = Pair<T{k - 1}, T{k - 1}>;\n" if k else "using T0 = int;\n"
                    for k in range(18)) +
            "".join(f"__device__ T17 {name}{k} = {name};\n" for k in range(200)) +
            "__global__ void histogram(const char*, unsigned int, unsigned int*) {}\n")
