__global__ void count(int* sum) {
#line 7 "\033[2J\033]0;passed\007\xe2\x80\xae.cu"
  *sum += threadIdx.x;
}
int main() {
  int* sum;
  cudaMalloc(&sum, 4);
  cudaMemset(sum, 0, 4);
  count<<<1, 64>>>(sum);
  cudaFree(sum);
}
