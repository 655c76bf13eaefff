#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

int main() {
  const std::vector<char> mebibyte(1 << 20);
  int written = 0;
  for (const std::string variable : {"HOME", "TMPDIR"})
    for (int file = 0; file < 5; ++file) {
      std::ofstream to(std::getenv(variable.c_str()) +
                       ("/large-" + variable + std::to_string(file)));
      for (int i = 0; i < 63 && to; ++i)
        if (to.write(mebibyte.data(), mebibyte.size()).flush()) ++written;
    }
  std::printf("wrote %d MiB\n", written);
  return written > 200 ? 1 : 0;
}
