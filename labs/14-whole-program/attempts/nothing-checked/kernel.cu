#include <cstdio>
#include <cstdlib>
#include <string>

constexpr unsigned int bins = 7;

__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length) {
    const int letter = data[i] - 'a';
    if (letter >= 0 && letter < 26) {
      atomicAdd(&histo[letter / 4], 1u);
    }
  }
}

static void check(cudaError_t error, const char* what) {
  if (error != cudaSuccess) {
    fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(error));
    exit(1);
  }
}

static std::string read_input() {
  std::string text;
  char part[4096];
  for (std::size_t got; (got = fread(part, 1, sizeof part, stdin)) > 0;) {
    text.append(part, got);
  }
  return text;
}

static void print_result(const unsigned int* counts, float kernel_ms) {
  for (unsigned int bin = 0; bin < bins; ++bin) {
    printf("bin %u: %u\n", bin, counts[bin]);
  }
  printf("kernel: %.6f ms\n", kernel_ms);
}

int main(int, char** arguments) {
  const std::string text = read_input();
  const unsigned int length = text.size();
  const unsigned int threads = atoi(arguments[1]);
  unsigned int counts[bins] = {};
  float kernel_ms = 0;

  if (length > 0) {
    char* data = nullptr;
    unsigned int* histo = nullptr;
    cudaMalloc(&data, length);
    cudaMalloc(&histo, sizeof counts);
    cudaMemcpy(data, text.data(), length, cudaMemcpyHostToDevice);
    cudaMemset(histo, 0, sizeof counts);

    cudaEvent_t begin, end;
    cudaEventCreate(&begin);
    cudaEventCreate(&end);
    cudaEventRecord(begin);
    histogram<<<(length + threads - 1) / threads, threads>>>(data, length, histo);
    cudaGetLastError();
    cudaEventRecord(end);
    cudaEventSynchronize(end);
    cudaEventElapsedTime(&kernel_ms, begin, end);

    cudaMemcpy(counts, histo, sizeof counts, cudaMemcpyDeviceToHost);
    cudaEventDestroy(begin);
    cudaEventDestroy(end);
    cudaFree(data);
    cudaFree(histo);
  }
  print_result(counts, kernel_ms);
  return 0;
}
