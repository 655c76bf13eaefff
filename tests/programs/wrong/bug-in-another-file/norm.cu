// Computes the sum of squares on the device.
__global__ void squares(const float* in, int n, float* sum) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(sum, in[i] * in[i]);
}

float norm(const float* values, int n) {
  float *d_values, *d_sum, sum = 0;
  cudaMalloc(&d_values, n * sizeof(float));
  cudaMalloc(&d_sum, sizeof(float));  // finding: leak
  cudaMemset(d_sum, 0, sizeof(float));
  cudaMemcpy(d_values, values, n * sizeof(float), cudaMemcpyHostToDevice);
  squares<<<(n + 63) / 64, 64>>>(d_values, n, d_sum);
  cudaMemcpy(&sum, d_sum, sizeof(float), cudaMemcpyDeviceToHost);
  cudaFree(d_values);
  return sum;
}
