// The program ends without waiting for the kernel, whose output may be lost.
#include <stdio.h>

__global__ void hello(void) { printf("hello from thread %d\n", threadIdx.x); }

int main(void) {
  hello<<<1, 4>>>();  // finding: missing_synchronization
  return 0;
}
