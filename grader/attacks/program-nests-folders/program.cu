#include <sys/stat.h>
#include <unistd.h>
#include <cstdlib>

int main() {
  if (chdir(std::getenv("HOME")) != 0) return 1;
  mkdir("closed", 0);
  for (int i = 0; i < 3000; ++i)
    if (mkdir("inner", 0755) != 0 || chdir("inner") != 0) break;
}
