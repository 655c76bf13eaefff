// Reads a file of its own folder, writes one, and uses the random numbers of a linear generator.
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>

__global__ void inside(const unsigned* seeds, unsigned* hits, int rounds) {
  unsigned state = seeds[threadIdx.x], own = 0;
  auto next = [&state] {
    state = state * 1664525u + 1013904223u;
    return (state >> 8) / float(1 << 24);
  };
  for (int i = 0; i < rounds; ++i) {
    float x = next(), y = next();
    own += x * x + y * y < 1;
  }
  atomicAdd(hits, own);
}

int main() {
  std::ifstream own(__FILE__);
  std::string first;
  if (!std::getline(own, first) || first.find("Reads a file") == std::string::npos) return 1;
  unsigned seeds[64], hits = 0, *d_seeds, *d_hits;
  for (unsigned i = 0; i < 64; ++i) seeds[i] = 12345 + 7919 * i;
  cudaMalloc(&d_seeds, sizeof seeds);
  cudaMalloc(&d_hits, sizeof hits);
  cudaMemcpy(d_seeds, seeds, sizeof seeds, cudaMemcpyHostToDevice);
  cudaMemcpy(d_hits, &hits, sizeof hits, cudaMemcpyHostToDevice);
  inside<<<1, 64>>>(d_seeds, d_hits, 500);
  cudaMemcpy(&hits, d_hits, sizeof hits, cudaMemcpyDeviceToHost);
  cudaFree(d_seeds);
  cudaFree(d_hits);
  const double pi = 4.0 * hits / (64 * 500);
  const char* folder = std::getenv("TMPDIR");
  std::ofstream result(std::string(folder ? folder : "/tmp") + "/pi.txt");
  result << pi << "\n";
  std::printf("%.2f\n", pi);
  return result && pi > 3.0 && pi < 3.3 ? 0 : 1;
}
