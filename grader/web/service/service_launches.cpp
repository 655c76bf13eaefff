// The routes of races and live runs, which are commands of this program.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "grader/race/race_report.h"
#include "grader/web/service/forms.h"
#include "grader/web/service/replies.h"
#include "grader/web/service/service_parts.h"

namespace histolab::web {

void Service::race_of_kernel(const Call& call) {
  Lab* const lab = call.lab;
  const std::optional<std::uint64_t> seed = number_in(call.request.query, "seed", 1, 999'999'999);
  if (!seed) return refuse(call, 400, "The seed is not a number.");
  std::vector<std::string> command = options_.program;
  command.insert(command.end(), {"race", "--kernel", lab->spec.name, "--json", "-", "--seed",
                                 std::to_string(*seed)});
  start(Relays::Kind::collect, call, std::move(command), {});
}

void Service::race(const Call& call) {
  const std::map<std::string, std::string>& query = call.request.query;
  const std::size_t scenarios = reference::lecture_scenarios().size();
  const std::optional<std::uint64_t> scenario = number_in(query, "scenario", 0, scenarios),
                                     seed = number_in(query, "seed", 1, 999'999'999),
                                     threads = number_in(query, "threads", 2, 4);
  if (!scenario || !seed || !threads || *threads == 0)
    return refuse(call, 400,
                  fmt::format("scenario is 1 to {}, threads 1 to 4, seed a number.", scenarios));
  if (*scenario != 0)
    return front_.reply(
        call.number,
        json_reply(200, to_json(grader::race_of_scenario(static_cast<int>(*scenario)))));
  reference::Increments shape;
  shape.threads = static_cast<std::uint32_t>(*threads);
  front_.reply(call.number, json_reply(200, to_json(grader::race_of_seed(shape, *seed))));
}

void Service::run(const Call& call) {
  const nlohmann::json order = nlohmann::json::parse(call.request.body, nullptr, false);
  if (!order.is_object()) return refuse(call, 400, "The request is not JSON.");
  const Lab* const lab = lab_called(text_in(order, "lab"));
  if (lab == nullptr) return refuse(call, 404, "There is no such lab.");
  const grader::LabSpec& spec = lab->spec;
  std::vector<std::string> command = options_.program;
  command.insert(command.end(),
                 {"run", spec.name, "--stream", "--control", "--device", "emulator"});
  if (const std::string id = text_in(order, "case"); !id.empty()) {
    const auto found = std::ranges::find(spec.cases, id, &grader::CaseSpec::id);
    if (found == spec.cases.end()) return refuse(call, 404, "The lab has no such case.");
    command.insert(command.end(), {"--case", found->id});
  }
  start(Relays::Kind::stream, call, std::move(command),
        fmt::format("{{\"event\":\"run\",\"id\":\"{}\"}}\n", call.number));
}

void Service::start(Relays::Kind kind, const Call& call, std::vector<std::string> command,
                    const std::string& first_line) {
  const Status started = relays_.start(kind, call.number, std::move(command), first_line);
  if (!started) refuse(call, 503, started.error().message, true);
}

void Service::say(const Call& call) {
  const nlohmann::json order = nlohmann::json::parse(call.request.body, nullptr, false);
  const std::string line = order.is_object() ? text_in(order, "say") : std::string{};
  const std::optional<std::uint64_t> id = number_of(call.open.front(), 0, 999'999'999);
  if (!id || !is_stream_command(line))
    return refuse(call, 400, "Say pause, run, quit, step N or speed N.");
  if (!relays_.say(*id, line)) return refuse(call, 404, "This launch has ended.");
  front_.reply(call.number, json_reply(200, "{}\n"));
}

}  // namespace histolab::web
