// A struct is copied by value; the pointer in it is still the host's.
#include <cstdio>
#include <cstdlib>

struct Matrix {
  int width, height;
  float *elements;
};

__global__ void scale(Matrix m, float by) {
  int col = threadIdx.x, row = blockIdx.x;
  m.elements[row * m.width + col] *= by;  // finding: out_of_bounds
}

int main() {
  Matrix a;
  a.width = 16;
  a.height = 4;
  a.elements = (float *)malloc(a.width * a.height * sizeof(float));
  for (int i = 0; i < a.width * a.height; i++) a.elements[i] = 1.f;
  Matrix d_a = a;
  float *d_elements;
  cudaMalloc(&d_elements, a.width * a.height * sizeof(float));
  cudaMemcpy(d_elements, a.elements, a.width * a.height * sizeof(float), cudaMemcpyHostToDevice);
  // d_a.elements = d_elements is missing.
  scale<<<a.height, a.width>>>(d_a, 2.f);
  cudaError_t err = cudaDeviceSynchronize();
  if (err != cudaSuccess) {
    printf("kernel: %s\n", cudaGetErrorString(err));
    return 1;
  }
  cudaFree(d_elements);
  free(a.elements);
  return 0;
}
