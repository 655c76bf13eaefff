#include "grader/web/service/service.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "grader/web/service/forms.h"
#include "grader/web/service/replies.h"
#include "grader/web/service/service_parts.h"
#include "grader/web/service/verdict.h"
#include "grader/web/site/assets.h"

namespace histolab::web {

using Clock = std::chrono::steady_clock;
constexpr std::chrono::milliseconds between_signs_of_life{15'000}, until_missing{1'000};

const std::vector<Service::Route>& Service::routes() {
  static const std::vector<Route> all = {
      {"GET", "/j/*", &Service::enter, Needs::nothing},
      {"GET", "/health", &Service::health, Needs::nothing},
      {"GET", "/favicon.ico", &Service::no_icon, Needs::nothing},
      {"GET", "/site/**", &Service::asset, Needs::nothing},
      {"GET", "/", &Service::list},
      {"GET", "/lab/*", &Service::lab, Needs::lab},
      {"GET", "/lab/*/quiz", &Service::quiz, Needs::lab},
      {"POST", "/lab/*/quiz", &Service::answer_quiz, Needs::lab},
      {"GET", "/glossary", &Service::glossary},
      {"GET", "/docs/**", &Service::document},
      {"GET", "/api/labs/*/text", &Service::text, Needs::lab},
      {"POST", "/api/labs/*/save", &Service::save, Needs::lab},
      {"GET", "/api/labs/*/events", &Service::events, Needs::lab},
      {"GET", "/api/labs/*/hints/*", &Service::hint, Needs::lab},
      {"GET", "/api/labs/*/solution", &Service::solution, Needs::lab},
      {"GET", "/api/labs/*/race", &Service::race_of_kernel, Needs::lab},
      {"GET", "/api/race", &Service::race},
      {"POST", "/api/run", &Service::run},
      {"POST", "/api/run/*/say", &Service::say},
  };
  return all;
}

Service::Service(const std::vector<grader::LabSpec>& labs, const ServiceOptions& options,
                 const Session& session, Front& front, grader::GradingQueue& gradings)
    : options_(options),
      session_(session),
      front_(front),
      gradings_(gradings),
      files_(options.work_folder),
      relays_(front) {
  for (const grader::LabSpec& each : labs) labs_[each.name] = std::make_unique<Lab>(each, front);
}

Service::~Service() { gradings_.end({}); }

void Service::handle(const FrontEvent& event) {
  if (const Left* const left = std::get_if<Left>(&event)) {
    relays_.left(left->number);
    for (auto& [name, lab] : labs_) lab->publisher.remove(left->number);
    return;
  }
  const Asked& asked = std::get<Asked>(event);
  answer({asked.number, asked.request});
}

void Service::answer(const Call& call) {
  const std::vector<std::string> parts = parts_of(call.request.path);
  const auto fits = [&](const Route& route, std::vector<std::string>& open) {
    const std::vector<std::string> pattern = parts_of(route.pattern);
    for (std::size_t i = 0; i < pattern.size(); ++i) {
      if (pattern[i] == "**") {
        open.insert(open.end(), parts.begin() + static_cast<std::ptrdiff_t>(i), parts.end());
        return i < parts.size();
      }
      if (i >= parts.size() || (pattern[i] != "*" && pattern[i] != parts[i])) return false;
      if (pattern[i] == "*") open.push_back(parts[i]);
    }
    return pattern.size() == parts.size();
  };
  const std::string method = call.request.method == "HEAD" ? "GET" : call.request.method;
  if (!session_.is_for_this_server(call.request))
    return refuse_stranger(
        call, "The address must begin with 127.0.0.1 or localhost, and the port of the server.");
  bool has_path = false;
  for (const Route& route : routes()) {
    Call found{call.number, call.request};
    if (!fits(route, found.open)) continue;
    has_path = true;
    if (route.method != method) continue;
    if (route.needs != Needs::nothing && !session_.is_known(call.request))
      return refuse_stranger(
          call, "Open the link that histolab serve prints. It gives this browser access.");
    const bool is_of_own_page = method == "POST" ? Session::is_of_own_page(call.request)
                                                 : !Session::is_of_other_site(call.request);
    if (!is_of_own_page && (method == "POST" || found.is_of_script()))
      return refuse_stranger(call, "The request comes from another site.");
    if (route.needs == Needs::lab && (found.lab = lab_called(found.open.front())) == nullptr)
      return refuse(call, 404, "There is no such lab.");
    return (this->*route.handle)(found);
  }
  refuse(call, has_path ? 405 : 404, {});
}

void Service::refuse(const Call& call, int status, const std::string& detail, bool of_machine) {
  front_.reply(
      call.number,
      call.is_of_script()
          ? refusal(status, detail.empty() ? fmt::format("status {}", status) : detail, of_machine)
          : page_reply(status,
                       error_page(frame("Error", {}), {.status = status, .detail = detail})));
}

void Service::refuse_stranger(const Call& call, const std::string& detail) {
  if (call.is_of_script()) return refuse(call, 403, detail);
  Frame frame{.title = "Error", .lab = {}, .labs = {}, .assets = {}};
  frame.assets.style = asset_url("style.css");
  front_.reply(call.number, page_reply(403, error_page(frame, {.status = 403, .detail = detail})));
}

Service::Lab* Service::lab_called(const std::string& name) {
  const auto found = labs_.find(name);
  return found == labs_.end() ? nullptr : found->second.get();
}

grader::Progress Service::progress() const {
  Result<grader::Progress> read = grader::read_progress(files_.folder());
  return read ? std::move(*read) : grader::Progress{};
}

bool Service::has_passed(const grader::LabSpec& lab) const {
  const grader::Progress all = progress();
  const auto known = all.find(lab.name);
  return known != all.end() && known->second.passed;
}

Frame Service::frame(const std::string& title, const std::string& lab) const {
  Frame frame{.title = title, .lab = lab, .labs = {}, .assets = {}};
  const grader::Progress all = progress();
  for (const auto& [name, each] : labs_) {
    LabState state = LabState::not_started;
    if (const auto known = all.find(name); known != all.end())
      state = known->second.passed ? LabState::passed : LabState::started;
    frame.labs.push_back({name, each->spec.title, state});
  }
  frame.assets.style = asset_url("style.css");
  return frame;
}

// ---- what happens without a request ----

void Service::add_descriptors(std::vector<pollfd>& sources) const {
  relays_.add_descriptors(sources);
  for (const auto& [name, lab] : labs_)
    if (lab->watch && lab->watch->descriptor() >= 0)
      sources.push_back({lab->watch->descriptor(), POLLIN, 0});
}

std::chrono::milliseconds Service::interval() const {
  std::chrono::milliseconds shortest = between_signs_of_life;
  for (const auto& [name, lab] : labs_) {
    if (lab->watch) shortest = std::min(shortest, lab->watch->interval());
    if (lab->missing_since) shortest = std::min(shortest, until_missing);
  }
  return shortest;
}

void Service::look() {
  relays_.look();
  for (auto& [name, lab] : labs_) {
    if (!lab->watch) continue;
    if (!lab->publisher.has_pages()) {
      lab->watch.reset();
      lab->missing_since.reset();
      continue;
    }
    const bool is_late = lab->missing_since && Clock::now() - *lab->missing_since > until_missing;
    if (!lab->watch->changed() && !is_late) continue;
    const Result<std::optional<KernelText>> text = files_.find(lab->spec);
    if (text && !*text && !is_late) {
      if (!lab->missing_since) lab->missing_since = Clock::now();
      continue;
    }
    lab->missing_since.reset();
    if (!text || !*text) {
      lab->publisher.publish(
          error_line(lab->known,
                     text ? "the file is missing: save to write it again" : text.error().message,
                     false),
          std::nullopt);
      continue;
    }
    if ((*text)->sha256 != lab->known) take_over(*lab, **text, std::nullopt);
  }
  if (Clock::now() - last_alive_ < between_signs_of_life) return;
  last_alive_ = Clock::now();
  for (auto& [name, lab] : labs_) lab->publisher.publish(alive_line, std::nullopt);
}

}  // namespace histolab::web
