#include <cstdlib>
#include <fstream>
#include <string>

int main() {
  const std::string folder = std::getenv("HOME");
  for (int i = 0; i < 1000000; ++i) std::ofstream(folder + "/small-" + std::to_string(i)) << i;
}
