#include "kernels/worker/protocol/protocol.h"

#include <map>
#include <stdexcept>

#include "kernels/worker/protocol/json_parts.h"
#include "kernels/worker/protocol/observation_json.h"
#include "reference/nesting.h"

namespace histolab::kernels::worker {
namespace {

constexpr std::string_view fractions[] = {"elapsed_s"};

json write_wide(const emulator::WideAccess& w) { return {w.line, w.bytes}; }
emulator::WideAccess read_wide(const json& j) {
  return {j.at(0).get<int>(), j.at(1).get<std::uint8_t>()};
}

json write_argument(const emulator::MappedArgument& a) {
  return {static_cast<int>(a.kind),
          a.name,
          a.element_bytes,
          a.bytes,
          a.fd,
          a.word,
          a.initialized,
          a.offset};
}
emulator::MappedArgument read_argument(const json& j) {
  return {read_enum(j.at(0), Argument::Kind::word),
          j.at(1).get<std::string>(),
          j.at(2).get<std::uint32_t>(),
          j.at(3).get<std::uint64_t>(),
          j.at(4).get<int>(),
          j.at(5).get<std::uint32_t>(),
          j.at(6).get<bool>(),
          j.at(7).get<std::uint32_t>()};
}
json write_arguments(const std::vector<emulator::MappedArgument>& a) {
  return list_to(a, write_argument);
}
std::vector<emulator::MappedArgument> read_arguments(const json& j) {
  return list_of(j, read_argument);
}

json write_used(const emulator::UsedVariable& u) { return {cut(u.name, longest_name), u.line}; }
emulator::UsedVariable read_used(const json& j) {
  return {read_name(j.at(0)), read_line_number(j.at(1))};
}

json write_signature(const KernelSignature& s) {
  std::vector<int> parameters;
  for (const auto parameter : s.parameters) parameters.push_back(static_cast<int>(parameter));
  return {{"name", s.name},
          {"parameters", parameters},
          {"declaration", s.declaration},
          {"exports", s.exports}};
}
json write_module(const emulator::ModuleInfo& m) {
  return {{"diagnostics", list_to_at_most(m.diagnostics, write_diagnostic, most_findings)},
          {"exports", m.exports},
          {"static_shared", m.static_shared_bytes},
          {"variables", list_to_at_most(m.variables, write_used, most_variables)}};
}
emulator::ModuleInfo read_module(const json& j) {
  emulator::ModuleInfo m;
  m.diagnostics = list_of(j.at("diagnostics"), read_diagnostic, most_findings);
  m.exports = read_words(j.at("exports"));
  m.static_shared_bytes = j.at("static_shared").get<std::uint64_t>();
  m.variables = list_of(j.at("variables"), read_used, most_variables);
  return m;
}

KernelSignature read_signature(const json& j) {
  KernelSignature s;
  s.name = j.at("name").get<std::string>();
  for (const json& parameter : j.at("parameters"))
    s.parameters.push_back(read_enum(parameter, KernelSignature::Parameter::word));
  s.declaration = j.at("declaration").get<std::string>();
  s.exports = j.at("exports").get<std::vector<std::string>>();
  return s;
}

json write_options(const Options& o) {
  json observers = json::array();
  for (const NamedObserver& each : all_observers) observers.push_back(o.observers.*each.is_on);
  return {{"schedule", static_cast<int>(o.schedule)},
          {"block_order", static_cast<int>(o.block_order)},
          {"seed", o.seed},
          {"steps", o.steps_per_thread},
          {"observers", std::move(observers)},
          {"accesses_to_record", o.recorded_accesses},
          {"steps_to_record", o.recorded_steps},
          {"debugged", o.debugged}};
}
Options read_options(const json& j) {
  Options o;
  o.schedule = read_enum(j.at("schedule"), Schedule::adversarial);
  o.block_order = read_enum(j.at("block_order"), BlockOrder::interleaved);
  o.seed = j.at("seed").get<std::uint64_t>();
  o.steps_per_thread = j.at("steps").get<std::uint64_t>();
  const auto on = j.at("observers").get<std::vector<bool>>();
  for (std::size_t at = 0; at < std::size(all_observers); ++at)
    o.observers.*all_observers[at].is_on = on.at(at);
  o.recorded_accesses = j.at("accesses_to_record").get<std::uint32_t>();
  o.recorded_steps = j.at("steps_to_record").get<std::uint32_t>();
  o.debugged = j.at("debugged").get<bool>();
  return o;
}

std::string dump(const json& j) { return j.dump(-1, ' ', false, json::error_handler_t::replace); }

template <class T, class F>
Result<T> parse(std::string_view text, const char* what, F&& read) {
  const Error wrong{std::string(what) + " does not have the agreed form"};
  if (nests_too_deep(text)) return wrong;
  const json j = json::parse(text, nullptr, false);
  if (j.is_discarded() || has_fractions(j, fractions)) return wrong;
  try {
    return read(j);
  } catch (const std::exception&) {
    return wrong;
  }
}

}  // namespace

std::string to_text(const Request& r) {
  return dump({{"signatures", list_to(r.signatures, write_signature)},
               {"launch", r.launch},
               {"grid", write_dim(r.config.grid)},
               {"block", write_dim(r.config.block)},
               {"shared", r.config.dynamic_shared_bytes},
               {"opt_in", r.config.shared_opt_in},
               {"profile", r.config.profile},
               {"options", write_options(r.options)},
               {"live", r.live_descriptor},
               {"launches", list_to(r.launches, write_arguments)},
               {"wide", list_to(r.wide_accesses, write_wide)},
               {"local_lines", r.local_lines},
               {"data_limit", r.own_data_limit}});
}

Result<Request> request_from(std::string_view text) {
  return parse<Request>(text, "the request", [](const json& j) {
    Request r;
    r.signatures = list_of(j.at("signatures"), read_signature);
    r.launch = j.at("launch").get<bool>();
    if (r.launch && r.signatures.size() != 1) throw std::out_of_range("signatures");
    r.config = {read_dim(j.at("grid")), read_dim(j.at("block")),
                j.at("shared").get<std::uint32_t>(), j.at("opt_in").get<bool>(),
                j.at("profile").get<std::string>()};
    r.options = read_options(j.at("options"));
    r.live_descriptor = j.at("live").get<int>();
    r.launches = list_of(j.at("launches"), read_arguments);
    r.wide_accesses = list_of(j.at("wide"), read_wide);
    r.local_lines = j.at("local_lines").get<std::vector<int>>();
    r.own_data_limit = j.at("data_limit").get<std::uint64_t>();
    return r;
  });
}

std::string to_text(const Answer& a) {
  return dump({{"machine_error", a.machine_error},
               {"modules", list_to(a.modules, write_module)},
               {"observations", list_to(a.observations, write_observation)}});
}

Result<Answer> answer_from(std::string_view text) {
  return parse<Answer>(text, "the worker's answer", [](const json& j) {
    Answer a;
    a.machine_error = read_text(j.at("machine_error"), longest_message);
    a.modules = list_of(j.at("modules"), read_module, most_variables);
    a.observations = list_of(j.at("observations"), read_observation, most_variables);
    return a;
  });
}

}  // namespace histolab::kernels::worker
