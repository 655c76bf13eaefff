// Runs kernels/cuda/conformance.cu on a GPU and compares each word with what the emulator computed: compare FOLDER, which holds
// operands.bin and one file for each kernel. Exits with 0 when all agree.
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "../../kernels/cuda/conformance.cu"

namespace {

constexpr unsigned int blocks = 64, threads = 64, words = blocks * threads * results;

std::vector<unsigned int> read(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  const std::string bytes((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  std::vector<unsigned int> all(bytes.size() / 4);
  for (std::size_t i = 0; i < all.size() * 4; ++i) reinterpret_cast<char*>(all.data())[i] = bytes[i];
  return all;
}

void check(cudaError_t error) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "%s\n", cudaGetErrorString(error));
  std::exit(2);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return std::fprintf(stderr, "usage: compare FOLDER (tools/gpu_conformance/run makes it)\n"), 2;
  const std::string folder = std::string(argv[1]) + "/";
  const std::vector<unsigned int> operands = read(folder + "operands.bin");
  if (operands.empty()) return std::fprintf(stderr, "%soperands.bin is not there\n", folder.c_str()), 2;
  unsigned int *in = nullptr, *out = nullptr;
  check(cudaMalloc(&in, operands.size() * 4));
  check(cudaMalloc(&out, words * 4));
  check(cudaMemcpy(in, operands.data(), operands.size() * 4, cudaMemcpyHostToDevice));
  using Kernel = void (*)(const unsigned int*, unsigned int, unsigned int*);
  const struct { const char* name; Kernel kernel; } kernels[] = {
      {"integers", integers}, {"simd", simd}, {"dpx", dpx}, {"conversions", conversions}, {"rounded", rounded}, {"atomics", atomics},
      {"shared_atomics", shared_atomics}, {"float_atomics", float_atomics}, {"hints", hints},
      {"warps", warps}};
  bool all_agree = true;
  for (const auto& each : kernels) {
    const std::vector<unsigned int> expected = read(folder + each.name + ".bin");
    std::vector<unsigned int> got(words);
    check(cudaMemset(out, 0, words * 4));
    each.kernel<<<blocks, threads>>>(in, static_cast<unsigned int>(operands.size()), out);
    check(cudaDeviceSynchronize());
    check(cudaMemcpy(got.data(), out, words * 4, cudaMemcpyDeviceToHost));
    std::vector<unsigned int> differ(results);
    unsigned int number = expected.size() == words ? 0 : words;
    for (unsigned int i = 0; i < words && expected.size() == words; ++i) {
      if (got[i] == expected[i]) continue;
      ++number;
      const unsigned int t = i / results, n = static_cast<unsigned int>(operands.size());
      if (differ[i % results]++ < 3)
        std::printf("  %s, word %u of thread %u (a %08x, b %08x, c %08x): GPU %08x, emulator %08x\n", each.name, i % results, t,
                    operands[t % n], operands[(t / n + t * 7) % n], operands[(t * 13 + 5) % n], got[i], expected[i]);
    }
    std::printf("%-16s %u words, %u differ\n", each.name, words, number);
    all_agree &= number == 0;
  }
  return all_agree ? 0 : 1;
}
