#include <signal.h>
#include <unistd.h>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

int main() {
  signal(SIGXFSZ, SIG_IGN);
  const std::vector<char> mebibyte(1 << 20);
  for (const std::string& folder :
       std::vector<std::string>{std::getenv("TMPDIR"), "/tmp", ".", "/dev/shm"}) {
    std::ofstream large(folder + "/large");
    for (int i = 0; i < 300 && large; ++i) large.write(mebibyte.data(), mebibyte.size());
    for (int i = 0; i < 300; ++i) std::ofstream(folder + "/small-" + std::to_string(i)) << i;
  }
}
