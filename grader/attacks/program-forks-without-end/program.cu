#include <unistd.h>

int main() {
  for (int i = 0; i < 12; ++i) (void)!fork();
  usleep(100'000);
}
