#include <arpa/inet.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>
#include <cstring>

int main() {
  sockaddr_in there{};
  there.sin_family = AF_INET;
  there.sin_port = htons(@PORT@);
  there.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  int tcp = socket(AF_INET, SOCK_STREAM, 0);
  if (connect(tcp, reinterpret_cast<sockaddr*>(&there), sizeof there) == 0) write(tcp, "hello", 5);
  sockaddr_un file{};
  file.sun_family = AF_UNIX;
  std::strncpy(file.sun_path, "@SOCKET@", sizeof file.sun_path - 1);
  int local = socket(AF_UNIX, SOCK_STREAM, 0);
  if (connect(local, reinterpret_cast<sockaddr*>(&file), sizeof file) == 0) write(local, "hi", 2);
}
