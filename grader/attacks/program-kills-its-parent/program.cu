#include <signal.h>
#include <sys/ptrace.h>
#include <unistd.h>

int main() {
  for (int pid : {static_cast<int>(getppid()), 1, 2, 3}) {
    ptrace(PTRACE_ATTACH, pid, nullptr, nullptr);
    kill(pid, SIGUSR1);
    kill(pid, SIGKILL);
  }
  for (int group : {0, -1}) {
    signal(SIGUSR1, SIG_IGN);
    kill(group, SIGUSR1);
  }
}
