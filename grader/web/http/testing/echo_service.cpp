// A service for tests of the front by other programs: answers each request with its path.
// "/page" is a page of 3 kB, "/stream" a reply in parts that ends when its client leaves.
//
//   web_echo_service FRONT [CERTIFICATE KEY]     prints its port; ends at the end of its input
#include <poll.h>

#include <cstdio>
#include <string>
#include <variant>

#include "grader/web/http/front.h"

int main(int count, char** words) {
  using namespace histolab::web;
  FrontOptions options;
  options.program = count > 1 ? words[1] : "";
  options.port = 0;
  if (count > 3) {
    options.certificate = words[2];
    options.key = words[3];
  }
  const auto front = Front::start(options);
  if (!front) {
    std::fprintf(stderr, "%s\n", front.error().message.c_str());
    return 1;
  }
  std::printf("%d %d\n", (*front)->port(), (*front)->process());
  std::fflush(stdout);
  const std::string page(3000, 'a');
  for (;;) {
    pollfd both[] = {{(*front)->descriptor(), POLLIN, 0}, {0, POLLIN, 0}};
    poll(both, 2, -1);
    if (both[1].revents != 0) return 0;
    const auto events = (*front)->take();
    if (!events) {
      std::fprintf(stderr, "%s\n", events.error().message.c_str());
      return 1;
    }
    for (const FrontEvent& event : *events) {
      if (const auto* left = std::get_if<Left>(&event)) {
        std::printf("left %llu\n", static_cast<unsigned long long>(left->number));
        std::fflush(stdout);
      }
      const auto* asked = std::get_if<Asked>(&event);
      if (asked == nullptr) continue;
      const Request& request = asked->request;
      if (request.path == "/stream") {
        (*front)->begin(asked->number, 200, {{"Content-Type", "application/x-ndjson"}});
        (*front)->send(asked->number, "{}\n");
      } else {
        (*front)->reply(asked->number, {200, {}, request.path == "/page" ? page : request.path});
      }
    }
  }
}
