#include "viewer/model/event.h"

#include <algorithm>

#include "viewer/model/json_access.h"

namespace histolab::viewer {
namespace {

constexpr std::size_t most_bins = 65'536, most_exports = 16;  // no lab has more

Begin begin_in(const Json& json) {
  Begin begin;
  begin.device_kind = text(at(json, "device"), "kind");
  begin.device_name = text(at(json, "device"), "name");
  begin.lab = text(json, "lab");
  begin.title = text(json, "title");
  begin.kernel = text(json, "kernel");
  begin.source = text(json, "source");
  begin.dataset = text(json, "dataset");
  begin.schedule = text(json, "schedule");
  begin.block_order = text(json, "block_order");
  begin.domain = text(json, "domain");
  begin.length = number<std::uint64_t>(json, "length");
  begin.grid = number<std::uint32_t>(json, "grid");
  begin.block = number<std::uint32_t>(json, "block");
  if (const Json& exports = at(json, "exports"); exports.is_object())
    for (const auto& [name, value] : exports.items())
      if (begin.exports.size() < most_exports)
        begin.exports[name] = number_of<std::uint32_t>(value);
  for (const Json& label : at(json, "bin_labels"))
    begin.bin_labels.push_back(label.is_string() ? label.get<std::string>() : std::string{});
  begin.expected = numbers<std::uint64_t>(json, "expected");
  begin.bin_labels.resize(std::min(begin.bin_labels.size(), most_bins));
  begin.expected.resize(std::min(begin.expected.size(), most_bins));
  return begin;
}

Progress progress_in(const Json& json) {
  Progress progress;
  progress.paused = text(json, "state") == "paused";
  progress.steps = number<std::uint64_t>(json, "steps");
  progress.blocks = number<std::uint64_t>(json, "blocks");
  progress.elements_read = number<std::uint64_t>(json, "elements_read");
  progress.of_read = numbers<std::uint64_t>(json, "of_read");
  progress.histogram = numbers<std::uint64_t>(json, "histogram");
  progress.elapsed_s = number<double>(json, "elapsed_s");
  return progress;
}

Access access_in(const Json& json) {
  Access access;
  access.block = number<std::uint32_t>(json, "block");
  access.warp = number<std::uint32_t>(json, "warp");
  access.line = number<int>(json, "line");
  access.kind = text(json, "kind");
  access.space = text(json, "space");
  access.variable = text(json, "variable");
  access.bytes = number<std::uint32_t>(json, "bytes");
  access.active = number<std::uint32_t>(json, "active");
  const std::vector<std::uint32_t> offsets = numbers<std::uint32_t>(json, "offsets");
  for (std::size_t lane = 0; lane < access.offset.size() && lane < offsets.size(); ++lane)
    access.offset[lane] = offsets[lane];
  access.base = number<std::uint64_t>(json, "base");
  access.sectors = number<std::uint32_t>(json, "sectors");
  access.wavefronts = number<std::uint32_t>(json, "wavefronts");
  access.same_address_degree = number<std::uint32_t>(json, "same_address_degree");
  return access;
}

Accesses accesses_in(const Json& json) {
  Accesses accesses;
  for (const Json& row : at(json, "rows")) accesses.rows.push_back(access_in(row));
  return accesses;
}

}  // namespace

Event parse_event(std::string_view line) {
  const Json json = parsed(line);
  const std::string event = text(json, "event");
  if (event == "begin") return begin_in(json);
  if (event == "progress") return progress_in(json);
  if (event == "accesses") return accesses_in(json);
  if (event == "result") return Finished{run_summary(at(json, "report"))};
  if (event == "end") return End{};
  if (event == "error") return Failure{text(json, "message")};
  return Stray{};
}

}  // namespace histolab::viewer
