int main() {
  void* d = nullptr;
  cudaMalloc(&d, 4096);
  const cudaPitchedPtr slices{d, 64, 64, 0};
  cudaMemset3D(slices, 0, cudaExtent{1, 1, 1ull << 62});
  cudaGetLastError();
  cudaFree(d);
}
