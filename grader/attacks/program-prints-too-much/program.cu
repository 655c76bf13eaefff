#include <cstdio>
#include <cstring>

int main() {
  static char line[1 << 16];
  std::memset(line, 'x', sizeof line - 2);
  line[sizeof line - 2] = '\n';
  for (int i = 0; i < 2000; ++i) {
    std::fputs(line, stdout);
    std::fputs(line, stderr);
  }
}
