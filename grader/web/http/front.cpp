#include "grader/web/http/front.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <condition_variable>
#include <cstring>
#include <mutex>
#include <optional>
#include <set>
#include <thread>

#include "grader/files/read_file.h"
#include "grader/sandbox/system_calls.h"
#include "grader/web/http/framing.h"
#include "grader/web/http/request_rules.h"
#include "grader/web/http/start.h"
#include "kernels/worker/processes/descriptor.h"
#include "kernels/worker/processes/process.h"

namespace histolab::web {
namespace {

using Clock = std::chrono::steady_clock;
using kernels::worker::Companion;
using kernels::worker::Descriptor;
using kernels::worker::ProcessSpec;
using std::chrono::milliseconds;

constexpr milliseconds most_start{20'000};      // until the front answers its settings
constexpr milliseconds most_farewell{500};      // until it has sent what it has
constexpr std::size_t most_open = 16 * 1024;    // requests that wait for a reply
constexpr std::size_t most_unsent = 128 << 20;  // bytes that the front has not read
// A front that sends faster than take() is called must not keep take() busy.
constexpr std::size_t most_taken = 4 << 20;
constexpr std::size_t most_data = 256 * 1024;  // of a part, in one message
constexpr std::uint64_t other_files = 64;      // descriptors of the front that are not connections

union Address {
  sockaddr any;
  sockaddr_in four;
  sockaddr_in6 six;
};

Result<Descriptor> listening_socket(const FrontOptions& options, std::uint16_t& port) {
  Address address{};
  socklen_t size = sizeof address.four;
  if (inet_pton(AF_INET, options.address.c_str(), &address.four.sin_addr) == 1) {
    address.four.sin_family = AF_INET;
    address.four.sin_port = htons(options.port);
  } else if (inet_pton(AF_INET6, options.address.c_str(), &address.six.sin6_addr) == 1) {
    address.six.sin6_family = AF_INET6;
    address.six.sin6_port = htons(options.port);
    size = sizeof address.six;
  } else {
    return Error{fmt::format("\"{}\" is not an IP address: give one such as 127.0.0.1 or ::1",
                             options.address)};
  }
  Descriptor made(
      socket(address.any.sa_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, IPPROTO_TCP));
  const auto failed = [&]() -> Error {
    const char* const next = errno == EADDRINUSE      ? "another program listens there: end it, or "
                                                        "choose another port"
                             : errno == EACCES        ? "only root may listen there: choose a port "
                                                        "from 1024"
                             : errno == EADDRNOTAVAIL ? "this machine does not have that address"
                                                      : std::strerror(errno);
    return {fmt::format("cannot listen on port {} of {}: {}", options.port, options.address, next)};
  };
  if (made.get() < 0) return failed();
  // Accepted connections inherit these. A client that vanishes without a word is noticed.
  const auto set = [&](int level, int name, int value) {
    setsockopt(made.get(), level, name, &value, sizeof value);
  };
  set(SOL_SOCKET, SO_REUSEADDR, 1);
  set(SOL_SOCKET, SO_KEEPALIVE, 1);
  set(IPPROTO_TCP, TCP_KEEPIDLE, 60);
  set(IPPROTO_TCP, TCP_KEEPINTVL, 20);
  set(IPPROTO_TCP, TCP_USER_TIMEOUT, 60'000);
  constexpr int backlog = 1024;
  if (bind(made.get(), &address.any, size) != 0 || listen(made.get(), backlog) != 0 ||
      getsockname(made.get(), &address.any, &size) != 0)
    return failed();
  port = ntohs(address.any.sa_family == AF_INET ? address.four.sin_port : address.six.sin6_port);
  return made;
}

Result<Settings> settings_of(const FrontOptions& options) {
  Settings made;
  made.proxy_header = options.proxy_header;
  made.most_connections = options.most_connections;
  made.idle_seconds = static_cast<std::uint32_t>(options.idle.count());
  made.request_seconds = static_cast<std::uint32_t>(options.whole_request.count());
  made.reply_seconds = static_cast<std::uint32_t>(options.whole_reply.count());
  if (!made.proxy_header.empty() && !is_header_name(made.proxy_header))
    return Error{
        fmt::format("\"{}\" is not the name of a header in lower case: give one such as "
                    "x-forwarded-for",
                    made.proxy_header)};
  if (options.certificate.empty() != options.key.empty())
    return Error{"TLS needs both a certificate and its key: give both files, or neither"};
  if (options.certificate.empty()) return made;
  made.certificate = TRY(grader::read_text_file(options.certificate, "certificate"));
  made.key = TRY(grader::read_text_file(options.key, "key of the certificate"));
  return made;
}

std::uint64_t files_allowed(std::uint32_t most_connections) {
  rlimit files{};
  const std::uint64_t wanted = most_connections + other_files;
  if (getrlimit(RLIMIT_NOFILE, &files) != 0) return wanted;
  return std::min<std::uint64_t>(wanted, files.rlim_max);
}

// Waits until the descriptor is ready for `events`. Returns false at the end of the time.
bool is_ready(int descriptor, short events, Clock::time_point end) {
  for (;;) {
    const auto left = std::chrono::duration_cast<milliseconds>(end - Clock::now()).count();
    if (left <= 0) return false;
    pollfd one{descriptor, events, 0};
    const int ready = poll(&one, 1, static_cast<int>(left));
    if (ready > 0) return true;
    if (ready < 0 && errno != EINTR) return false;
  }
}

}  // namespace

struct Front::State {
  std::string proxy_header;
  std::uint16_t port = 0;
  Descriptor socket;
  std::optional<Companion> child;
  Decoder<FromFront> decoder;

  std::mutex lock;
  std::condition_variable unsent_or_closing;
  std::set<RequestNumber> open;  // asked, and neither ended nor left
  RequestNumber last = 0;
  std::string unsent;
  bool closing = false;
  std::string broken;  // why the front must be started again
  std::thread writer;

  ~State();
  Status begin(const Settings& settings);
  // Reads what has arrived, without waiting. Returns an Error if nothing more can arrive.
  Status receive(std::vector<FromFront>& into);
  Result<std::optional<FromFront>> next();
  Result<FromFront> first_message();
  void write(const ToFront& message);                               // with `lock` held
  void write_unsent();                                              // the thread `writer`
  Status note(FromFront message, std::vector<FrontEvent>& events);  // with `lock` held
};

Status Front::State::receive(std::vector<FromFront>& into) {
  std::array<char, 64 * 1024> bytes;
  for (std::size_t taken = 0; taken < most_taken;) {
    const ssize_t got = recv(socket.get(), bytes.data(), bytes.size(), MSG_DONTWAIT);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) return Done{};
    if (got <= 0) return Error{"the web front (histolab-front) has ended"};
    taken += static_cast<std::size_t>(got);
    decoder.add({bytes.data(), static_cast<std::size_t>(got)});
    while (auto message = TRY(next())) into.push_back(std::move(*message));
  }
  return Done{};
}

Result<std::optional<FromFront>> Front::State::next() {
  auto message = decoder.next();
  if (message) return message;
  return Error{fmt::format("the web front (histolab-front) sent {}", message.error().message)};
}

// Reads no further than the answer: poll() on the descriptor must notice whatever follows.
Result<FromFront> Front::State::first_message() {
  const auto end = Clock::now() + most_start;
  char byte = 0;
  for (;;) {
    if (!is_ready(socket.get(), POLLIN, end))
      return Error{"the web front (histolab-front) does not answer"};
    if (recv(socket.get(), &byte, 1, MSG_DONTWAIT) != 1)
      return Error{"the web front (histolab-front) has ended"};
    decoder.add({&byte, 1});
    if (auto message = TRY(next())) return std::move(*message);
  }
}

Status Front::State::begin(const Settings& settings) {
  {
    const std::lock_guard guard{lock};
    write(settings);
  }
  const Result<FromFront> answer = first_message();
  if (!answer)
    return Error{fmt::format("{}. Does this version of histolab have it, complete?",
                             answer.error().message)};
  if (const auto* failed = std::get_if<Failed>(&*answer)) return Error{failed->why};
  if (!std::holds_alternative<Started>(*answer))
    return Error{"the web front (histolab-front) did not answer its settings"};
  return Done{};
}

void Front::State::write(const ToFront& message) {
  if (closing || !broken.empty()) return;
  const std::string frame = framed(message);
  std::size_t sent = 0;
  if (unsent.empty()) {
    const ssize_t now =
        ::send(socket.get(), frame.data(), frame.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
    sent = now > 0 ? static_cast<std::size_t>(now) : 0;  // `writer` meets the same error again
  }
  if (sent == frame.size()) return;
  if (unsent.size() + frame.size() > most_unsent) {
    broken = "the web front (histolab-front) does not read what it is sent";
    shutdown(socket.get(), SHUT_RDWR);  // take() notices it
    return;
  }
  unsent.append(frame, sent);
  unsent_or_closing.notify_one();
}

void Front::State::write_unsent() {
  std::unique_lock guard{lock};
  std::string writing;
  for (;;) {
    unsent_or_closing.wait(guard, [&] { return closing || !unsent.empty(); });
    if (unsent.empty()) return;
    // `unsent` stays as it is until these bytes are sent, so that write() does not overtake them.
    writing.assign(unsent, 0, 1 << 20);
    const auto end = Clock::now() + (closing ? most_farewell : std::chrono::hours{24});
    guard.unlock();
    const bool ready = is_ready(socket.get(), POLLOUT, end);
    const ssize_t now =
        ready ? ::send(socket.get(), writing.data(), writing.size(), MSG_DONTWAIT | MSG_NOSIGNAL)
              : -1;
    const bool again = now < 0 && (errno == EAGAIN || errno == EINTR) && ready;
    guard.lock();
    if (now > 0) unsent.erase(0, static_cast<std::size_t>(now));
    if (now <= 0 && !again) {
      if (broken.empty()) broken = "the web front (histolab-front) has ended";
      unsent.clear();
      shutdown(socket.get(), SHUT_RDWR);
      return;
    }
  }
}

Front::State::~State() {
  {
    const std::lock_guard guard{lock};
    closing = true;
    unsent_or_closing.notify_one();
  }
  if (writer.joinable()) writer.join();
  if (!child) return;
  shutdown(socket.get(), SHUT_WR);
  const auto end = Clock::now() + most_farewell;
  std::array<char, 4096> ignored;
  while (is_ready(socket.get(), POLLIN, end) &&
         recv(socket.get(), ignored.data(), ignored.size(), MSG_DONTWAIT) > 0) {
  }
}

Status Front::State::note(FromFront message, std::vector<FrontEvent>& events) {
  if (auto* asked = std::get_if<Asked>(&message)) {
    if (asked->number <= last || open.size() >= most_open ||
        !is_valid(asked->request, proxy_header))
      return Error{"the web front (histolab-front) sent a request that breaks a rule"};
    last = asked->number;
    open.insert(last);
    events.emplace_back(std::move(*asked));
  } else if (const auto* left = std::get_if<Left>(&message)) {
    // It may have left just before the last part of its reply.
    if (open.erase(left->number) != 0) events.emplace_back(*left);
  } else {
    return Error{"the web front (histolab-front) started twice"};
  }
  return Done{};
}

Front::Front(std::unique_ptr<State> state) : state_(std::move(state)) {}
Front::~Front() = default;

Result<std::unique_ptr<Front>> Front::start(const FrontOptions& options) {
  auto state = std::make_unique<State>();
  Settings settings = TRY(settings_of(options));
  state->proxy_header = settings.proxy_header;
  const Descriptor listening = TRY(listening_socket(options, state->port));
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
    return Error{fmt::format("cannot start the web front: {}", std::strerror(errno))};
  state->socket = Descriptor(ends[0]);
  Descriptor theirs(ends[1]);
  ProcessSpec spec;
  spec.command = {options.program};
  spec.name = "histolab-front";
  spec.descriptors = {{theirs.get(), front_service}, {listening.get(), front_listening}};
  spec.limits.cpu_seconds = 1ull << 32;  // it serves until the service ends
  spec.limits.file_bytes = kernels::worker::no_file_bytes;
  spec.limits.open_files = files_allowed(options.most_connections);
  settings.most_connections = static_cast<std::uint32_t>(
      std::max<std::uint64_t>(spec.limits.open_files, other_files + 16) - other_files);
#ifdef HISTOLAB_SANITIZED  // a sanitizer reserves more memory, and makes more system calls
  spec.limits.data_bytes = ~0ull;
#else
  spec.limits.data_bytes = 1ull << 30;
  const Descriptor filter = TRY(sandbox::filter_program(sandbox::Filter::front, {}));
  spec.descriptors.emplace_back(filter.get(), front_filter);
#endif
  state->child.emplace(TRY(Companion::start(spec)));
  theirs.reset();
  TRY(state->begin(settings));
  state->writer = std::thread([&of = *state] { of.write_unsent(); });
  return std::unique_ptr<Front>(new Front(std::move(state)));
}

std::uint16_t Front::port() const { return state_->port; }
int Front::process() const { return state_->child->pid(); }
int Front::descriptor() const { return state_->socket.get(); }

Result<std::vector<FrontEvent>> Front::take() {
  std::vector<FromFront> messages;
  const Status received = state_->receive(messages);
  std::vector<FrontEvent> events;
  const std::lock_guard guard{state_->lock};
  if (!state_->broken.empty()) return Error{state_->broken};
  Status good = Done{};
  for (FromFront& message : messages) {
    good = state_->note(std::move(message), events);
    if (!good) break;
  }
  if (good) good = received;
  if (good) return events;
  state_->broken = good.error().message;
  state_->open.clear();
  shutdown(state_->socket.get(), SHUT_RDWR);
  return Error{state_->broken};
}

void Front::reply(RequestNumber number, const Reply& reply) {
  const std::lock_guard guard{state_->lock};
  if (state_->open.erase(number) == 0) return;
  if (is_sendable(reply.status, reply.headers) && reply.body.size() <= most_reply_bytes)
    state_->write(Answer{number, reply});
  else
    state_->write(Answer{number, {500, {}, ""}});
}

void Front::begin(RequestNumber number, int status, const Headers& headers) {
  const std::lock_guard guard{state_->lock};
  if (!state_->open.contains(number)) return;
  if (is_sendable(status, headers)) return state_->write(Begin{number, status, headers});
  state_->open.erase(number);
  state_->write(Answer{number, {500, {}, ""}});
}

void Front::send(RequestNumber number, std::string_view bytes) {
  const std::lock_guard guard{state_->lock};
  if (!state_->open.contains(number)) return;
  for (; !bytes.empty(); bytes.remove_prefix(std::min(bytes.size(), most_data)))
    state_->write(Data{number, std::string(bytes.substr(0, most_data))});
}

void Front::end(RequestNumber number) {
  const std::lock_guard guard{state_->lock};
  if (state_->open.erase(number) != 0) state_->write(End{number});
}

}  // namespace histolab::web
