// The real histolab-front, with this test as the service and as its clients.
#include "grader/web/http/front.h"

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <deque>
#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>
#include <thread>

#include "grader/web/http/framing.h"
#include "grader/web/http/testing/browser.h"
#include "kernels/worker/processes/temporary_folder.h"
#include "reference/testing/wait_until.h"

namespace histolab::web {
namespace {

using kernels::worker::TemporaryFolder;
using reference::testing::wait_until;
using testing::Browser;

FrontOptions options() {
  FrontOptions made;
  made.program = HISTOLAB_BIN "/histolab-front";
  made.port = 0;
  return made;
}

std::unique_ptr<Front> started(const FrontOptions& how = options()) {
  auto front = Front::start(how);
  if (!front) FAIL(front.error().message);
  return std::move(*front);
}

// Waits until take() may have something.
void wait_for(const Front& front) {
  pollfd one{front.descriptor(), POLLIN, 0};
  const std::chrono::milliseconds most = reference::testing::patience;
  REQUIRE_EQ(poll(&one, 1, static_cast<int>(most.count())), 1);
}

// The service of a test: takes events one by one.
class Service {
 public:
  explicit Service(const FrontOptions& how = options()) : front(started(how)) {}

  FrontEvent next() {
    while (events_.empty()) {
      wait_for(*front);
      auto taken = front->take();
      if (!taken) FAIL(taken.error().message);
      for (FrontEvent& event : *taken) events_.push_back(std::move(event));
    }
    FrontEvent event = std::move(events_.front());
    events_.pop_front();
    return event;
  }
  Asked asked() {
    FrontEvent event = next();
    REQUIRE(std::holds_alternative<Asked>(event));
    return std::get<Asked>(std::move(event));
  }
  RequestNumber left() {
    const FrontEvent event = next();
    REQUIRE(std::holds_alternative<Left>(event));
    return std::get<Left>(event).number;
  }
  Browser browser() { return Browser(front->port()); }

  std::unique_ptr<Front> front;

 private:
  std::deque<FrontEvent> events_;
};

// A service on a thread of its own, which answers each request with its path.
class Echo {
 public:
  explicit Echo(const FrontOptions& how = options()) : front(started(how)) {
    thread_ = std::thread([this] { serve(); });
  }
  ~Echo() {
    stop_ = true;
    thread_.join();
  }
  std::unique_ptr<Front> front;
  std::atomic<int> requests = 0;
  std::atomic<bool> has_ended = false;

 private:
  void serve() {
    while (!stop_) {
      pollfd one{front->descriptor(), POLLIN, 0};
      poll(&one, 1, 10);
      const auto events = front->take();
      if (!events) {
        has_ended = true;
        return;
      }
      for (const FrontEvent& event : *events)
        if (const auto* asked = std::get_if<Asked>(&event)) {
          ++requests;
          front->reply(asked->number, {200, {}, asked->request.path});
        }
    }
  }
  std::atomic<bool> stop_ = false;
  std::thread thread_;
};

const std::string get = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";

std::string status_of(const std::string& reply) { return reply.substr(0, reply.find('\r')); }

TEST_CASE("a request reaches the service, and its reply the client") {
  Service service;
  Browser browser = service.browser();
  browser.say(
      "GET /lab/a%20b?x=1&y=%C3%BC HTTP/1.1\r\nHost: 127.0.0.1\r\nUser-Agent: test\r\n"
      "ACCEPT: text/html\r\nAccept: */*\r\nCookie: a=1\r\nCookie: b=2\r\n\r\n");
  const Asked asked = service.asked();
  CHECK(asked.request ==
        Request{"GET",
                "/lab/a b",
                {{"x", "1"}, {"y", "\xc3\xbc"}},
                {{"host", "127.0.0.1"}, {"accept", "text/html, */*"}, {"cookie", "a=1; b=2"}},
                "",
                "127.0.0.1"});
  service.front->reply(asked.number, {404, {{"Content-Type", "text/plain"}, {"X-A", "b"}}, "none"});
  const std::string reply = browser.reply();
  CHECK_EQ(status_of(reply), "HTTP/1.1 404 Not Found");
  CHECK_NE(reply.find("\r\nContent-Type: text/plain\r\n"), reply.npos);
  CHECK_NE(reply.find("\r\nX-A: b\r\n"), reply.npos);
  CHECK(reply.ends_with("\r\n\r\nnone"));
}

TEST_CASE("a body of any bytes reaches the service, up to the largest") {
  Service service;
  Browser browser = service.browser();
  std::mt19937 random(1);
  for (const std::size_t size : {std::size_t{0}, std::size_t{1}, most_body_bytes}) {
    std::string body(size, '\0');
    for (char& byte : body) byte = static_cast<char>(random());
    browser.say(fmt::format("POST /save HTTP/1.1\r\nHost: a\r\nContent-Length: {}\r\n\r\n", size));
    browser.say(body);
    const Asked asked = service.asked();
    CHECK_EQ(asked.request.method, "POST");
    CHECK(asked.request.body == body);
    service.front->reply(asked.number, {200, {}, body});
    CHECK(browser.reply().ends_with(body));
  }
}

TEST_CASE("a large reply arrives as a whole") {
  Service service;
  Browser browser = service.browser();
  browser.say(get);
  const std::string body(20 << 20, 'a');
  service.front->reply(service.asked().number, {200, {}, body});
  CHECK(browser.reply().ends_with(body));
}

TEST_CASE("each part of a reply arrives when it is sent") {
  Service service;
  Browser browser = service.browser();
  browser.say(get);
  const RequestNumber number = service.asked().number;
  service.front->begin(number, 200, {{"Content-Type", "application/x-ndjson"}});
  CHECK_NE(browser.hear("\r\n\r\n").find("Transfer-Encoding: chunked"), std::string::npos);
  for (int i = 0; i < 100; ++i) {
    const std::string line = fmt::format("{{\"line\":{}}}\n", i);
    service.front->send(number, line);
    // The next one is sent only after this one has arrived.
    CHECK_NE(browser.hear("}\n").find(fmt::format("\":{}", i)), std::string::npos);
  }
  service.front->end(number);
  CHECK(browser.hear("0\r\n\r\n").ends_with("0\r\n\r\n"));
  browser.say(get);  // on the same connection
  service.front->reply(service.asked().number, {200, {}, "next"});
  CHECK(browser.reply().ends_with("next"));
}

TEST_CASE("parts that are sent together arrive in order") {
  Service service;
  Browser browser = service.browser();
  browser.say("GET / HTTP/1.0\r\nHost: a\r\n\r\n");  // 1.0: without chunks
  const RequestNumber number = service.asked().number;
  service.front->begin(number, 200, {});
  std::string all;
  for (int i = 0; i < 1000; ++i) {
    const std::string line = fmt::format("line {}\n", i);
    service.front->send(number, line);
    all += line;
  }
  service.front->end(number);
  CHECK(browser.rest().ends_with("\r\n\r\n" + all));
}

TEST_CASE("the service learns at once that a client has left") {
  Service service;
  Browser browser = service.browser();
  browser.say(get);
  const RequestNumber number = service.asked().number;
  SUBCASE("while it waits for a reply") {}
  SUBCASE("while it waits for the next part") {
    service.front->begin(number, 200, {});
    service.front->send(number, "line\n");
    browser.hear("line\n");
  }
  browser.close();
  CHECK_EQ(service.left(), number);
  service.front->send(number, "nobody reads this\n");
  service.front->end(number);
  service.front->reply(number, {});
  Browser other = service.browser();
  other.say(get);
  service.front->reply(service.asked().number, {200, {}, "other"});
  CHECK(other.reply().ends_with("other"));
}

TEST_CASE("a client that sends no more still gets a reply that has begun to arrive") {
  Service service;
  Browser browser = service.browser();
  browser.say(get);
  const std::string body(20 << 20, 'a');
  service.front->reply(service.asked().number, {200, {}, body});
  const std::string head = browser.hear("\r\n\r\n");
  browser.finish();
  CHECK_EQ(browser.rest().size(), body.size());
}

TEST_CASE("a second reply to a request ends its connection, and nothing else") {
  Service service;
  Browser browser = service.browser(), other = service.browser();
  browser.say(get);
  const RequestNumber number = service.asked().number;
  service.front->begin(number, 200, {});
  service.front->reply(number, {});
  browser.rest();
  other.say(get);
  service.front->reply(service.asked().number, {200, {}, "other"});
  CHECK(other.reply().ends_with("other"));
}

TEST_CASE("a client that reads too slowly loses its connection, and others do not notice") {
  Service service;
  Browser slow = service.browser();
  slow.say(get);
  const RequestNumber number = service.asked().number;
  service.front->begin(number, 200, {});
  const std::string part(64 << 10, 'a');
  std::size_t sent = 0;
  bool left = false;
  while (!left) {
    service.front->send(number, part);
    sent += part.size();
    Browser other = service.browser();
    other.say(get);
    const FrontEvent event = service.next();
    left = std::holds_alternative<Left>(event);
    const RequestNumber asks = left ? service.asked().number : std::get<Asked>(event).number;
    service.front->reply(asks, {200, {}, "other"});
    CHECK(other.reply().ends_with("other"));
    REQUIRE_LT(sent, std::size_t{1} << 30);
  }
  CHECK_GT(sent, most_waiting_bytes);
  slow.rest();
}

TEST_CASE("a reply to HEAD has the size of the body, but not the body") {
  Service service;
  Browser browser = service.browser();
  browser.say("HEAD / HTTP/1.1\r\nHost: a\r\n\r\n");
  const Asked asked = service.asked();
  CHECK_EQ(asked.request.method, "HEAD");
  service.front->reply(asked.number, {200, {}, "body"});
  CHECK_NE(browser.hear("\r\n\r\n").find("Content-Length: 4\r\n"), std::string::npos);
  browser.say("HEAD /b HTTP/1.1\r\nHost: a\r\n\r\n");
  const Asked second = service.asked();
  service.front->begin(second.number, 200, {});
  CHECK_EQ(status_of(browser.hear("\r\n\r\n")), "HTTP/1.1 200 OK");
  CHECK_EQ(browser.rest(), "");
  CHECK_EQ(service.left(), second.number);  // it reads no parts
}

TEST_CASE("requests on one connection are answered in order, also if they arrive together") {
  Service service;
  Browser browser = service.browser();
  browser.say("GET /a HTTP/1.1\r\nHost: a\r\n\r\nGET /b HTTP/1.1\r\nHost: a\r\n\r\n");
  for (const std::string path : {"/a", "/b"}) {
    const Asked asked = service.asked();
    CHECK_EQ(asked.request.path, path);
    service.front->reply(asked.number, {200, {}, asked.request.path});
    CHECK(browser.reply().ends_with("\r\n\r\n" + path));
  }
}

TEST_CASE("replies need not come in the order of the requests") {
  Service service;
  Browser first = service.browser(), second = service.browser();
  first.say(get);
  const RequestNumber of_first = service.asked().number;
  second.say(get);
  service.front->reply(service.asked().number, {200, {}, "second"});
  CHECK(second.reply().ends_with("second"));
  service.front->reply(of_first, {200, {}, "first"});
  CHECK(first.reply().ends_with("first"));
}

TEST_CASE("the front answers faulty requests, and they do not reach the service") {
  Service service;
  const std::string host = " HTTP/1.1\r\nHost: a\r\n";
  const std::string large = std::to_string(most_body_bytes + 1);
  const std::pair<std::string, std::string> rows[] = {
      {"GET /a/../b" + host + "\r\n", "400"},
      {"GET /%2e%2e" + host + "\r\n", "400"},
      {"GET /%" + host + "\r\n", "400"},
      {"GET /%00" + host + "\r\n", "400"},
      {"GET /?x=%ff" + host + "\r\n", "400"},
      {"GET http://a/" + host + "\r\n", "400"},
      {"GET //" + host + "\r\n", "404"},
      {"GET /" + std::string(most_path_bytes, 'a') + host + "\r\n", "414"},
      {"GET /" + std::string(200'000, 'a') + host + "\r\n", "414"},
      {"GET / HTTP/1.1\r\n\r\n", "400"},
      {"GET / HTTP/1.0\r\n\r\n", "400"},
      {"GET /" + host + "Host: b\r\n\r\n", "400"},
      {"GET /" + host + "Origin: a\r\nOrigin: b\r\n\r\n", "400"},
      {"GET /" + host + "Accept: \x01\r\n\r\n", "400"},
      {"GET /" + host + "User-Agent: \xff\r\n\r\n", "400"},
      {"GET /" + host + "A: " + std::string(most_header_bytes, 'a') + "\r\n\r\n", "431"},
      {"PUT /" + host + "\r\n", "405"},
      {"OPTIONS /" + host + "\r\n", "405"},
      {"get /" + host + "\r\n", "405"},
      {"GET /" + host + "Content-Length: 1\r\n\r\na", "400"},
      {"POST /" + host + "Content-Length: a\r\n\r\n", "400"},
      {"POST /" + host + "Content-Length: 1\r\nContent-Length: 2\r\n\r\nab", "400"},
      {"POST /" + host + "Transfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\n\r\n", "411"},
      {"POST /" + host + "Content-Length: " + large + "\r\n\r\n" +
           std::string(most_body_bytes + 1, 'a'),
       "413"},
      {"POST /" + host + "Content-Length: 99999999999\r\n\r\n", "413"},
  };
  for (const auto& [request, status] : rows) {
    CAPTURE(request.substr(0, 80));
    Browser browser = service.browser();
    browser.say(request);
    CHECK_EQ(browser.hear("\r\n\r\n").substr(0, 12), "HTTP/1.1 " + status);
    browser.rest();  // the connection is closed
  }
  Browser browser = service.browser();
  browser.say("GET /good HTTP/1.1\r\nHost: a\r\n\r\n");
  CHECK_EQ(service.asked().request.path, "/good");
}

TEST_CASE("the header of a trusted proxy reaches the service, and only if it is set") {
  for (const std::string header : {"", "x-user"}) {
    FrontOptions how = options();
    how.proxy_header = header;
    Service service(how);
    Browser browser = service.browser();
    browser.say("GET / HTTP/1.1\r\nHost: a\r\nX-User: ada\r\n\r\n");
    CHECK_EQ(service.asked().request.headers.contains("x-user"), !header.empty());
  }
}

TEST_CASE("hundreds of silent and slow clients do not delay another one") {
  Echo service;
  std::deque<Browser> silent, slow;
  for (int i = 0; i < 400; ++i) {
    silent.emplace_back(service.front->port());
    slow.emplace_back(service.front->port());
  }
  const std::string request = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nabc";
  for (const char byte : request) {
    for (Browser& each : slow) REQUIRE(each.say({&byte, 1}));
    Browser browser(service.front->port());
    browser.say("GET /now HTTP/1.1\r\nHost: a\r\n\r\n");
    CHECK(browser.reply().ends_with("/now"));
  }
  CHECK_EQ(service.requests, static_cast<int>(request.size()));
  for (Browser& each : slow) REQUIRE(each.say("defghi"));
  for (Browser& each : slow) REQUIRE(each.reply().ends_with("/"));
}

TEST_CASE("the front closes idle connections, but not a stream") {
  FrontOptions how = options();
  how.idle = std::chrono::seconds{1};
  Service service(how);
  Browser stream = service.browser(), silent = service.browser(), idle = service.browser(),
          half = service.browser();
  stream.say(get);
  const RequestNumber number = service.asked().number;
  service.front->begin(number, 200, {});
  service.front->send(number, "first\n");
  idle.say(get);
  service.front->reply(service.asked().number, {200, {}, "idle"});
  CHECK(idle.reply().ends_with("idle"));
  half.say("GET / HTTP/1.1\r\nHo");
  for (Browser* each : {&silent, &idle, &half}) each->rest();
  service.front->send(number, "last\n");
  CHECK_NE(stream.hear("last\n").find("first\n"), std::string::npos);
}

TEST_CASE("the front closes a connection whose request arrives byte by byte for too long") {
  FrontOptions how = options();
  how.whole_request = std::chrono::seconds{1};
  Service service(how);
  Browser headers = service.browser(), body = service.browser(), stream = service.browser();
  stream.say(get);
  const RequestNumber number = service.asked().number;
  service.front->begin(number, 200, {});
  headers.say("GET / HTTP/1.1\r\nHost: a\r\nA: ");
  body.say("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 300000\r\n\r\n");
  for (Browser* each : {&headers, &body})
    CHECK(wait_until([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds{20});
      return !each->say("a") || each->is_closed();
    }));
  service.front->send(number, "last\n");
  CHECK_NE(stream.hear("last\n").find("last"), std::string::npos);
}

TEST_CASE("the front closes a connection whose client takes too long for a reply") {
  FrontOptions how = options();
  how.whole_reply = std::chrono::seconds{1};
  Service service(how);
  Browser browser = service.browser();
  browser.say(get);
  service.front->reply(service.asked().number, {200, {}, std::string(20 << 20, 'a')});
  CHECK(wait_until([&] { return !browser.say("a"); }));
  CHECK_LT(browser.rest().size(), std::size_t{20} << 20);
}

TEST_CASE("the front serves the addresses of IPv6, too") {
  FrontOptions how = options();
  how.address = "::1";
  const auto front = Front::start(how);
  if (!front) {
    MESSAGE("skipped: " << front.error().message);
    return;
  }
  Service service(how);
  Browser browser(service.front->port(), true);
  browser.say(get);
  const Asked asked = service.asked();
  CHECK_EQ(asked.request.peer, "::1");
  service.front->reply(asked.number, {200, {}, "six"});
  CHECK(browser.reply().ends_with("six"));
}

std::string status_line(const std::filesystem::path& folder, const std::string& name) {
  std::ifstream status(folder / "status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with(name + ":")) return line.substr(name.size() + 2);
  return "";
}

std::filesystem::path folder_of(int process) { return fmt::format("/proc/{}", process); }

TEST_CASE("each thread of the process has a filter of system calls, and the process has limits") {
#ifdef HISTOLAB_SANITIZED
  MESSAGE("skipped: a build with sanitizers confines nothing");
#else
  Service service;
  const std::filesystem::path folder = folder_of(service.front->process());
  int threads = 0;
  for (const auto& thread : std::filesystem::directory_iterator(folder / "task")) {
    CHECK_EQ(status_line(thread.path(), "NoNewPrivs"), "1");
    CHECK_EQ(status_line(thread.path(), "Seccomp"), "2");
    ++threads;
  }
  CHECK_GT(threads, 4);
  std::stringstream limits;
  limits << std::ifstream(folder / "limits").rdbuf();
  for (const char* limit : {"Max core file size        0", "Max file size             0",
                            "Max data size             1073741824"})
    CHECK_NE(limits.str().find(limit), std::string::npos);
#endif
}

TEST_CASE("the process ends with the service, and the service learns that it has ended") {
  Service service;
  const int process = service.front->process();
  SUBCASE("a Front that is destroyed") {
    service.front.reset();
    CHECK_EQ(kill(process, 0), -1);
  }
  SUBCASE("a signal") {
    kill(process, SIGTERM);
    CHECK(wait_until([&] { return !service.front->take(); }));
    CHECK_FALSE(service.front->take());
    service.front->reply(1, {});
  }
}

TEST_CASE("the process ends if the service is killed") {
  int ends[2];
  REQUIRE_EQ(pipe(ends), 0);
  const pid_t child = fork();
  if (child == 0) {
    const auto front = Front::start(options());
    const int process = front ? (*front)->process() : -1;
    if (write(ends[1], &process, sizeof process) != sizeof process) _exit(1);
    for (;;) pause();
  }
  int process = -1;
  REQUIRE_EQ(read(ends[0], &process, sizeof process), sizeof process);
  REQUIRE_GT(process, 0);
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  CHECK(wait_until([&] {
    const std::string state = status_line(folder_of(process), "State");
    return state.empty() || state.starts_with('Z');
  }));
  close(ends[0]);
  close(ends[1]);
}

TEST_CASE("a reply that was given before the end is still sent") {
  Service service;
  Browser browser = service.browser();
  browser.say(get);
  service.front->reply(service.asked().number, {200, {}, "last words"});
  service.front.reset();
  CHECK(browser.rest().ends_with("last words"));
}

std::string error_of(const FrontOptions& how) {
  const auto front = Front::start(how);
  return front ? "" : front.error().message;
}

TEST_CASE("a front that cannot start says why, and what to do") {
  const auto front = started();
  FrontOptions how = options();
  how.port = front->port();
  CHECK_EQ(error_of(how), fmt::format("cannot listen on port {} of 127.0.0.1: another program "
                                      "listens there: end it, or choose another port",
                                      how.port));
  how = options();
  how.address = "localhost";
  CHECK_EQ(error_of(how), "\"localhost\" is not an IP address: give one such as 127.0.0.1 or ::1");
  how = options();
  how.address = "192.0.2.1";
  CHECK_EQ(error_of(how),
           "cannot listen on port 0 of 192.0.2.1: this machine does not have that address");
  how = options();
  how.program = "/no/such/program";
  CHECK_EQ(error_of(how),
           "the web front (histolab-front) has ended. Does this version of histolab have it, "
           "complete?");
  how = options();
  how.certificate = "/a.pem";
  CHECK_EQ(error_of(how), "TLS needs both a certificate and its key: give both files, or neither");
  how = options();
  how.proxy_header = "X Y";
  CHECK_NE(error_of(how), "");
}

TEST_CASE("a reply that HTTP cannot carry becomes status 500") {
  Service service;
  Browser browser = service.browser();
  browser.say(get);
  service.front->reply(service.asked().number, {200, {{"Location", "/\r\nX: y"}}, "a"});
  CHECK_EQ(status_of(browser.reply()), "HTTP/1.1 500 Internal Server Error");
  browser.say(get);
  service.front->begin(service.asked().number, 999, {});
  CHECK_EQ(status_of(browser.reply()), "HTTP/1.1 500 Internal Server Error");
}

// A front that an attacker has taken over: it sends these bytes, and reads nothing.
class Hostile {
 public:
  explicit Hostile(const std::string& bytes) : folder_(std::move(*TemporaryFolder::make())) {
    const std::string bytes_file = folder_.path() + "/bytes", program = folder_.path() + "/front";
    std::ofstream(bytes_file) << bytes;
    std::ofstream(program) << "#!/bin/sh\n/bin/cat " << bytes_file
                           << " >&3\nexec /bin/sleep 10000\n";
    std::filesystem::permissions(program, std::filesystem::perms::owner_all);
    FrontOptions how = options();
    how.program = program;
    auto made = Front::start(how);
    if (made)
      front = std::move(*made);
    else
      error = made.error().message;
  }
  // Takes until there is an error, and returns it.
  std::string first_error() {
    if (front == nullptr) return error;
    while (error.empty()) {
      wait_for(*front);
      auto taken = front->take();
      if (!taken)
        error = taken.error().message;
      else
        for (FrontEvent& event : *taken) events.push_back(std::move(event));
    }
    return error;
  }
  std::unique_ptr<Front> front;
  std::string error;
  std::vector<FrontEvent> events;

 private:
  TemporaryFolder folder_;
};

TEST_CASE("a front that breaks the protocol is reported, and its requests are checked") {
  const std::string hello = framed(FromFront{Started{}}), faulty = std::string(4, '\0');
  const Request good{"GET", "/", {}, {{"host", "a"}}, "", "127.0.0.1"};
  const auto asked = [](RequestNumber number, const Request& request) {
    return framed(FromFront{Asked{number, request}});
  };
  CHECK_EQ(Hostile(faulty).error,
           "the web front (histolab-front) sent a message of a forbidden "
           "size. Does this version of histolab have it, complete?");
  CHECK_EQ(Hostile(asked(1, good)).error,
           "the web front (histolab-front) did not answer its settings");
  CHECK_EQ(Hostile(framed(FromFront{Failed{"no key"}})).error, "no key");
  CHECK_EQ(Hostile(hello + faulty).first_error(),
           "the web front (histolab-front) sent a message of a forbidden size");
  const std::string broken = "the web front (histolab-front) sent a request that breaks a rule";
  for (const auto change :
       {+[](Request& of) { of.path = "/a/../b"; }, +[](Request& of) { of.method = "PUT"; },
        +[](Request& of) { of.headers["x-user"] = "teacher"; },
        +[](Request& of) { of.peer = "a"; }}) {
    Request request = good;
    change(request);
    CHECK_EQ(Hostile(hello + asked(1, request)).first_error(), broken);
  }
  CHECK_EQ(Hostile(hello + asked(2, good) + asked(2, good)).first_error(), broken);
  CHECK_EQ(Hostile(hello + asked(2, good) + asked(1, good)).first_error(), broken);
  CHECK_EQ(Hostile(hello + asked(0, good)).first_error(), broken);
  std::string flood = hello;
  for (RequestNumber number = 1; number < 20'000; ++number) flood += asked(number, good);
  CHECK_EQ(Hostile(flood).first_error(), broken);
  Hostile twice(hello + framed(FromFront{Left{9}}) + asked(1, good) + framed(FromFront{Left{1}}) +
                framed(FromFront{Left{1}}) + asked(2, good) + hello);
  CHECK_NE(twice.first_error(), "");
}

TEST_CASE("a front that does not read is reported, and sending to it does not wait") {
  Hostile hostile(framed(FromFront{Started{}}) +
                  framed(FromFront{Asked{1, {"GET", "/", {}, {}, "", "127.0.0.1"}}}));
  CHECK(wait_until([&] {
    const auto taken = hostile.front->take();
    return taken && !taken->empty();
  }));
  const std::string part(256 << 10, 'a');
  hostile.front->begin(1, 200, {});
  for (int i = 0; i < 1000; ++i) hostile.front->send(1, part);  // 256 MiB
  CHECK_EQ(hostile.first_error(), "the web front (histolab-front) does not read what it is sent");
}

std::string mutated(std::mt19937& random) {
  const std::string seeds[] = {
      get,
      "POST /save?x=%20 HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\nCookie: a=b\r\n\r\nbody",
      "HEAD /a%2fb HTTP/1.0\r\n\r\n",
      "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nbody\r\n0\r\n\r\n",
      "GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nExpect: 100-continue\r\n\r\n",
  };
  const std::string pieces[] = {"\r\n",
                                "\n",
                                "\r",
                                std::string(1, '\0'),
                                ":",
                                " ",
                                "%",
                                "Content-Length: 18446744073709551615",
                                "\xff",
                                "/../",
                                "HTTP/",
                                "Transfer-Encoding: chunked\r\n",
                                "\r\n ",
                                "ffffffff\r\n",
                                std::string(5000, 'a')};
  std::string made = seeds[random() % std::size(seeds)];
  for (std::size_t changes = random() % 6; changes > 0; --changes) {
    const std::size_t at = random() % (made.size() + 1);
    switch (random() % 4) {
      case 0: made.insert(at, pieces[random() % std::size(pieces)]); break;
      case 1: made.erase(at, random() % 8); break;
      case 2: made.insert(at, 1, static_cast<char>(random())); break;
      default: made += seeds[random() % std::size(seeds)];
    }
  }
  return made;
}

TEST_CASE("the front survives any bytes, and keeps serving") {
  FrontOptions how = options();
  how.idle = std::chrono::seconds{1};
  Echo service(how);
  std::mt19937 random(1);
  std::deque<Browser> open;
  for (int round = 0; round < 4000; ++round) {
    Browser& browser = open.emplace_back(service.front->port());
    const std::string bytes = mutated(random);
    const std::size_t half = random() % (bytes.size() + 1);
    browser.say(std::string_view(bytes).substr(0, half));
    if (random() % 4 != 0) browser.say(std::string_view(bytes).substr(half));
    while (open.size() > random() % 64) open.pop_front();
    if (round % 100 != 0) continue;
    Browser good(service.front->port());
    good.say("GET /good HTTP/1.1\r\nHost: a\r\n\r\n");
    REQUIRE(good.reply().ends_with("/good"));
  }
  CHECK_FALSE(service.has_ended);
}

}  // namespace
}  // namespace histolab::web
