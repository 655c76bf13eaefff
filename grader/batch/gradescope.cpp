#include "grader/batch/gradescope.h"

#include <fmt/format.h>
#include <yaml.h>

#include <chrono>
#include <cstdio>

namespace histolab::batch {
namespace {

constexpr std::size_t deepest = 200;

// One level of nesting, from the root to the current position.
struct Level {
  bool mapping = false;
  bool expects_key = true;
  std::string key;
};

std::string scalar_of(const yaml_event_t& event) {
  return {reinterpret_cast<const char*>(event.data.scalar.value), event.data.scalar.length};
}
std::string bare(const std::string& key) { return key.starts_with(":") ? key.substr(1) : key; }

class MetadataReader {
 public:
  // Returns the text of an error, or an empty text to continue.
  std::string take(const yaml_event_t& event) {
    switch (event.type) {
      case YAML_MAPPING_START_EVENT:
      case YAML_SEQUENCE_START_EVENT:
        if (levels_.size() >= deepest) return "is nested too deep";
        if (!levels_.empty() && levels_.back().mapping && levels_.back().expects_key)
          return "has a key that is not a text";
        levels_.push_back({event.type == YAML_MAPPING_START_EVENT, true, {}});
        if (event.type == YAML_MAPPING_START_EVENT && in_submitters())
          found_[levels_[0].key].submitters.emplace_back();
        if (levels_.size() == 2) found_.try_emplace(levels_[0].key);
        return {};
      case YAML_MAPPING_END_EVENT:
      case YAML_SEQUENCE_END_EVENT:
        levels_.pop_back();
        value_ended();
        return {};
      case YAML_SCALAR_EVENT: return scalar(scalar_of(event));
      case YAML_ALIAS_EVENT: value_ended(); return {};
      default: return {};
    }
  }
  std::map<std::string, GradescopeSubmission> found() && { return std::move(found_); }

 private:
  // True inside submission / submitters / [ / {, a mapping of the list.
  [[nodiscard]] bool in_submitters() const {
    return levels_.size() == 4 && levels_[3].mapping && !levels_[2].mapping &&
           bare(levels_[1].key) == "submitters";
  }

  void value_ended() {
    if (!levels_.empty() && levels_.back().mapping) levels_.back().expects_key = true;
  }
  std::string scalar(const std::string& text) {
    if (levels_.empty()) return "has no submissions";
    Level& here = levels_.back();
    if (here.mapping && here.expects_key) {
      here.key = text, here.expects_key = false;
      return {};
    }
    if (levels_.size() == 2 && bare(here.key) == "created_at")
      found_[levels_[0].key].at = time_from_text(text);
    if (in_submitters()) {
      GradescopeSubmission::Submitter& submitter = found_[levels_[0].key].submitters.back();
      const std::string key = bare(here.key);
      if (key == "name") submitter.name = text;
      if (key == "sid") submitter.sid = text;
      if (key == "email") submitter.email = text;
    }
    value_ended();
    return {};
  }

  std::vector<Level> levels_;
  std::map<std::string, GradescopeSubmission> found_;
};

}  // namespace

Result<std::map<std::string, GradescopeSubmission>> read_gradescope(const std::string& yaml) {
  yaml_parser_t parser;
  if (yaml_parser_initialize(&parser) == 0) return Error{"submission_metadata.yml: out of memory"};
  yaml_parser_set_input_string(&parser, reinterpret_cast<const unsigned char*>(yaml.data()),
                               yaml.size());
  MetadataReader reader;
  std::string wrong;
  for (bool ended = false; !ended && wrong.empty();) {
    yaml_event_t event;
    if (yaml_parser_parse(&parser, &event) == 0) {
      wrong = fmt::format("line {}: {}", parser.problem_mark.line + 1,
                          parser.problem == nullptr ? "is not YAML" : parser.problem);
      break;
    }
    ended = event.type == YAML_STREAM_END_EVENT;
    wrong = reader.take(event);
    yaml_event_delete(&event);
  }
  yaml_parser_delete(&parser);
  if (!wrong.empty()) return Error{fmt::format("submission_metadata.yml: {}", wrong)};
  return std::move(reader).found();
}

std::optional<std::int64_t> time_from_text(const std::string& text) {
  int year = 0, month = 0, day = 0, hour = 0, minute = 0, used = 0;
  double second = 0;
  const int date = std::sscanf(text.c_str(), "%4d-%2d-%2d%n", &year, &month, &day, &used);
  if (date != 3) return std::nullopt;
  std::string rest = text.substr(static_cast<std::size_t>(used));
  std::int64_t offset = 0;
  if (!rest.empty()) {
    if ((rest[0] != ' ' && rest[0] != 'T' && rest[0] != 't') ||
        std::sscanf(rest.c_str() + 1, "%2d:%2d%n", &hour, &minute, &used) != 2)
      return std::nullopt;
    rest = rest.substr(1 + static_cast<std::size_t>(used));
    if (rest.starts_with(":")) {
      if (std::sscanf(rest.c_str() + 1, "%lf%n", &second, &used) != 1) return std::nullopt;
      rest = rest.substr(1 + static_cast<std::size_t>(used));
    }
    while (rest.starts_with(" ")) rest.erase(0, 1);
    if (rest.starts_with("+") || rest.starts_with("-")) {
      int hours = 0, minutes = 0;
      if (std::sscanf(rest.c_str() + 1, "%2d:%2d", &hours, &minutes) != 2 &&
          std::sscanf(rest.c_str() + 1, "%2d%2d", &hours, &minutes) != 2)
        return std::nullopt;
      offset = (rest[0] == '-' ? -60 : 60) * (hours * 60 + minutes);
    } else if (!rest.empty() && rest != "Z" && rest != "z" && rest != "UTC") {
      return std::nullopt;
    }
  }
  const std::chrono::year_month_day ymd{std::chrono::year{year},
                                        std::chrono::month{static_cast<unsigned>(month)},
                                        std::chrono::day{static_cast<unsigned>(day)}};
  if (!ymd.ok() || hour < 0 || hour > 23 || minute < 0 || minute > 59 ||
      !(second >= 0 && second <= 60))
    return std::nullopt;
  const std::int64_t days = std::chrono::sys_days{ymd}.time_since_epoch().count();
  return days * 86400 + hour * 3600 + minute * 60 + static_cast<std::int64_t>(second) - offset;
}

Result<std::int64_t> time_with_offset(const std::string& text) {
  const std::optional<std::int64_t> time = time_from_text(text);
  constexpr std::size_t date_size = 10;
  if (!time)
    return Error{
        fmt::format("\"{}\" is not a time; expected one such as 2026-11-20T23:59:00+01:00", text)};
  if (text.size() <= date_size)
    return Error{fmt::format(
        "\"{0}\" has no time of day and no UTC offset; write {0}T23:59:00+01:00, for example",
        text)};
  const std::string clock = text.substr(date_size);
  if (clock.find_first_of("+-") != std::string::npos || clock.ends_with('Z') ||
      clock.ends_with('z') || clock.ends_with("UTC"))
    return *time;
  return Error{fmt::format(
      "\"{0}\" has no UTC offset; write {0}+01:00, for example, or {0}Z for UTC", text)};
}

}  // namespace histolab::batch
