int main() {
  for (int i = 0; i < 400'000; ++i) cudaFree(reinterpret_cast<void*>(0x100000000000ul + 64 * i));
}
