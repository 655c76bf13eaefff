// A host program of C++ and CUDA files; the CUDA file leaks.
#include <cstdio>

float norm(const float* values, int n);

int main() {
  float values[100];
  for (float& each : values) each = 0.5f;
  std::printf("%g\n", norm(values, 100));
}
