#include "grader/pipeline/profile_json.h"

#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <initializer_list>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>

#include "grader/files/read_file.h"
#include "reference/nesting.h"

namespace histolab::grader {
namespace {

using Json = nlohmann::json;
using reference::MeasuredCurve;

// Reads figures and curves by name, and keeps the first problem.
class Reader {
 public:
  explicit Reader(const Json& json) : json_(json) {}

  double figure(const char* id) {
    const Json* value = find("figures", id, "value");
    const bool good = value != nullptr && value->is_number() && value->get<double>() > 0;
    if (!good) miss(fmt::format("the figure \"{}\" is missing or not a number above 0", id));
    words("figures", id, {"unit", "title"});
    return good ? value->get<double>() : 1;
  }
  MeasuredCurve curve(const char* id) {
    std::vector<std::pair<double, double>> points;
    const Json* list = find("curves", id, "points");
    if (list != nullptr && list->is_array())
      for (const Json& point : *list) {
        const bool pair =
            point.is_array() && point.size() == 2 && point[0].is_number() && point[1].is_number();
        if (!pair) break;
        const double x = point[0].get<double>(), y = point[1].get<double>();
        if (x <= 0 || y <= 0 || (!points.empty() && x <= points.back().first)) break;
        points.emplace_back(x, y);
      }
    if (points.empty() || points.size() != list->size()) {
      miss(fmt::format("the curve \"{}\" is missing or not a list of ascending pairs above 0", id));
      points.assign(1, {1, 1});
    }
    words("curves", id, {"unit", "x", "title"});
    return MeasuredCurve(std::move(points));
  }
  std::string text(const char* key) {
    const auto found = json_.find(key);
    if (found != json_.end() && found->is_string()) return found->get<std::string>();
    miss(fmt::format("\"{}\" is missing or not a text", key));
    return {};
  }
  std::uint32_t multiprocessors() {
    const auto facts = json_.find("facts");
    const Json count = facts == json_.end() || !facts->is_object()
                           ? Json()
                           : facts->value("multiprocessors", Json());
    if (count.is_number_unsigned() && count > 0 &&
        count <= std::numeric_limits<std::uint32_t>::max())
      return count.get<std::uint32_t>();
    miss("\"facts\" has no number of multiprocessors");
    return 1;
  }
  void miss(std::string what) {
    if (!wrong_) wrong_ = std::move(what);
  }
  [[nodiscard]] const std::optional<std::string>& wrong() const { return wrong_; }

 private:
  // Checks the texts of a figure or a curve that are for people.
  void words(const char* group, const char* id, std::initializer_list<const char*> fields) {
    for (const char* field : fields)
      if (const Json* word = find(group, id, field); word == nullptr || !word->is_string())
        miss(fmt::format("the {} of \"{}\" is missing or not a text", field, id));
  }
  const Json* find(const char* group, const char* id, const char* field) const {
    const auto in = json_.find(group);
    if (in == json_.end() || !in->is_object()) return nullptr;
    const auto of = in->find(id);
    if (of == in->end() || !of->is_object()) return nullptr;
    const auto value = of->find(field);
    return value == of->end() ? nullptr : &*value;
  }

  const Json& json_;
  std::optional<std::string> wrong_;
};

// Returns by which factor a request is faster if the requests go to that many lines.
MeasuredCurve parallelism(const MeasuredCurve& ns_by_lines) {
  std::vector<std::pair<double, double>> points;
  for (const auto& [lines, ns] : ns_by_lines.points())
    points.emplace_back(lines, ns_by_lines.first() / ns);
  return MeasuredCurve(std::move(points));
}

}  // namespace

Result<reference::TimingProfile> parse_profile(std::string_view text, const std::string& name) {
  const Json json = nests_too_deep(text) ? Json() : Json::parse(text, nullptr, false);
  if (!json.is_object() || json.value("schema", Json()) != "histolab/profile/1")
    return Error{fmt::format("profile {}: not a histolab/profile/1 file", name)};
  Reader in(json);
  reference::TimingProfile p;
  p.name = name;
  p.device = in.text("device");
  p.driver = in.text("driver");
  p.date = in.text("date");
  static_cast<void>(in.text("command"));
  p.multiprocessors = in.multiprocessors();
  p.sm_ghz = in.figure("sm_clock");
  p.launch_ns = in.figure("launch") * 1e3;
  p.block_ns = in.curve("block");
  p.barrier_clocks = in.curve("barrier").at(256);
  p.dram_sectors_per_ns = in.curve("dram_sectors").last();
  p.l2_sectors_per_ns = in.curve("l2_sectors").last();
  p.loaded_latency_ns = in.curve("one_load_at_a_time").last();
  p.l1_latency_clocks = in.figure("latency_l1");
  p.l2_latency_clocks = in.figure("latency_l2");
  p.shared_latency_clocks = in.figure("latency_shared");
  p.plain_update_ns = in.curve("increment_once").at(7);
  p.volatile_update_ns = in.curve("increment_once_volatile").at(7);
  p.hot_pass_ns = in.curve("global_red_hot_line_by_lanes").first();
  p.line_parallelism = parallelism(in.curve("global_red_by_lines_degree_32"));
  p.swap_ns = in.curve("global_cas_one_word");
  p.shared_wavefront_clocks = in.curve("shared_load_by_degree").first();
  p.shared_swap_clocks = in.curve("shared_cas_by_degree").first();
  p.shared_swap_loop = in.curve("shared_cas_one_word");
  if (in.wrong())
    return Error{
        fmt::format("profile {}: {}; `histolab calibrate` measures it again", name, *in.wrong())};
  return p;
}

std::string profile_path(const std::string& folder, const std::string& name) {
  return (std::filesystem::path(folder) / (name + ".json")).string();
}

Result<reference::TimingProfile> load_profile(const std::string& folder, const std::string& name) {
  const std::string path = profile_path(folder, name);
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored))
    return Error{
        fmt::format("there is no measured profile of {} ({}); `histolab calibrate` makes one on a "
                    "machine with that GPU",
                    name, path)};
  return parse_profile(TRY(read_text_file(path, "profile")), name);
}

}  // namespace histolab::grader
