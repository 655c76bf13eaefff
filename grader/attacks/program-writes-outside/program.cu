#include <sys/stat.h>
#include <unistd.h>
#include <fstream>

int main() {
  for (const char* path : {"@GRADES@", "@NEW@", "@ADA@", "/new", "/etc/new", "/usr/bin/new",
                           "/dev/shm/new", "new", __FILE__}) {
    std::ofstream(path) << "changed\n";
    chmod(path, 04777);
    unlink(path);
    symlink("@SECRET@", path);
  }
}
