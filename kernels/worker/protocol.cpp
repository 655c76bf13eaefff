#include "kernels/worker/protocol.h"

#include <algorithm>
#include <bit>
#include <climits>
#include <map>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace histolab::kernels::worker {
namespace {

using nlohmann::json;

constexpr std::uint32_t most_lanes = 1024;  // of a block
// More than any kernel needs that somebody is to read about; the rest is left out by who writes, and refused by who reads.
constexpr std::size_t most_findings = 1000, most_lines = 65536, most_variables = 4096;
constexpr std::size_t longest_name = 1024, longest_message = 8192, longest_print = 66 * 1024;

// Reading what the other side wrote. nlohmann's accessors throw on a wrong shape; the two entry points catch, and
// nothing of it leaves this file.
template <class T>
std::vector<T> list_of(const json& items, T (*read)(const json&), std::size_t most = most_lines) {
  if (!items.is_array() || items.size() > most) throw std::out_of_range("too many items");
  std::vector<T> result;
  for (const json& item : items) result.push_back(read(item));
  return result;
}
template <class T>
json list_to(const std::vector<T>& items, json (*write)(const T&)) {
  json result = json::array();
  for (const T& item : items) result.push_back(write(item));
  return result;
}

template <class T>
json list_to_at_most(const std::vector<T>& items, json (*write)(const T&), std::size_t most) {
  json result = json::array();
  for (std::size_t i = 0; i < std::min(items.size(), most); ++i) result.push_back(write(items[i]));
  return result;
}

// What a kernel may have had a hand in, for whoever shows it on a terminal: without the characters that steer one.
std::string read_text(const json& j, std::size_t longest, bool in_lines = false) {
  std::string text = j.get<std::string>();
  if (text.size() > longest) throw std::out_of_range("too long a text");
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    const bool ends_line = in_lines && (c == '\n' || c == '\t');
    const bool is_c1 = c == 0xc2 && i + 1 < text.size() && (static_cast<unsigned char>(text[i + 1]) & 0xe0) == 0x80;
    if ((c < 0x20 && !ends_line) || c == 0x7f) text[i] = '?';
    if (is_c1) text.replace(i, 2, "?");
  }
  return text;
}
std::string read_name(const json& j) { return read_text(j, longest_name); }
std::string cut(std::string text, std::size_t longest) {
  if (text.size() > longest) text.resize(longest);
  return text;
}

// Whole numbers everywhere: what else a number could be turned into, the language does not say.
bool has_fractions(const json& j, bool may_be = false) {
  if (j.is_number_float()) return !may_be;
  if (j.is_object()) {
    for (const auto& [key, value] : j.items())
      if (has_fractions(value, key == "elapsed_s")) return true;
  } else if (j.is_array()) {
    for (const json& each : j)
      if (has_fractions(each)) return true;
  }
  return false;
}

std::uint32_t read_at_most(const json& j, std::uint32_t most) {
  if (!j.is_number_unsigned()) throw std::out_of_range("no number from 0 on");
  const auto value = j.get<std::uint64_t>();
  if (value > most) throw std::out_of_range("too large a number");
  return static_cast<std::uint32_t>(value);
}
int read_line_number(const json& j) { return static_cast<int>(read_at_most(j, INT_MAX)); }

json write_dim(const Dim3& d) { return {d.x, d.y, d.z}; }
Dim3 read_dim(const json& j) { return {j.at(0).get<std::uint32_t>(), j.at(1).get<std::uint32_t>(), j.at(2).get<std::uint32_t>()}; }

json write_thread(const std::optional<ThreadId>& id) {
  return id ? json{write_dim(id->block), write_dim(id->thread)} : json(nullptr);
}
std::optional<ThreadId> read_thread(const json& j) {
  if (j.is_null()) return std::nullopt;
  return ThreadId{read_dim(j.at(0)), read_dim(j.at(1))};
}

json write_wide(const emulator::WideAccess& w) { return {w.line, w.bytes}; }
emulator::WideAccess read_wide(const json& j) { return {j.at(0).get<int>(), j.at(1).get<std::uint8_t>()}; }

// An enum as a number, checked against its last value.
template <class Enum>
Enum read_enum(const json& j, Enum last) {
  const auto value = j.get<std::uint32_t>();
  if (value > static_cast<std::uint32_t>(last)) throw std::out_of_range("no such value");
  return static_cast<Enum>(value);
}

json write_finding(const Finding& f) {
  return {{"kind", static_cast<int>(f.kind)}, {"severity", static_cast<int>(f.severity)}, {"space", static_cast<int>(f.space)},
          {"variable", cut(f.variable, longest_name)}, {"index", f.index ? json(*f.index) : json(nullptr)}, {"line", f.line},
          {"other_line", f.other_line}, {"thread", write_thread(f.thread)}, {"other_thread", write_thread(f.other_thread)},
          {"count", f.count}, {"message", cut(f.message, longest_message)}};
}
Finding read_finding(const json& j) {
  Finding f;
  f.kind = read_enum(j.at("kind"), FindingKind::unsupported);
  f.severity = read_enum(j.at("severity"), Severity::note);
  f.space = read_enum(j.at("space"), Space::local);
  f.variable = read_name(j.at("variable"));
  if (!j.at("index").is_null()) f.index = j.at("index").get<std::int64_t>();
  f.line = read_line_number(j.at("line"));
  f.other_line = read_line_number(j.at("other_line"));
  f.thread = read_thread(j.at("thread"));
  f.other_thread = read_thread(j.at("other_thread"));
  f.count = j.at("count").get<std::uint64_t>();
  f.message = read_text(j.at("message"), longest_message);
  return f;
}

// The raw totals, in the order of the struct.
template <class Traffic, class F>
void each_total(Traffic& c, F&& f) {
  f(c.barriers);
  for (auto* t : {&c.global_load, &c.global_store, &c.global_atomic}) f(t->requests), f(t->sectors), f(t->bytes), f(t->lanes);
  for (auto* t : {&c.shared_load, &c.shared_store, &c.shared_atomic})
    f(t->requests), f(t->wavefronts), f(t->bank_conflicts), f(t->bytes), f(t->lanes);
  for (auto* t : {&c.global_contention, &c.shared_contention}) {
    f(t->updates);
    for (auto& requests : t->requests_of_degree) f(requests);
  }
  f(c.volatile_loads);
  for (auto* t : {&c.shared_increments, &c.shared_swaps, &c.global_swaps}) f(t->requests), f(t->wavefronts), f(t->degrees);
}
template <class Counters, class F>
void each_counter(Counters& c, F&& f) {
  f(c.blocks), f(c.threads), f(c.block_size), f(c.static_shared_bytes), f(c.dynamic_shared_bytes);
  each_total(c, f);
}

// The line, then the place and the value of each total that is not 0: a source has thousands of lines, and most do little.
json write_line(const reference::LineCounters& line) {
  json j = json::array({line.line});
  std::size_t place = 0;
  each_total(line.counters, [&](std::uint64_t value) {
    if (value != 0) j.push_back(place), j.push_back(value);
    ++place;
  });
  return j;
}
reference::LineCounters read_line(const json& j) {
  reference::LineCounters line;
  line.line = j.at(0).get<int>();
  if (line.line < 0) throw std::out_of_range("no such line");
  std::size_t place = 0, next = 1;
  each_total(line.counters, [&](std::uint64_t& value) {
    if (next < j.size() && j.at(next).get<std::size_t>() == place) value = j.at(next + 1).get<std::uint64_t>(), next += 2;
    ++place;
  });
  if (next != j.size()) throw std::out_of_range("no such total");
  return line;
}

json write_element(const reference::AtomicPressure::Element& e) { return {e.index, e.updates}; }
reference::AtomicPressure::Element read_element(const json& j) { return {j.at(0).get<std::uint64_t>(), j.at(1).get<std::uint64_t>()}; }

json write_pressure(const reference::AtomicPressure& p) {
  return {cut(p.variable, longest_name), p.shared, p.updates, p.elements, p.uncounted, list_to(p.top, write_element)};
}
reference::AtomicPressure read_pressure(const json& j) {
  if (j.at(5).size() > reference::AtomicPressure::max_top) throw std::out_of_range("too many elements");
  return {read_name(j.at(0)), j.at(1).get<bool>(), j.at(2).get<std::uint64_t>(),
          j.at(3).get<std::uint64_t>(), j.at(4).get<std::uint64_t>(), list_of(j.at(5), read_element)};
}

// Recorded accesses name few variables, many times: a row has the name's place in a list.
class Names {
 public:
  std::size_t place_of(const std::string& name) {
    const auto [known, is_new] = places_.try_emplace(name, names_.size());
    if (is_new) names_.push_back(name);
    return known->second;
  }
  [[nodiscard]] json to_json() const { return names_; }

 private:
  std::map<std::string, std::size_t> places_;
  std::vector<std::string> names_;
};

template <class T>
json write_recorded(const std::vector<T>& items, json (*write)(const T&, Names&)) {
  Names names;
  json rows = json::array();
  for (const T& item : items) rows.push_back(write(item, names));
  return {{"names", names.to_json()}, {"rows", std::move(rows)}};
}
template <class T>
std::vector<T> read_recorded(const json& j, T (*read)(const json&, const std::vector<std::string>&)) {
  const std::vector<std::string> names = list_of(j.at("names"), read_name, Options::most_recorded);
  if (j.at("rows").size() > Options::most_recorded) throw std::out_of_range("too many rows");
  std::vector<T> items;
  for (const json& row : j.at("rows")) items.push_back(read(row, names));
  return items;
}

Space read_reached_space(const json& j) {
  const Space space = read_enum(j, Space::shared);
  if (space == Space::none) throw std::out_of_range("no such space");
  return space;
}
std::uint32_t read_width(const json& j, std::uint32_t most) {
  const std::uint32_t bytes = read_at_most(j, most);
  if (!std::has_single_bit(bytes)) throw std::out_of_range("no such width");
  return bytes;
}

// The offsets of active lanes only.
json write_access(const RecordedAccess& a, Names& names) {
  json row = {a.block, a.warp, a.line, static_cast<int>(a.operation), static_cast<int>(a.space), names.place_of(a.variable), a.bytes,
              a.active, a.base, a.sectors, a.wavefronts, a.same_address_degree};
  for (std::uint32_t left = a.active; left != 0; left &= left - 1) row.push_back(a.offset[static_cast<std::size_t>(std::countr_zero(left))]);
  return row;
}
RecordedAccess read_access(const json& j, const std::vector<std::string>& names) {
  RecordedAccess a;
  a.block = j.at(0).get<std::uint32_t>();
  a.warp = read_at_most(j.at(1), most_lanes / 32 - 1);
  a.line = read_line_number(j.at(2));
  a.operation = read_enum(j.at(3), Operation::exchange);
  a.space = read_reached_space(j.at(4));
  a.variable = names.at(j.at(5).get<std::size_t>());
  a.bytes = read_width(j.at(6), 16);
  a.active = j.at(7).get<std::uint32_t>();
  a.base = j.at(8).get<std::uint64_t>();
  a.sectors = read_at_most(j.at(9), 64);
  a.wavefronts = read_at_most(j.at(10), 128);
  a.same_address_degree = read_at_most(j.at(11), 32);
  std::size_t next = 12;
  if (a.active == 0 || j.size() != next + static_cast<std::size_t>(std::popcount(a.active))) throw std::out_of_range("not an offset for each lane");
  a.offset.fill(j.at(next).get<std::uint32_t>());
  for (std::uint32_t left = a.active; left != 0; left &= left - 1)
    a.offset[static_cast<std::size_t>(std::countr_zero(left))] = j.at(next++).get<std::uint32_t>();
  return a;
}

json write_step(const RecordedStep& s, Names& names) {
  return {s.block, s.thread, s.line, static_cast<int>(s.operation), static_cast<int>(s.space), names.place_of(s.variable), s.index, s.bytes,
          s.before, s.after};
}
RecordedStep read_step(const json& j, const std::vector<std::string>& names) {
  return {j.at(0).get<std::uint32_t>(), read_at_most(j.at(1), most_lanes - 1), read_line_number(j.at(2)),
          read_enum(j.at(3), Operation::exchange), read_reached_space(j.at(4)), names.at(j.at(5).get<std::size_t>()),
          j.at(6).get<std::uint64_t>(), read_width(j.at(7), 8), j.at(8).get<std::uint64_t>(), j.at(9).get<std::uint64_t>()};
}

json write_observation(const Observation& o) {
  json counters = json::array();
  each_counter(o.counters, [&](std::uint64_t value) { counters.push_back(value); });
  return {{"lines", list_to_at_most(o.lines, write_line, most_lines)}, {"pressure", list_to_at_most(o.pressure, write_pressure, most_variables)},
          {"ending", static_cast<int>(o.ending)}, {"detail", cut(o.ending_detail, longest_message)}, {"counters", counters},
          {"findings", list_to_at_most(o.findings, write_finding, most_findings)}, {"printed", cut(o.printed, longest_print)}, {"elapsed_s", o.host_elapsed_s},
          {"accesses", write_recorded(o.accesses, write_access)}, {"steps", write_recorded(o.steps, write_step)}};
}
Observation read_observation(const json& j) {
  Observation o;
  o.ending = read_enum(j.at("ending"), Ending::crashed);
  o.ending_detail = read_text(j.at("detail"), longest_message);
  std::size_t next = 0;
  each_counter(o.counters, [&](std::uint64_t& value) { value = j.at("counters").at(next++).get<std::uint64_t>(); });
  o.lines = list_of(j.at("lines"), read_line);
  o.pressure = list_of(j.at("pressure"), read_pressure, most_variables);
  o.findings = list_of(j.at("findings"), read_finding, most_findings);
  o.printed = read_text(j.at("printed"), longest_print, true);
  o.host_elapsed_s = j.at("elapsed_s").get<double>();
  o.accesses = read_recorded(j.at("accesses"), read_access);
  o.steps = read_recorded(j.at("steps"), read_step);
  return o;
}

json write_argument(const emulator::MappedArgument& a) {
  return {static_cast<int>(a.kind), a.name, a.element_bytes, a.bytes, a.fd, a.word, a.initialized, a.offset};
}
emulator::MappedArgument read_argument(const json& j) {
  return {read_enum(j.at(0), Argument::Kind::word), j.at(1).get<std::string>(), j.at(2).get<std::uint32_t>(),
          j.at(3).get<std::uint64_t>(), j.at(4).get<int>(), j.at(5).get<std::uint32_t>(), j.at(6).get<bool>(), j.at(7).get<std::uint32_t>()};
}
json write_arguments(const std::vector<emulator::MappedArgument>& a) { return list_to(a, write_argument); }
std::vector<emulator::MappedArgument> read_arguments(const json& j) { return list_of(j, read_argument); }

json write_diagnostic(const Diagnostic& d) { return {static_cast<int>(d.severity), d.line, d.column, cut(d.message, longest_message)}; }
Diagnostic read_diagnostic(const json& j) {
  return {read_enum(j.at(0), Severity::note), read_line_number(j.at(1)), read_line_number(j.at(2)), read_text(j.at(3), longest_message, true)};
}

json write_used(const emulator::UsedVariable& u) { return {cut(u.name, longest_name), u.line}; }
emulator::UsedVariable read_used(const json& j) { return {read_name(j.at(0)), read_line_number(j.at(1))}; }

json write_signature(const KernelSignature& s) {
  std::vector<int> parameters;
  for (const auto parameter : s.parameters) parameters.push_back(static_cast<int>(parameter));
  return {{"name", s.name}, {"parameters", parameters}, {"declaration", s.declaration}, {"exports", s.exports}};
}
json write_module(const emulator::ModuleInfo& m) {
  return {{"diagnostics", list_to_at_most(m.diagnostics, write_diagnostic, most_findings)}, {"exports", m.exports}, {"static_shared", m.static_shared_bytes},
          {"variables", list_to_at_most(m.variables, write_used, most_variables)}};
}
emulator::ModuleInfo read_module(const json& j) {
  emulator::ModuleInfo m;
  m.diagnostics = list_of(j.at("diagnostics"), read_diagnostic, most_findings);
  m.exports = j.at("exports").get<std::map<std::string, std::uint32_t>>();
  m.static_shared_bytes = j.at("static_shared").get<std::uint64_t>();
  m.variables = list_of(j.at("variables"), read_used, most_variables);
  return m;
}

KernelSignature read_signature(const json& j) {
  KernelSignature s;
  s.name = j.at("name").get<std::string>();
  for (const json& parameter : j.at("parameters")) s.parameters.push_back(read_enum(parameter, KernelSignature::Parameter::word));
  s.declaration = j.at("declaration").get<std::string>();
  s.exports = j.at("exports").get<std::vector<std::string>>();
  return s;
}

json write_options(const Options& o) {
  const Observers& w = o.observers;
  return {{"schedule", static_cast<int>(o.schedule)}, {"seed", o.seed}, {"steps", o.steps_per_thread},
          {"observers", {w.races, w.bounds, w.initialization, w.alignment, w.traffic}},
          {"accesses_to_record", o.recorded_accesses}, {"steps_to_record", o.recorded_steps}, {"debugged", o.debugged}};
}
Options read_options(const json& j) {
  Options o;
  o.schedule = read_enum(j.at("schedule"), Schedule::adversarial);
  o.seed = j.at("seed").get<std::uint64_t>();
  o.steps_per_thread = j.at("steps").get<std::uint64_t>();
  const auto on = j.at("observers").get<std::vector<bool>>();
  o.observers = {on.at(0), on.at(1), on.at(2), on.at(3), on.at(4)};
  o.recorded_accesses = j.at("accesses_to_record").get<std::uint32_t>();
  o.recorded_steps = j.at("steps_to_record").get<std::uint32_t>();
  o.debugged = j.at("debugged").get<bool>();
  return o;
}

std::string dump(const json& j) { return j.dump(-1, ' ', false, json::error_handler_t::replace); }

template <class T, class F>
Result<T> parse(std::string_view text, const char* what, F&& read) {
  const json j = json::parse(text, nullptr, false);
  const Error wrong{std::string(what) + " is not of the agreed shape"};
  if (j.is_discarded() || has_fractions(j)) return wrong;
  try {
    return read(j);
  } catch (const std::exception&) {
    return wrong;
  }
}

}  // namespace

std::string to_text(const Request& r) {
  return dump({{"signatures", list_to(r.signatures, write_signature)}, {"launch", r.launch}, {"grid", write_dim(r.config.grid)},
               {"block", write_dim(r.config.block)}, {"shared", r.config.dynamic_shared_bytes},
               {"opt_in", r.config.shared_opt_in}, {"profile", r.config.profile},
               {"options", write_options(r.options)}, {"live", r.live_descriptor}, {"launches", list_to(r.launches, write_arguments)},
               {"wide", list_to(r.wide_accesses, write_wide)}, {"spreads", r.spreads}, {"data_limit", r.own_data_limit}});
}

Result<Request> request_from(std::string_view text) {
  return parse<Request>(text, "the request", [](const json& j) {
    Request r;
    r.signatures = list_of(j.at("signatures"), read_signature);
    r.launch = j.at("launch").get<bool>();
    if (r.launch && r.signatures.size() != 1) throw std::out_of_range("signatures");
    r.config = {read_dim(j.at("grid")), read_dim(j.at("block")), j.at("shared").get<std::uint32_t>(),
                j.at("opt_in").get<bool>(), j.at("profile").get<std::string>()};
    r.options = read_options(j.at("options"));
    r.live_descriptor = j.at("live").get<int>();
    r.launches = list_of(j.at("launches"), read_arguments);
    r.wide_accesses = list_of(j.at("wide"), read_wide);
    r.spreads = j.at("spreads").get<bool>();
    r.own_data_limit = j.at("data_limit").get<std::uint64_t>();
    return r;
  });
}

std::string to_text(const Answer& a) {
  return dump({{"machine_error", a.machine_error}, {"modules", list_to(a.modules, write_module)}, {"observations", list_to(a.observations, write_observation)}});
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
