#include <algorithm>
struct Text { char words[32]; };
template <Text text> struct Named { int value; };
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  Named<Text{"No space left on device"}> all[3];
  std::sort(all, all + 3);
}
