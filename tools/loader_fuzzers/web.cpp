// Loaders of the messages between histolab-front and the service, and of a request's target.
#include <cstdlib>

#include "grader/web/http/framing.h"
#include "grader/web/http/request_rules.h"
#include "tools/loader_fuzzers/loaders.h"
#include "tools/loader_fuzzers/taking.h"

namespace histolab::fuzzing {
namespace {

// Decodes all messages, writes each and reads it again. The bytes arrive in two parts.
template <class Message>
void take_messages(std::string_view bytes) {
  web::Decoder<Message> decoder;
  for (const std::string_view part :
       {bytes.substr(0, bytes.size() / 2), bytes.substr(bytes.size() / 2)}) {
    decoder.add(part);
    for (;;) {
      const auto message = decoder.next();
      if (!message) return;
      if (!*message) break;
      const std::string written = web::framed(**message);
      web::Decoder<Message> again;
      again.add(written);
      const auto read = again.next();
      same(written, read && *read ? web::framed(**read) : "");
    }
  }
}

void front_message(std::string_view bytes) { take_messages<web::FromFront>(bytes); }
void service_message(std::string_view bytes) { take_messages<web::ToFront>(bytes); }

std::vector<std::string> front_messages() {
  const web::Request request{"POST",
                             "/api/labs/02-atomic-add/save",
                             {{"seed", "1"}},
                             {{"host", "127.0.0.1:8080"}},
                             "{\"text\": \"\"}",
                             "127.0.0.1"};
  return {web::framed(web::FromFront{web::Started{}}),
          web::framed(web::FromFront{web::Failed{"the key does not fit"}}),
          web::framed(web::FromFront{web::Asked{1, request}}) +
              web::framed(web::FromFront{web::Left{1}})};
}

std::vector<std::string> service_messages() {
  const web::Headers headers = {{"Content-Type", "text/html"}};
  return {web::framed(web::ToFront{web::Settings{"", "", "x-user", 16, 20, 60, 120}}),
          web::framed(web::ToFront{web::Answer{1, {200, headers, "<p>"}}}),
          web::framed(web::ToFront{web::Begin{2, 200, headers}}) +
              web::framed(web::ToFront{web::Data{2, "{}\n"}}) +
              web::framed(web::ToFront{web::End{2}})};
}

// An accepted target keeps the rules that the service checks.
void request_target(std::string_view bytes) {
  web::Refusal refusal;
  const auto target = web::parse_target(bytes, refusal);
  if (!target) return;
  const web::Request request{"GET", target->path, target->query, {}, "", "127.0.0.1"};
  if (!web::is_valid(request, "")) std::abort();
}

std::vector<std::string> request_targets() {
  return {"/", "/lab/02-atomic-add/quiz", "/a%20b?x=1&y=%C3%BC+a&x"};
}

}  // namespace

std::vector<Loader> web_loaders() {
  return {{"front_message", front_message, {}, front_messages},
          {"service_message", service_message, {}, service_messages},
          {"request_target", request_target, {}, request_targets}};
}

}  // namespace histolab::fuzzing
