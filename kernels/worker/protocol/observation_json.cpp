#include "kernels/worker/protocol/observation_json.h"

#include <bit>
#include <map>
#include <utility>

namespace histolab::kernels::worker {
namespace {

constexpr std::uint32_t most_lanes = 1024;  // per block

json write_thread(const std::optional<ThreadId>& id) {
  return id ? json{write_dim(id->block), write_dim(id->thread)} : json(nullptr);
}
std::optional<ThreadId> read_thread(const json& j) {
  if (j.is_null()) return std::nullopt;
  return ThreadId{read_dim(j.at(0)), read_dim(j.at(1))};
}

template <class Counters, class F>
void each_counter(Counters& c, F&& f) {
  f(c.blocks);
  f(c.threads);
  f(c.block_size);
  f(c.static_shared_bytes);
  f(c.dynamic_shared_bytes);
  each_busiest(f, c);
  each_total(f, c);
}

// Writes the line number, then index and value of each total that is not 0. A source has thousands
// of lines, and most of them have few totals.
json write_line(const reference::LineCounters& line) {
  json j = json::array({line.line});
  std::size_t place = 0;
  const auto add = [&](std::uint64_t value) {
    if (value != 0) {
      j.push_back(place);
      j.push_back(value);
    }
    ++place;
  };
  each_total(add, line.counters);
  return j;
}
reference::LineCounters read_line(const json& j) {
  reference::LineCounters line;
  line.line = read_line_number(j.at(0));
  std::size_t place = 0, next = 1;
  const auto take = [&](std::uint64_t& value) {
    if (next < j.size() && j.at(next).get<std::size_t>() == place) {
      value = j.at(next + 1).get<std::uint64_t>();
      next += 2;
    }
    ++place;
  };
  each_total(take, line.counters);
  if (next != j.size()) throw std::out_of_range("no such total");
  return line;
}

json write_element(const reference::AtomicPressure::Element& e) { return {e.index, e.updates}; }
reference::AtomicPressure::Element read_element(const json& j) {
  return {j.at(0).get<std::uint64_t>(), j.at(1).get<std::uint64_t>()};
}

json write_pressure(const reference::AtomicPressure& p) {
  return {
      cut(p.variable, longest_name), p.shared, p.element_bytes, p.updates, p.elements, p.uncounted,
      list_to(p.top, write_element)};
}
reference::AtomicPressure read_pressure(const json& j) {
  if (j.at(6).size() > reference::AtomicPressure::max_top)
    throw std::out_of_range("too many elements");
  return {read_name(j.at(0)),
          j.at(1).get<bool>(),
          j.at(2).get<std::uint32_t>(),
          j.at(3).get<std::uint64_t>(),
          j.at(4).get<std::uint64_t>(),
          j.at(5).get<std::uint64_t>(),
          list_of(j.at(6), read_element)};
}

// Recorded accesses name few variables, many times. So a row has the name's index in a list.
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
std::vector<T> read_recorded(const json& j,
                             T (*read)(const json&, const std::vector<std::string>&)) {
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

// Writes the offsets of active lanes only.
json write_access(const RecordedAccess& a, Names& names) {
  json row = {a.block,
              a.warp,
              a.line,
              static_cast<int>(a.operation),
              static_cast<int>(a.space),
              names.place_of(a.variable),
              a.bytes,
              a.active,
              a.base,
              a.sectors,
              a.wavefronts,
              a.same_address_degree};
  for (std::uint32_t left = a.active; left != 0; left &= left - 1)
    row.push_back(a.offset[static_cast<std::size_t>(std::countr_zero(left))]);
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
  if (a.active == 0 || j.size() != next + static_cast<std::size_t>(std::popcount(a.active)))
    throw std::out_of_range("not an offset for each lane");
  a.offset.fill(j.at(next).get<std::uint32_t>());
  for (std::uint32_t left = a.active; left != 0; left &= left - 1)
    a.offset[static_cast<std::size_t>(std::countr_zero(left))] = j.at(next++).get<std::uint32_t>();
  return a;
}

json write_step(const RecordedStep& s, Names& names) {
  return {s.block,
          s.thread,
          s.line,
          static_cast<int>(s.operation),
          static_cast<int>(s.space),
          names.place_of(s.variable),
          s.index,
          s.bytes,
          s.before,
          s.after};
}
RecordedStep read_step(const json& j, const std::vector<std::string>& names) {
  return {j.at(0).get<std::uint32_t>(), read_at_most(j.at(1), most_lanes - 1),
          read_line_number(j.at(2)),    read_enum(j.at(3), Operation::exchange),
          read_reached_space(j.at(4)),  names.at(j.at(5).get<std::size_t>()),
          j.at(6).get<std::uint64_t>(), read_width(j.at(7), 8),
          j.at(8).get<std::uint64_t>(), j.at(9).get<std::uint64_t>()};
}

json write_unread(const std::optional<UnreadBytes>& unread) {
  return unread ? json{unread->bytes, unread->first} : json(nullptr);
}
std::optional<UnreadBytes> read_unread(const json& j) {
  if (j.is_null()) return std::nullopt;
  return UnreadBytes{j.at(0).get<std::uint64_t>(), j.at(1).get<std::uint64_t>()};
}

json write_kept(const std::string& name) { return cut(name, longest_name); }

}  // namespace

json write_finding(const Finding& f) {
  return {{"kind", static_cast<int>(f.kind)},
          {"severity", static_cast<int>(f.severity)},
          {"space", static_cast<int>(f.space)},
          {"variable", cut(f.variable, longest_name)},
          {"index", f.index ? json(*f.index) : json(nullptr)},
          {"line", f.line},
          {"other_line", f.other_line},
          {"thread", write_thread(f.thread)},
          {"other_thread", write_thread(f.other_thread)},
          {"count", f.count},
          {"message", cut(f.message, longest_message)}};
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

json write_observation(const Observation& o) {
  json counters = json::array();
  each_counter(o.counters, [&](std::uint64_t value) { counters.push_back(value); });
  return {{"lines", list_to_at_most(o.lines, write_line, most_lines)},
          {"pressure", list_to_at_most(o.pressure, write_pressure, most_variables)},
          {"ending", static_cast<int>(o.ending)},
          {"detail", cut(o.ending_detail, longest_message)},
          {"counters", counters},
          {"findings", list_to_at_most(o.findings, write_finding, most_findings)},
          {"printed", cut(o.printed, longest_print)},
          {"elapsed_s", o.host_elapsed_s},
          {"unread", write_unread(o.unread)},
          {"kept", list_to_at_most(o.kept_variables, write_kept, most_variables)},
          {"accesses", write_recorded(o.accesses, write_access)},
          {"steps", write_recorded(o.steps, write_step)}};
}
Observation read_observation(const json& j) {
  Observation o;
  o.ending = read_enum(j.at("ending"), Ending::crashed);
  o.ending_detail = read_text(j.at("detail"), longest_message);
  std::size_t next = 0;
  each_counter(o.counters, [&](std::uint64_t& value) {
    value = j.at("counters").at(next++).get<std::uint64_t>();
  });
  o.lines = list_of(j.at("lines"), read_line);
  o.pressure = list_of(j.at("pressure"), read_pressure, most_variables);
  o.findings = list_of(j.at("findings"), read_finding, most_findings);
  o.unread = read_unread(j.at("unread"));
  o.kept_variables = list_of(j.at("kept"), read_name, most_variables);
  o.printed = read_text(j.at("printed"), longest_print, true);
  o.host_elapsed_s = j.at("elapsed_s").get<double>();
  o.accesses = read_recorded(j.at("accesses"), read_access);
  o.steps = read_recorded(j.at("steps"), read_step);
  return o;
}

}  // namespace histolab::kernels::worker
