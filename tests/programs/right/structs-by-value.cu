// Kernels get structs of several sizes by value, and more than six parameters.
#include <stdio.h>

typedef struct {
  int width, height, stride;
  float *elements;
} Matrix;

struct Wave {
  double amplitude[9];
  char name[5];
};

__global__ void multiply(const Matrix a, const Matrix b, Matrix c) {
  int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= c.height || col >= c.width) return;
  float sum = 0;
  for (int k = 0; k < a.width; k++)
    sum += a.elements[row * a.stride + k] * b.elements[k * b.stride + col];
  c.elements[row * c.stride + col] = sum;
}

__global__ void many(char a, short b, int c, long d, float e, double f, bool g, Wave w, float2 v,
                     unsigned char h, double *out) {
  *out = a + b + c + d + e + f + g + w.amplitude[8] + w.name[4] + v.x + v.y + h;
}

int main() {
  const int n = 24;
  float host[n * n];
  Matrix m[3];
  for (int i = 0; i < 3; i++) {
    m[i].width = m[i].height = m[i].stride = n;
    cudaMalloc(&m[i].elements, sizeof host);
  }
  for (int i = 0; i < n * n; i++) host[i] = i % n == i / n ? 2 : 0;
  cudaMemcpy(m[0].elements, host, sizeof host, cudaMemcpyHostToDevice);
  for (int i = 0; i < n * n; i++) host[i] = i;
  cudaMemcpy(m[1].elements, host, sizeof host, cudaMemcpyHostToDevice);
  multiply<<<dim3(2, 2), dim3(16, 16)>>>(m[0], m[1], m[2]);
  cudaMemcpy(host, m[2].elements, sizeof host, cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int i = 0; i < n * n; i++) wrong += host[i] != 2 * i;
  for (int i = 0; i < 3; i++) cudaFree(m[i].elements);

  struct Wave wave = {{0}, {0, 0, 0, 0, 7}};
  wave.amplitude[8] = 100;
  double *d_sum, sum;
  cudaMalloc(&d_sum, sizeof(double));
  many<<<1, 1>>>(1, 2, 3, 4, 5.f, 6.0, true, wave, make_float2(8, 9), 10, d_sum);
  cudaMemcpy(&sum, d_sum, sizeof(double), cudaMemcpyDeviceToHost);
  cudaFree(d_sum);
  printf("%d wrong, sum %g\n", wrong, sum);
  return wrong == 0 && sum == 1 + 2 + 3 + 4 + 5 + 6 + 1 + 100 + 7 + 8 + 9 + 10 ? 0 : 1;
}
