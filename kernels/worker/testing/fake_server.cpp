// A server as histolab-worker is one, but its children become a shell script and keep all that they have.
//
//   histolab_fake_server SCRIPT
#include <unistd.h>

#include "kernels/worker/processes/server.h"

int main(int, char** words) {
  histolab::kernels::worker::serve([](bool) { return true; });
  char* nothing = nullptr;  // a shell that started this one has left variables of its own
  execle("/bin/sh", "/bin/sh", words[1], "run", nullptr, &nothing);
  return 127;
}
