// A program as the front end leaves it for the host compiler. The test compiles it, and plays the
// parent. The first argument selects what it does. Valid C++11.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

struct dim3 {
  unsigned int x, y, z;
  constexpr dim3(unsigned int a = 1, unsigned int b = 1, unsigned int c = 1) : x(a), y(b), z(c) {}
};
#include "histolab/runtime_api.h"

#define KERNEL __attribute__((noipa, used, patchable_function_entry(32)))

struct Small {
  float a;
  int b;
};
struct Large {
  double values[4];
};

KERNEL void plain(const int*, int) { abort(); }
KERNEL void many(int, float, double, Small, Large, int, int, int, int, short, float) { abort(); }
template <class T>
KERNEL void typed(T*, T) {
  abort();
}
KERNEL void empty() { abort(); }
void not_a_kernel(int) { puts("ran on the host"); }
int table[4];

static void check(cudaError_t error, int line) {
  if (error != cudaSuccess) printf("line %d: %s\n", line, cudaGetErrorName(error));
}
#define CHECK(call) check(call, __LINE__)

static void launches() {
  int* d;
  CHECK(cudaMalloc(&d, 400));
  plain(d, 7), histolab_go(3, dim3(4, 5), 16);
  const Large large = {{1, 2, 3, 4}};
  many(1, 2.5f, 3.5, Small{4.5f, 5}, large, 6, 7, 8, 9, 10, 11.5f), histolab_go(1, 1);
  typed<float>(nullptr, 1.5f), histolab_go(1, 1);
  typed<char>(nullptr, 'x'), histolab_go(1, 1);
  void (*pointer)(const int*, int) = plain;
  pointer(d, 8), histolab_go(1, 1);
  int nine = 9;
  void* arguments[] = {&d, &nine};
  CHECK(cudaLaunchKernel(plain, 1, 2, arguments));
  CHECK(cudaLaunchKernel((void*)plain, 1, 2, arguments));
  CHECK(cudaLaunchCooperativeKernel(empty, 1, 1, nullptr));
  CHECK(cudaLaunchKernel(not_a_kernel, 1, 1, arguments));
  CHECK(cudaGetLastError());
  CHECK(cudaFree(d));
}

static void copies() {
  int values[4] = {1, 2, 3, 4}, back[4] = {0, 0, 0, 0};
  int* d;
  CHECK(cudaMalloc((void**)&d, sizeof values));
  CHECK(cudaMemcpy(d, values, sizeof values, cudaMemcpyHostToDevice));
  CHECK(cudaMemset(d + 1, 0xff, 4));
  CHECK(cudaMemcpy(back, d, sizeof back, cudaMemcpyDeviceToHost));
  printf("%d %d %d %d\n", back[0], back[1], back[2], back[3]);
  CHECK(cudaMemcpyToSymbol(table, values, 8, 8));
  CHECK(cudaMemcpyFromSymbol(back, table, 16));
  printf("%d %d %d %d\n", back[0], back[1], back[2], back[3]);
  size_t bytes = 0;
  CHECK(cudaGetSymbolSize(&bytes, table));
  int* address;
  CHECK(cudaGetSymbolAddress((void**)&address, table));
  CHECK(cudaMemcpy(back, address + 3, 4, cudaMemcpyDeviceToHost));
  printf("%zu %d\n", bytes, back[0]);
  char* rows;
  size_t pitch;
  CHECK(cudaMallocPitch(&rows, &pitch, 2, 2));
  CHECK(cudaMemcpy2D(rows, pitch, "abXcd", 3, 2, 2, cudaMemcpyHostToDevice));
  char text[5] = "";
  CHECK(cudaMemcpy2D(text, 2, rows, pitch, 2, 2, cudaMemcpyDeviceToHost));
  printf("%s\n", text);
  CHECK(cudaMemcpy(d, values, sizeof values, cudaMemcpyDeviceToHost));
  CHECK(cudaFree(d));
  CHECK(cudaFree(rows));
}

static void managed() {
  int* m;
  CHECK(cudaMallocManaged(&m, 4096 * sizeof(int)));
  for (int i = 0; i < 4096; ++i) m[i] = i;
  plain(m, 4096), histolab_go(1, 32);
  printf("%d\n", m[1]);  // too early
  CHECK(cudaDeviceSynchronize());
  printf("%d\n", m[4095]);
  plain(m, 4096), histolab_go(1, 32);
  CHECK(cudaDeviceSynchronize());
  printf("%d\n", m[4095]);
  CHECK(cudaFree(m));
}

static void pinned() {
  int *h, *d;
  cudaStream_t stream;
  CHECK(cudaStreamCreate(&stream));
  CHECK(cudaMallocHost(&h, 8192));
  CHECK(cudaMalloc(&d, 8192));
  h[0] = 1;
  CHECK(cudaMemcpyAsync(d, h, 8192, cudaMemcpyHostToDevice, stream));
  CHECK(cudaMemsetAsync(d, 0, 8192, stream));
  CHECK(cudaStreamSynchronize(stream));
  CHECK(cudaMemcpyAsync(h, d, 8192, cudaMemcpyDeviceToHost, stream));
  printf("%d\n", h[0]);  // too early
  CHECK(cudaStreamSynchronize(stream));
  printf("%d\n", h[0]);
  CHECK(cudaMemcpyAsync(h, d, 4096, cudaMemcpyDeviceToHost, stream));
  h[1024] = 5;  // another part
  CHECK(cudaStreamSynchronize(stream));
  CHECK(cudaStreamDestroy(stream));
  CHECK(cudaFree(d));
  CHECK(cudaFreeHost(h));
}

static void dereferences() {
  int* d;
  CHECK(cudaMalloc(&d, 400));
  printf("before\n");
  fflush(stdout);
  d[3] = 4;
  printf("after\n");
}

static void reads_beyond() {
  char* d;
  CHECK(cudaMalloc(&d, 1 << 26));
  char* small = (char*)malloc(16);
  CHECK(cudaMemcpy(d, small, 1 << 26, cudaMemcpyHostToDevice));
}

static void prints() {
  printf("host 1\n");
  empty(), histolab_go(1, 1);
  printf("host 2\n");
  CHECK(cudaDeviceSynchronize());
  printf("host 3\n");
}

int device_function(int) __asm__("histolab_on_host");
extern const int built_in __asm__("histolab_on_host_variable");

static void calls_device_function() { printf("%d\n", device_function(3)); }
static void reads_built_in() { printf("%d\n", built_in); }

static void* one_thread(void* number) {
  for (int i = 0; i < 200; ++i) {
    int* p;
    CHECK(cudaMalloc(&p, 64));
    plain(p, (int)(size_t)number), histolab_go(1, 1);
    CHECK(cudaFree(p));
  }
  return nullptr;
}

static void threads() {
  pthread_t all[4];
  for (size_t i = 0; i < 4; ++i) pthread_create(&all[i], nullptr, one_thread, (void*)i);
  for (pthread_t each : all) pthread_join(each, nullptr);
}

static void forks() {
  int* d;
  CHECK(cudaMalloc(&d, 4));
  fflush(stdout);
  const pid_t child = fork();
  if (child == 0) {
    int* other;
    printf("child: %s\n", cudaMalloc(&other, 4) == cudaErrorInitializationError ? "refused" : "?");
    fflush(stdout);
    _exit(0);
  }
  waitpid(child, nullptr, 0);
  CHECK(cudaFree(d));
}

static void CUDART_CB called(void* data) { ++*(int*)data; }

static void facts() {
  cudaDeviceProp properties;
  CHECK(cudaGetDeviceProperties(&properties, 0));
  int blocks = 0, grid = 0, block = 0, calls = 0;
  CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, plain, 256, 0));
  CHECK(cudaOccupancyMaxPotentialBlockSize(&grid, &block, plain));
  printf("%s %d %d %d\n", properties.name, blocks, grid, block);
  printf("%s, %s\n", cudaGetErrorString(cudaErrorIllegalAddress), cudaGetErrorName(cudaSuccess));
  cudaEvent_t begin, end;
  CHECK(cudaEventCreate(&begin));
  CHECK(cudaEventCreate(&end));
  CHECK(cudaEventRecord(begin));
  empty(), histolab_go(1, 1);
  CHECK(cudaEventRecord(end));
  CHECK(cudaEventSynchronize(end));
  float ms = 0;
  CHECK(cudaEventElapsedTime(&ms, begin, end));
  printf("%.2f\n", ms);
  CHECK(cudaLaunchHostFunc(nullptr, called, &calls));
  CHECK(cudaDeviceSynchronize());
  printf("%d\n", calls);
}

int main(int, char** argv) {
  const struct {
    const char* name;
    void (*run)();
  } all[] = {{"launches", launches},
             {"copies", copies},
             {"managed", managed},
             {"pinned", pinned},
             {"dereferences", dereferences},
             {"reads_beyond", reads_beyond},
             {"prints", prints},
             {"threads", threads},
             {"forks", forks},
             {"facts", facts},
             {"calls_device_function", calls_device_function},
             {"reads_built_in", reads_built_in}};
  for (const auto& each : all)
    if (strcmp(argv[1], each.name) == 0) each.run();
  return 0;
}
