// See main.cu.
static __device__ int value = 2;
static __global__ void get(int* out) { *out = value; }

int other_value() {
  int *d, h;
  cudaMalloc(&d, sizeof(int));
  get<<<1, 1>>>(d);
  cudaMemcpy(&h, d, sizeof(int), cudaMemcpyDeviceToHost);
  cudaFree(d);
  return h;
}
