// Three files: C++ host code, and two CUDA files with a shared header.
#include <cstdio>
#include <vector>

#include "image.h"

int main() {
  std::vector<int> values(400);
  for (int i = 0; i < 400; ++i) values[i] = 400 - i;
  Image image(values.data(), 400);
  brighten(image, 5);
  image.fetch(values.data());
  std::printf("%d %d\n", values[0], total(image));
  return values[0] == 405 && total(image) == 400 * 401 / 2 + 5 * 400 ? 0 : 1;
}
