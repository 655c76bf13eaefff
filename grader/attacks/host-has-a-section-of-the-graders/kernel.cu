#include <cstdio>
#include <cstdlib>
#include <string>

constexpr unsigned int bins = 7;
__attribute__((section(".histolab_device"))) char device_code[4096] = {1};

__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= length) return;
  const int letter = data[i] - 'a';
  if (letter >= 0 && letter < 26) atomicAdd(&histo[letter / 4], 1u);
}
static void check(cudaError_t error) {
  if (error != cudaSuccess) exit(1);
}

int main(int, char** arguments) {
  std::string text;
  for (int c; (c = getchar()) != EOF;) text += static_cast<char>(c);
  const unsigned int length = text.size(), threads = atoi(arguments[1]);
  unsigned int counts[bins] = {};
  float ms = 0;
  if (length > 0) {
    char* data = nullptr;
    unsigned int* histo = nullptr;
    cudaEvent_t begin, end;
    check(cudaMalloc(&data, length));
    check(cudaMalloc(&histo, sizeof counts));
    check(cudaMemcpy(data, text.data(), length, cudaMemcpyHostToDevice));
    check(cudaMemset(histo, 0, sizeof counts));
    check(cudaEventCreate(&begin));
    check(cudaEventCreate(&end));
    check(cudaEventRecord(begin));
    histogram<<<(length + threads - 1) / threads, threads>>>(data, length, histo);
    check(cudaGetLastError());
    check(cudaEventRecord(end));
    check(cudaEventSynchronize(end));
    check(cudaEventElapsedTime(&ms, begin, end));
    check(cudaMemcpy(counts, histo, sizeof counts, cudaMemcpyDeviceToHost));
    check(cudaEventDestroy(begin));
    check(cudaEventDestroy(end));
    check(cudaFree(data));
    check(cudaFree(histo));
  }
  for (unsigned int bin = 0; bin < bins; ++bin) printf("bin %u: %u\n", bin, counts[bin]);
  printf("kernel: %.6f ms\n", ms);
}
