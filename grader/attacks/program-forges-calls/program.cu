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

static char rest[4096];

int main() {
  int* sum;
  cudaMalloc(&sum, 4);
  cudaMemset(sum, 0, 4);
  count<<<1, 64>>>(sum);
  cudaDeviceSynchronize();
  const unsigned long known[] = {0, 1, ~0ul, 1ul << 63, 1ul << 31, 0x100000000000, 4096,
                                 reinterpret_cast<unsigned long>(sum),
                                 reinterpret_cast<unsigned long>(&sum),
                                 reinterpret_cast<unsigned long>(&main), 0x7fffffff, 1ul << 32};
  unsigned state = 7;
  const auto next = [&state] { return (state = state * 1664525u + 1013904223u) >> 8; };
  for (int i = 0; i < 20000; ++i) {
    Message message;
    message.function = next() % 150;
    message.caller = known[next() % 12];
    for (unsigned long& value : message.values) value = known[next() % 12];
    // The parent's answers are not read, until the socket is full.
    if (!send_bytes(&message, sizeof message)) break;
    iovec part{rest, sizeof rest};
    msghdr answer{};
    answer.msg_iov = &part;
    answer.msg_iovlen = 1;
    while (recvmsg(10, &answer, MSG_DONTWAIT) > 0) {
    }
  }
}
