#include <sys/socket.h>
#include <sys/uio.h>

// A message to the parent process, as the library sends it.
struct Message {
  unsigned magic = 0x434c4348, has_arguments = 0, function = 0, pad = 0;
  unsigned long caller = 0, values[12] = {};
};

static bool send_bytes(const void* bytes, unsigned long count) {
  iovec part{const_cast<void*>(bytes), count};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  return sendmsg(10, &message, MSG_NOSIGNAL) == static_cast<long>(count);
}

__global__ void count(int* sum) { *sum += threadIdx.x; }

struct Launch {
  unsigned long kernel, unit;
  unsigned grid[3], block[3];
  unsigned long shared, stream;
};

int main() {
  int* sum;
  cudaMalloc(&sum, 4);
  cudaMemset(sum, 0, 4);
  for (unsigned long kernel : {0ul, ~0ul, 0x555555554000ul, reinterpret_cast<unsigned long>(&main)})
    for (unsigned size : {0u, 1u, 0x7fffffffu, ~0u})
      (void)cudaLaunchKernel(reinterpret_cast<void*>(kernel), dim3(size, size, size),
                             dim3(size, 1, size), nullptr, 1ul << 40, nullptr);
  for (unsigned long address : {0x7fffffffe000ul, 0x555555555000ul, 0x1000ul, 0x100000000000ul})
    count<<<1, 1>>>(reinterpret_cast<int*>(address));
  cudaDeviceSynchronize();
}
