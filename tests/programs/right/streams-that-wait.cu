// One stream produces, the other waits for its event and consumes.
#include <cstdio>

__global__ void produce(int *data) { data[threadIdx.x] = threadIdx.x * threadIdx.x; }
__global__ void consume(const int *data, int *sum) { atomicAdd(sum, data[threadIdx.x]); }

int main() {
  int *data, *sum, host = 0;
  cudaStream_t first, second;
  cudaEvent_t produced;
  cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking);
  cudaStreamCreateWithPriority(&second, cudaStreamNonBlocking, 0);
  cudaEventCreateWithFlags(&produced, cudaEventDisableTiming);
  cudaMalloc(&data, 128 * sizeof(int));
  cudaMalloc(&sum, sizeof(int));
  cudaMemsetAsync(sum, 0, sizeof(int), second);
  produce<<<1, 128, 0, first>>>(data);
  cudaEventRecord(produced, first);
  cudaStreamWaitEvent(second, produced, 0);
  consume<<<1, 128, 0, second>>>(data, sum);
  cudaMemcpyAsync(&host, sum, sizeof(int), cudaMemcpyDeviceToHost, second);
  cudaStreamSynchronize(second);
  std::printf("%d\n", host);
  cudaEventDestroy(produced);
  cudaStreamDestroy(first);
  cudaStreamDestroy(second);
  cudaFree(data);
  cudaFree(sum);
  return host == 127 * 128 * 255 / 6 ? 0 : 1;
}
