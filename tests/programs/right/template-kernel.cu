// A reduction as a template: types, sizes and operations are its parameters.
#include <cstdio>
#include <vector>

struct Plus {
  template <class T>
  __device__ __host__ T operator()(T a, T b) const { return a + b; }
};
struct Maximum {
  template <class T>
  __device__ __host__ T operator()(T a, T b) const { return a > b ? a : b; }
};

template <class T, int block, class Operation>
__global__ void reduce(const T* in, int n, T* out, T neutral, Operation op) {
  __shared__ T part[block];
  T own = neutral;
  for (int i = threadIdx.x; i < n; i += block) own = op(own, in[i]);
  part[threadIdx.x] = own;
  __syncthreads();
  for (int half = block / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) part[threadIdx.x] = op(part[threadIdx.x], part[threadIdx.x + half]);
    __syncthreads();
  }
  if (threadIdx.x == 0) *out = part[0];
}

template <int block = 128, class T, class Operation>
T reduced(const std::vector<T>& values, T neutral, Operation op) {
  T *in, *out, result;
  cudaMalloc(&in, values.size() * sizeof(T));
  cudaMalloc(&out, sizeof(T));
  cudaMemcpy(in, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice);
  reduce<T, block><<<1, block>>>(in, static_cast<int>(values.size()), out, neutral, op);
  cudaMemcpy(&result, out, sizeof(T), cudaMemcpyDeviceToHost);
  cudaFree(in);
  cudaFree(out);
  return result;
}

int main() {
  std::vector<int> ints(1000);
  std::vector<double> doubles(777, 0.25);
  for (int i = 0; i < 1000; ++i) ints[i] = (i * 37) % 1000;
  const int sum = reduced(ints, 0, Plus()), most = reduced<64>(ints, 0, Maximum());
  const double all = reduced<256>(doubles, 0.0, Plus());
  std::printf("%d %d %g\n", sum, most, all);
  return sum == 499500 && most == 999 && all == 777 * 0.25 ? 0 : 1;
}
