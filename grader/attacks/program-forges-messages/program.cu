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

int main() {
  int* sum;
  cudaMalloc(&sum, 4);
  cudaMemset(sum, 0, 4);
  count<<<1, 64>>>(sum);
  cudaDeviceSynchronize();
  Message message;
  message.function = 0xffffffff;
  for (unsigned long& value : message.values) value = ~0ul;
  send_bytes(&message, sizeof message);
  message.magic = 0;
  for (int i = 0; i < 1000; ++i) send_bytes(&message, 1 + i % sizeof message);
}
