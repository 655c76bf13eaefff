// histolab-front: HTTP and TLS by libmicrohttpd. grader/web/http/front.h starts it and says what it
// is. This is the only file that includes <microhttpd.h>.
//
// Four threads of libmicrohttpd serve the clients. A connection that waits for the service is
// suspended, and libmicrohttpd does not look at it. So the main thread watches all connections for
// their end, reads the service's messages, resumes connections, and closes late ones.
#include <microhttpd.h>

#include <arpa/inet.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <memory>
#include <mutex>
#include <thread>
#include <unordered_map>

#include "grader/web/front/link.h"
#include "grader/web/http/request_rules.h"
#include "grader/web/http/start.h"

namespace {

using namespace histolab;
using namespace histolab::web;
using Clock = std::chrono::steady_clock;

constexpr unsigned threads = 4;
constexpr std::size_t connection_memory = 32 * 1024;
constexpr std::size_t most_bodies = 64 << 20;    // of all requests that are arriving
constexpr std::size_t most_replies = 256 << 20;  // of all replies that clients have not taken
constexpr std::size_t most_unsent = 32 << 20;    // that the service has not taken
// The body of a refused request is read up to this size: a client that is still sending would not
// read the answer.
constexpr std::uint64_t most_drained = 8 << 20;

struct Exchange;

struct Connection {
  std::uint64_t number = 0;
  int descriptor = -1;
  bool gone = false;        // the client has closed it, or it was shut down here
  Clock::time_point since;  // when the current phase began
  Exchange* exchange = nullptr;
};

enum class Phase { arriving, asked, in_parts, whole };

// One request and its reply.
struct Exchange {
  MHD_Connection* handle = nullptr;
  Connection* connection = nullptr;
  std::string target;  // as in the request line, cut behind most_path_bytes
  bool seen = false;   // the headers were checked
  Refusal refusal{0, ""};
  Request request;
  std::size_t body_bytes = 0;  // as the header says
  std::size_t arrived = 0;     // of these

  RequestNumber number = 0;
  Phase phase = Phase::arriving;
  bool suspended = false, ended = false;
  int status = 0;
  Headers headers;
  std::string waiting;  // parts of the reply, from `taken` on
  std::size_t taken = 0;
};

Settings settings;
std::unique_ptr<Link> service;
int events = -1;  // epoll: connections by their numbers, and the service as 0

// Guards everything below, and the members above that more than one thread uses.
std::mutex lock;
std::unordered_map<std::uint64_t, Connection*> connections;
std::unordered_map<RequestNumber, Exchange*> asked;  // their replies have not ended
std::uint64_t last_connection = 0;
RequestNumber last_request = 0;
std::size_t bodies = 0, replies = 0;  // bytes

void send(const FromFront& message) {
  if (!service->send(message)) return;
  epoll_event writable{EPOLLIN | EPOLLOUT, {.u64 = 0}};
  epoll_ctl(events, EPOLL_CTL_MOD, service->descriptor(), &writable);
}

// ---- the threads that serve clients
// --------------------------------------------------------------

std::string address_of(MHD_Connection* handle) {
  const auto* info = MHD_get_connection_info(handle, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
  std::array<char, INET6_ADDRSTRLEN> text{};
  const sockaddr* any = info == nullptr ? nullptr : info->client_addr;
  if (any == nullptr) return {};
  if (any->sa_family == AF_INET) {
    const auto* four = reinterpret_cast<const sockaddr_in*>(any);
    inet_ntop(AF_INET, &four->sin_addr, text.data(), text.size());
  } else if (any->sa_family == AF_INET6) {
    const auto* six = reinterpret_cast<const sockaddr_in6*>(any);
    const auto* bytes = six->sin6_addr.s6_addr;
    constexpr std::size_t four_at = 12;
    if (IN6_IS_ADDR_V4MAPPED(&six->sin6_addr))
      inet_ntop(AF_INET, bytes + four_at, text.data(), text.size());
    else
      inet_ntop(AF_INET6, bytes, text.data(), text.size());
  }
  return text.data();
}

std::string lower(std::string_view name) {
  std::string made(name);
  for (char& c : made)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return made;
}

// The other facts in the headers, apart from the kept ones.
struct Seen {
  Exchange* exchange = nullptr;
  std::size_t bytes = 0;
  int hosts = 0, lengths = 0;
  std::uint64_t length = 0;
  bool has_coding = false, printable = true, repeated = false;
};

MHD_Result take_header(void* closure, MHD_ValueKind, const char* key, std::size_t key_size,
                       const char* value, std::size_t value_size) {
  Seen& seen = *static_cast<Seen*>(closure);
  const std::string name = lower({key, key_size});
  const std::string_view text(value == nullptr ? "" : value, value == nullptr ? 0 : value_size);
  seen.bytes += name.size() + text.size() + 4;  // with ": " and the line's end
  seen.printable = seen.printable && is_printable(name) && is_printable(text);
  if (name == "host") ++seen.hosts;
  if (name == "transfer-encoding") seen.has_coding = true;
  if (name == "content-length") {
    ++seen.lengths;
    for (const char c : text) {
      if (c < '0' || c > '9' || text.size() > 18) seen.lengths = 2;
      seen.length = seen.length * 10 + static_cast<std::uint64_t>(c - '0');
    }
    if (text.empty()) seen.lengths = 2;
  }
  if (!is_kept(name) && (settings.proxy_header.empty() || name != settings.proxy_header))
    return MHD_YES;
  auto [at, is_new] = seen.exchange->request.headers.emplace(name, text);
  if (!is_new) {
    // A list may come in several lines; of the others, two values contradict each other.
    const bool list = name.starts_with("accept") || name == "if-none-match" || name == "cookie";
    if (list)
      (at->second += name == "cookie" ? "; " : ", ") += text;
    else
      seen.repeated = true;
  }
  return MHD_YES;
}

// Returns status 0 if the service shall answer the request.
Refusal checked(Exchange& exchange, std::string_view method, std::string_view version,
                std::uint64_t& length) {
  Seen seen{.exchange = &exchange};
  MHD_get_connection_values_n(exchange.handle, MHD_HEADER_KIND, take_header, &seen);
  length = seen.has_coding ? most_drained + 1 : seen.length;
  if (version != "HTTP/1.1" && version != "HTTP/1.0") return {505, "HTTP/1.1 is spoken here"};
  Refusal refusal;
  std::optional<Target> target = parse_target(exchange.target, refusal);
  if (!target) return refusal;
  if (!is_method(method)) return {405, "the methods here are GET, HEAD and POST"};
  if (!seen.printable) return {400, "a header is not printable ASCII"};
  if (seen.bytes > most_header_bytes) return {431, "the headers are too long"};
  if (seen.hosts != 1) return {400, "a request needs one header Host"};
  if (seen.repeated) return {400, "a header is there twice"};
  if (seen.has_coding) return {411, "a body needs a header Content-Length"};
  if (seen.lengths > 1) return {400, "Content-Length is not one whole number"};
  if (seen.length > most_body_bytes) return {413, "the body is too large"};
  if (seen.length > 0 && method != "POST") return {400, "only POST has a body"};
  exchange.request.method = method;
  exchange.request.path = std::move(target->path);
  exchange.request.query = std::move(target->query);
  exchange.request.peer = address_of(exchange.handle);
  if (!is_valid(exchange.request, settings.proxy_header)) return {400, "the request is not valid"};
  exchange.body_bytes = seen.length;
  return {0, ""};
}

std::string_view reason(int status) {
  switch (status) {
    case 400: return "Bad Request";
    case 404: return "Not Found";
    case 405: return "Method Not Allowed";
    case 411: return "Length Required";
    case 413: return "Content Too Large";
    case 414: return "URI Too Long";
    case 431: return "Request Header Fields Too Large";
    case 500: return "Internal Server Error";
    case 503: return "Service Unavailable";
    case 505: return "HTTP Version Not Supported";
    default: return "Error";
  }
}

MHD_Result queue(MHD_Connection* handle, int status, const Headers& headers,
                 MHD_Response* response) {
  if (response == nullptr) return MHD_NO;
  for (const auto& [name, value] : headers) {
    // libmicrohttpd makes these.
    const std::string known = lower(name);
    if (known == "content-length" || known == "date" || known == "transfer-encoding") continue;
    MHD_add_response_header(response, name.c_str(), value.c_str());
  }
  const MHD_Result queued = MHD_queue_response(handle, static_cast<unsigned>(status), response);
  MHD_destroy_response(response);
  return queued;
}

MHD_Result queue_text(MHD_Connection* handle, int status, Headers headers, std::string text) {
  auto body = std::make_unique<std::string>(std::move(text));
  MHD_Response* const response = MHD_create_response_from_buffer_with_free_callback_cls(
      body->size(), body->data(), [](void* of) { delete static_cast<std::string*>(of); },
      body.get());
  if (response != nullptr) static_cast<void>(body.release());
  return queue(handle, status, headers, response);
}

MHD_Result refuse(const Exchange& exchange) {
  Headers headers = {{"Content-Type", "text/plain; charset=utf-8"},
                     {"X-Content-Type-Options", "nosniff"},
                     {"Cache-Control", "no-store"},
                     {"Connection", "close"}};
  if (exchange.refusal.status == 405) headers.emplace_back("Allow", "GET, HEAD, POST");
  return queue_text(exchange.handle, exchange.refusal.status, std::move(headers),
                    fmt::format("{} {}: {}.\n", exchange.refusal.status,
                                reason(exchange.refusal.status), exchange.refusal.why));
}

// The next bytes of a reply in parts. Suspends the connection if there are none yet.
ssize_t next_part(void* closure, std::uint64_t, char* into, std::size_t most) {
  Exchange& of = *static_cast<Exchange*>(closure);
  const std::lock_guard guard{lock};
  if (of.connection->gone) return MHD_CONTENT_READER_END_WITH_ERROR;
  const std::size_t bytes = std::min(most, of.waiting.size() - of.taken);
  if (bytes > 0) {
    std::memcpy(into, of.waiting.data() + of.taken, bytes);
    of.taken += bytes;
    replies -= bytes;
    if (of.taken == of.waiting.size()) of.waiting.clear(), of.taken = 0;
    return static_cast<ssize_t>(bytes);
  }
  if (of.ended) return MHD_CONTENT_READER_END_OF_STREAM;
  of.suspended = true;
  MHD_suspend_connection(of.handle);
  return 0;
}

MHD_Result ask(Exchange& exchange) {
  {
    const std::lock_guard guard{lock};
    if (exchange.connection->gone) return MHD_NO;
    if (service->unsent() <= most_unsent) {
      exchange.number = ++last_request;
      exchange.phase = Phase::asked;
      asked.emplace(exchange.number, &exchange);
      exchange.suspended = true;
      MHD_suspend_connection(exchange.handle);
      // Under the lock, so that the service gets the numbers in order.
      send(Asked{exchange.number, std::move(exchange.request)});
      return MHD_YES;
    }
  }
  exchange.refusal = {503, "too many requests at once: try again"};
  return refuse(exchange);
}

// Only bytes that have arrived count against the limit: a header costs its sender nothing.
Refusal take_body(Exchange& exchange, std::string_view bytes) {
  if (exchange.arrived + bytes.size() > exchange.body_bytes)
    return {400, "the body is longer than its header says"};
  {
    const std::lock_guard guard{lock};
    if (bodies + bytes.size() > most_bodies) return {503, "too many requests at once: try again"};
    bodies += bytes.size();
    exchange.arrived += bytes.size();
  }
  exchange.request.body.append(bytes);
  return {0, ""};
}

// libmicrohttpd calls this with the headers, with each piece of the body, at the end of the
// request, and after the connection was resumed.
MHD_Result serve(void*, MHD_Connection*, const char*, const char* method, const char* version,
                 const char* data, std::size_t* size, void** closure) {
  if (*closure == nullptr) return MHD_NO;
  Exchange& exchange = *static_cast<Exchange*>(*closure);
  if (!exchange.seen) {
    exchange.seen = true;
    std::uint64_t length = 0;
    exchange.refusal = checked(exchange, method, version, length);
    return exchange.refusal.status != 0 && length > most_drained ? refuse(exchange) : MHD_YES;
  }
  if (*size > 0) {
    if (exchange.refusal.status == 0) exchange.refusal = take_body(exchange, {data, *size});
    *size = 0;
    return MHD_YES;
  }
  Phase phase = Phase::arriving;
  {
    const std::lock_guard guard{lock};
    if (exchange.connection->gone) return MHD_NO;
    phase = exchange.phase;
  }
  switch (phase) {
    case Phase::arriving: return exchange.refusal.status == 0 ? ask(exchange) : refuse(exchange);
    case Phase::whole:
      return queue_text(exchange.handle, exchange.status, std::move(exchange.headers),
                        std::move(exchange.waiting));
    case Phase::in_parts: {
      MHD_Response* const response = MHD_create_response_from_callback(
          MHD_SIZE_UNKNOWN, 16 * 1024, next_part, &exchange, nullptr);
      // 0.9.75 ends the chunks of a reply to HEAD, which has none. This form has no chunks.
      if (response != nullptr && std::strcmp(method, "HEAD") == 0)
        MHD_set_response_options(response, MHD_RF_HTTP_1_0_COMPATIBLE_STRICT, MHD_RO_END);
      return queue(exchange.handle, exchange.status, exchange.headers, response);
    }
    case Phase::asked: break;
  }
  return MHD_NO;
}

void note_connection(void*, MHD_Connection* handle, void** context,
                     MHD_ConnectionNotificationCode code) {
  if (code == MHD_CONNECTION_NOTIFY_STARTED) {
    auto made = std::make_unique<Connection>();
    made->descriptor =
        MHD_get_connection_info(handle, MHD_CONNECTION_INFO_CONNECTION_FD)->connect_fd;
    made->since = Clock::now();
    const std::lock_guard guard{lock};
    made->number = ++last_connection;
    connections.emplace(made->number, made.get());
    epoll_event end{EPOLLRDHUP | EPOLLET, {.u64 = made->number}};
    epoll_ctl(events, EPOLL_CTL_ADD, made->descriptor, &end);
    *context = made.release();
    return;
  }
  const std::unique_ptr<Connection> ended(static_cast<Connection*>(*context));
  *context = nullptr;
  if (ended == nullptr) return;
  const std::lock_guard guard{lock};
  // Before libmicrohttpd closes it, so that no other connection has this descriptor yet.
  epoll_ctl(events, EPOLL_CTL_DEL, ended->descriptor, nullptr);
  connections.erase(ended->number);
}

// Called with the request line, before anything is decoded.
void* begin_request(void*, const char* target, MHD_Connection* handle) {
  auto* connection = static_cast<Connection*>(
      MHD_get_connection_info(handle, MHD_CONNECTION_INFO_SOCKET_CONTEXT)->socket_context);
  if (connection == nullptr) return nullptr;
  auto made = std::make_unique<Exchange>();
  made->handle = handle;
  made->connection = connection;
  made->target.assign(target, strnlen(target, most_path_bytes + 1));
  const std::lock_guard guard{lock};
  return connection->exchange = made.release();
}

void end_request(void*, MHD_Connection*, void** closure, MHD_RequestTerminationCode) {
  const std::unique_ptr<Exchange> ended(static_cast<Exchange*>(*closure));
  *closure = nullptr;
  if (ended == nullptr) return;
  const std::lock_guard guard{lock};
  bodies -= ended->arrived;
  if (ended->phase == Phase::in_parts) replies -= ended->waiting.size() - ended->taken;
  if (ended->phase == Phase::whole) replies -= ended->taken;
  ended->connection->exchange = nullptr;
  ended->connection->since = Clock::now();
  if (asked.erase(ended->number) != 0) send(Left{ended->number});
}

std::size_t not_decoded(void*, MHD_Connection*, char* text) { return std::strlen(text); }

// ---- the main thread
// -----------------------------------------------------------------------------

// Connections to resume after the lock is released. They stay valid: a suspended connection does
// not end.
using Resumed = std::vector<MHD_Connection*>;

void wake(Exchange& exchange, Resumed& resumed) {
  if (!exchange.suspended) return;
  exchange.suspended = false;
  resumed.push_back(exchange.handle);
}

// The client has left, or must leave.
void abandon(Connection& connection, Resumed& resumed) {
  connection.gone = true;
  shutdown(connection.descriptor, SHUT_RDWR);
  Exchange* const exchange = connection.exchange;
  if (exchange == nullptr) return;
  if (asked.erase(exchange->number) != 0) send(Left{exchange->number});
  wake(*exchange, resumed);
}

bool has_reply(const Exchange& exchange) {
  return exchange.phase == Phase::whole || exchange.ended;
}

// A client that only says that it sends no more still gets a reply that is complete here. While it
// waits for one, it counts as gone: a browser that leaves looks like that.
bool has_left(const Connection& connection, std::uint32_t event) {
  if (connection.gone || (event & (EPOLLRDHUP | EPOLLHUP | EPOLLERR)) == 0) return false;
  const Exchange* const exchange = connection.exchange;
  return (event & (EPOLLHUP | EPOLLERR)) != 0 || exchange == nullptr || !has_reply(*exchange);
}

Exchange* exchange_of(RequestNumber number) {
  const auto found = asked.find(number);
  return found == asked.end() ? nullptr : found->second;
}

void take(Answer& answer, Resumed& resumed) {
  Exchange* const exchange = exchange_of(answer.number);
  if (exchange == nullptr) return;
  if (exchange->phase != Phase::asked) return abandon(*exchange->connection, resumed);
  asked.erase(answer.number);
  if (replies + answer.reply.body.size() > most_replies) answer.reply = {503, {}, ""};
  exchange->phase = Phase::whole;
  exchange->status = answer.reply.status;
  exchange->headers = std::move(answer.reply.headers);
  exchange->waiting = std::move(answer.reply.body);
  replies += exchange->taken = exchange->waiting.size();
  exchange->connection->since = Clock::now();
  wake(*exchange, resumed);
}

void take(Begin& begin, Resumed& resumed) {
  Exchange* const exchange = exchange_of(begin.number);
  if (exchange == nullptr) return;
  if (exchange->phase != Phase::asked) return abandon(*exchange->connection, resumed);
  exchange->phase = Phase::in_parts;
  exchange->status = begin.status;
  exchange->headers = std::move(begin.headers);
  wake(*exchange, resumed);
}

void take(Data& data, Resumed& resumed) {
  Exchange* const exchange = exchange_of(data.number);
  if (exchange == nullptr || exchange->phase != Phase::in_parts) return;
  const std::size_t waits = exchange->waiting.size() - exchange->taken;
  if (waits + data.bytes.size() > most_waiting_bytes || replies + data.bytes.size() > most_replies)
    return abandon(*exchange->connection, resumed);
  exchange->waiting.erase(0, exchange->taken);
  exchange->taken = 0;
  exchange->waiting += data.bytes;
  replies += data.bytes.size();
  wake(*exchange, resumed);
}

void take(End& end, Resumed& resumed) {
  Exchange* const exchange = exchange_of(end.number);
  if (exchange == nullptr || exchange->phase != Phase::in_parts) return;
  asked.erase(end.number);
  exchange->ended = true;
  exchange->connection->since = Clock::now();
  wake(*exchange, resumed);
}

void take(Settings&, Resumed&) {}

// Closes the connections whose requests arrive too slowly, and those whose clients take too long
// for a reply. libmicrohttpd only knows how long nothing has happened at all.
void close_late(Resumed& resumed) {
  const auto now = Clock::now();
  for (const auto& [number, connection] : connections) {
    const Exchange* const exchange = connection->exchange;
    const bool sends = exchange == nullptr || exchange->phase == Phase::arriving;
    const bool takes = exchange != nullptr && has_reply(*exchange);
    const std::chrono::seconds most(sends   ? settings.request_seconds
                                    : takes ? settings.reply_seconds
                                            : 0);
    if (!connection->gone && most.count() > 0 && now - connection->since > most)
      abandon(*connection, resumed);
  }
}

bool is_replying() {
  const std::lock_guard guard{lock};
  return std::ranges::any_of(connections, [](const auto& each) {
    const Exchange* const exchange = each.second->exchange;
    return !each.second->gone && exchange != nullptr && has_reply(*exchange);
  });
}

// Serves until the service ends.
void run() {
  constexpr int most_events = 256;
  constexpr std::chrono::seconds between_checks{1};
  std::array<epoll_event, most_events> happened{};
  auto checked = Clock::now();
  for (bool serving = true; serving;) {
    const int count = epoll_wait(events, happened.data(), most_events, 1000);
    Resumed resumed;
    std::vector<ToFront> messages;
    {
      const std::lock_guard guard{lock};
      for (int i = 0; i < count; ++i) {
        const epoll_event& event = happened[static_cast<std::size_t>(i)];
        if (event.data.u64 != 0) {
          const auto found = connections.find(event.data.u64);
          if (found != connections.end() && has_left(*found->second, event.events))
            abandon(*found->second, resumed);
          continue;
        }
        if ((event.events & EPOLLOUT) != 0 && !service->send_rest()) {
          epoll_event readable{EPOLLIN, {.u64 = 0}};
          epoll_ctl(events, EPOLL_CTL_MOD, service->descriptor(), &readable);
        }
        if ((event.events & (EPOLLIN | EPOLLHUP | EPOLLERR)) != 0)
          serving = service->receive(messages).ok();
      }
      for (ToFront& message : messages) std::visit([&](auto& of) { take(of, resumed); }, message);
      if (Clock::now() - checked >= between_checks) {
        checked = Clock::now();
        close_late(resumed);
      }
    }
    for (MHD_Connection* const handle : resumed) MHD_resume_connection(handle);
  }
  const auto end = Clock::now() + std::chrono::milliseconds{400};
  while (is_replying() && Clock::now() < end)
    std::this_thread::sleep_for(std::chrono::milliseconds{5});
}

bool receive_settings() {
  std::vector<ToFront> messages;
  epoll_event one{};
  while (messages.empty()) {
    if (epoll_wait(events, &one, 1, -1) < 0 && errno != EINTR) return false;
    if (!service->receive(messages)) return false;
  }
  auto* const received = std::get_if<Settings>(&messages.front());
  if (received == nullptr || messages.size() != 1) return false;
  settings = std::move(*received);
  return true;
}

bool start_serving() {
  const bool tls = !settings.certificate.empty();
  const unsigned flags = MHD_USE_EPOLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME |
                         (tls ? static_cast<unsigned>(MHD_USE_TLS) : 0u);
  // A lecture hall has one address, and so has a proxy.
  const unsigned most = settings.most_connections;
  const unsigned most_of_one = settings.proxy_header.empty() ? most - most / 4 : most;
  std::vector<MHD_OptionItem> options;
  const auto number = [&](MHD_OPTION option, auto value) {
    options.push_back({option, static_cast<intptr_t>(value), nullptr});
  };
  number(MHD_OPTION_LISTEN_SOCKET, front_listening);
  number(MHD_OPTION_THREAD_POOL_SIZE, threads);
  number(MHD_OPTION_CONNECTION_TIMEOUT, settings.idle_seconds);
  number(MHD_OPTION_CONNECTION_LIMIT, std::max(most, threads));
  number(MHD_OPTION_PER_IP_CONNECTION_LIMIT, most_of_one);
  number(MHD_OPTION_CONNECTION_MEMORY_LIMIT, connection_memory);
  number(MHD_OPTION_STRICT_FOR_CLIENT, 1);
  number(MHD_OPTION_SIGPIPE_HANDLED_BY_APP, 1);
  const auto call = [&](MHD_OPTION option, auto function) {
    options.push_back({option, reinterpret_cast<intptr_t>(function), nullptr});
  };
  call(MHD_OPTION_NOTIFY_CONNECTION, note_connection);
  call(MHD_OPTION_NOTIFY_COMPLETED, end_request);
  call(MHD_OPTION_URI_LOG_CALLBACK, begin_request);
  call(MHD_OPTION_UNESCAPE_CALLBACK, not_decoded);
  if (tls) {
    options.push_back({MHD_OPTION_HTTPS_MEM_CERT, 0, settings.certificate.data()});
    options.push_back({MHD_OPTION_HTTPS_MEM_KEY, 0, settings.key.data()});
  }
  options.push_back({MHD_OPTION_END, 0, nullptr});
  return MHD_start_daemon(flags, 0, nullptr, nullptr, serve, nullptr, MHD_OPTION_ARRAY,
                          options.data(), MHD_OPTION_END) != nullptr;
}

bool is_open(int descriptor) { return fcntl(descriptor, F_GETFD) >= 0; }

}  // namespace

int main(int count, char**) {
#ifdef HISTOLAB_SANITIZED
  const bool has_filter = true;
#else
  const bool has_filter = is_open(front_filter);
#endif
  if (count != 1 || !has_filter || !is_open(front_service) || !is_open(front_listening)) {
    std::fputs("histolab-front is started by histolab, not by hand: try `histolab serve`\n",
               stderr);
    return 2;
  }
  std::signal(SIGPIPE, SIG_IGN);
  service = std::make_unique<Link>(front_service);
  if (!kernels::worker::drop_files() || !kernels::worker::drop_system_calls()) {
    service->send(
        Failed{"the web front cannot drop its rights: this system does not permit a "
               "filter of system calls (seccomp)"});
    return 3;
  }
  events = epoll_create1(EPOLL_CLOEXEC);
  epoll_event readable{EPOLLIN, {.u64 = 0}};
  if (events < 0 || epoll_ctl(events, EPOLL_CTL_ADD, front_service, &readable) != 0) return 3;
  if (!receive_settings()) return 3;
  // The threads wait for the lock, so that no request overtakes this answer.
  std::unique_lock starting{lock};
  if (!start_serving()) {
    send(Failed{settings.certificate.empty()
                    ? "the web front cannot start: libmicrohttpd refuses its settings"
                    : "the certificate and the key cannot be used: they must be PEM files without "
                      "a password, and belong together"});
    return 1;
  }
  send(Started{});
  starting.unlock();
  run();
  _exit(0);  // the threads of libmicrohttpd still run
}
