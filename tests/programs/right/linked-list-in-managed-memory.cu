// Nodes of a class whose operator new allocates managed memory.
#include <cstdio>
#include <new>

struct Managed {
  void* operator new(size_t bytes) {
    void* memory = nullptr;
    if (cudaMallocManaged(&memory, bytes) != cudaSuccess) throw std::bad_alloc();
    return memory;
  }
  void operator delete(void* memory) {
    cudaDeviceSynchronize();
    cudaFree(memory);
  }
};

struct Node : Managed {
  int value = 0;
  Node* next = nullptr;
};

__global__ void increment(Node* first) {
  for (Node* node = first; node != nullptr; node = node->next) node->value += 10;
}

int main() {
  Node* first = nullptr;
  for (int i = 0; i < 6; ++i) {
    Node* node = new Node;
    node->value = i;
    node->next = first;
    first = node;
  }
  increment<<<1, 1>>>(first);
  cudaDeviceSynchronize();
  int sum = 0;
  while (first != nullptr) {
    Node* next = first->next;
    sum += first->value;
    delete first;
    first = next;
  }
  std::printf("%d\n", sum);
  return sum == 75 ? 0 : 1;
}
