#include "viewer/model/event.h"

#include <algorithm>

#include "reference/fields.h"
#include "viewer/model/json_access.h"

namespace histolab::viewer {
namespace {

constexpr std::size_t most_bins = 65'536, most_exports = 16;  // no lab has more
constexpr std::size_t most_launches = 10'000, most_sources = 1'000;

const SourceText* source_named(const Begin& begin, const std::string& file) {
  const auto found = std::ranges::find(begin.sources, file, &SourceText::file);
  return found == begin.sources.end() ? nullptr : &*found;
}

// Sets the members of a lab's kernel to those of a program's first source.
Begin with_kernel(Begin begin) {
  if (begin.sources.empty()) return begin;
  begin.kernel = begin.sources.front().file;
  begin.source = begin.sources.front().text;
  return begin;
}

}  // namespace

const std::string& Begin::file_shown(const std::string& wanted) const {
  static const std::string none;
  if (source_named(*this, wanted) != nullptr) return wanted;
  return sources.empty() ? none : kernel;
}

const std::string& Begin::text_of(const std::string& file) const {
  const SourceText* found = source_named(*this, file);
  return found == nullptr ? source : found->text;
}

template <class F, Describes<SourceText> Value>
void fields(F& f, Value& source) {
  f("file", source.file), f.exact("text", source.text);
}

template <class F, Describes<Begin> Value>
void fields(F& f, Value& begin) {
  f.group("device", [&](auto& device) {
    device("kind", begin.device_kind), device("name", begin.device_name);
  });
  f("lab", begin.lab), f("title", begin.title), f.exact("kernel", begin.kernel);
  f.exact("source", begin.source), f("dataset", begin.dataset), f("schedule", begin.schedule);
  f("block_order", begin.block_order), f("domain", begin.domain), f("length", begin.length);
  f("grid", begin.grid), f("block", begin.block), f("exports", begin.exports, most_exports);
  f("bin_labels", begin.bin_labels, most_bins), f("expected", begin.expected, most_bins);
  f("run", begin.run), f("program", begin.program), f("sources", begin.sources, most_sources);
  f("launches", begin.launches, most_launches), f("launch_count", begin.launch_count);
  f("files", begin.files, most_sources);
}
template <class F, Describes<Progress> Value>
void fields(F& f, Value& progress) {
  std::string state;
  f("state", state);
  progress.paused = state == "paused";
  f("steps", progress.steps), f("blocks", progress.blocks);
  f("elements_read", progress.elements_read), f("of_read", progress.of_read);
  f("histogram", progress.histogram), f("elapsed_s", progress.elapsed_s);
}
template <class F, Describes<Access> Value>
void fields(F& f, Value& access) {
  f("block", access.block), f("warp", access.warp), f("line", access.line);
  f("file", access.file), f("kind", access.kind), f("space", access.space),
      f("variable", access.variable);
  f("bytes", access.bytes), f("active", access.active), f("offsets", access.offset);
  f("base", access.base), f("sectors", access.sectors), f("wavefronts", access.wavefronts);
  f("same_address_degree", access.same_address_degree);
}
template <class F, Describes<Accesses> Value>
void fields(F& f, Value& accesses) {
  f("rows", accesses.rows);
}

Event parse_event(std::string_view line) {
  const Json json = parsed(line);
  const std::string event = text(json, "event");
  if (event == "begin") return with_kernel(read_leniently<Begin>(json));
  if (event == "progress") return read_leniently<Progress>(json);
  if (event == "accesses") return read_leniently<Accesses>(json);
  if (event == "result") return Finished{run_summary(at(json, "report"))};
  if (event == "end") return End{};
  if (event == "error") return Failure{text(json, "message")};
  return Stray{};
}

}  // namespace histolab::viewer
