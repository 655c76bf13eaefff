// Lab 14, solution: every call is checked, and the counts come back before the memory is freed.
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

// Ends the program if a call of CUDA has failed.
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
    check(cudaMalloc(&data, length), "allocating the data");
    check(cudaMalloc(&histo, sizeof counts), "allocating the counts");
    check(cudaMemcpy(data, text.data(), length, cudaMemcpyHostToDevice), "copying the data");
    check(cudaMemset(histo, 0, sizeof counts), "setting the counts to zero");

    cudaEvent_t begin, end;
    check(cudaEventCreate(&begin), "creating an event");
    check(cudaEventCreate(&end), "creating an event");
    check(cudaEventRecord(begin), "recording the begin");
    histogram<<<(length + threads - 1) / threads, threads>>>(data, length, histo);
    check(cudaGetLastError(), "launching the kernel");
    check(cudaEventRecord(end), "recording the end");
    check(cudaEventSynchronize(end), "running the kernel");
    check(cudaEventElapsedTime(&kernel_ms, begin, end), "taking the time");

    check(cudaMemcpy(counts, histo, sizeof counts, cudaMemcpyDeviceToHost), "copying the counts");
    check(cudaEventDestroy(begin), "destroying an event");
    check(cudaEventDestroy(end), "destroying an event");
    check(cudaFree(data), "freeing the data");
    check(cudaFree(histo), "freeing the counts");
  }
  print_result(counts, kernel_ms);
  return 0;
}
