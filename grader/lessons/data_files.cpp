#include "grader/lessons/data_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "grader/words/words.h"

namespace histolab::grader::lessons {
namespace {

constexpr std::size_t most_shown = 8;  // number of values in a message

std::string shown(const Json& value) {
  if (value.is_null()) return "none";
  return value.is_string() ? value.get<std::string>() : value.dump();
}

bool has(const Json& row, const std::string& key, const std::string& wanted) {
  const auto found = row.find(key);
  if (found == row.end()) return false;
  if (found->is_string()) return found->get<std::string>() == wanted;
  if (!found->is_number()) return shown(*found) == wanted;
  const std::optional<double> number = parse_number(wanted);
  return number && *number == found->get<double>();
}

// One value per condition.
struct Requirement {
  std::string key, value;
};

bool fits(const Json& row, const std::vector<Requirement>& requirements,
          const Requirement* ignored = nullptr) {
  return row.is_object() &&
         std::all_of(requirements.begin(), requirements.end(), [&](const Requirement& requirement) {
           return &requirement == ignored || has(row, requirement.key, requirement.value);
         });
}

// Returns "2, 4 and 6 more" in the order of the rows, or an empty string if there are no values.
std::string shortened_list(const std::vector<std::string>& values) {
  std::string text;
  for (std::size_t i = 0; i < values.size() && i < most_shown; ++i)
    text += (text.empty() ? "" : ", ") + values[i];
  return values.size() > most_shown
             ? fmt::format("{} and {} more", text, values.size() - most_shown)
             : text;
}

void add_new(std::vector<std::string>& values, std::string value) {
  if (std::find(values.begin(), values.end(), value) == values.end())
    values.push_back(std::move(value));
}

Error no_row(const std::string& file, const Json& rows,
             const std::vector<Requirement>& requirements) {
  std::string asked, near;
  std::vector<std::string> keys;
  for (const Json& row : rows)
    for (const auto& [key, value] : row.items()) add_new(keys, key);
  for (const Requirement& requirement : requirements) {
    if (std::find(keys.begin(), keys.end(), requirement.key) == keys.end())
      return Error{fmt::format("the rows of {} have no \"{}\"{}", file, requirement.key,
                               did_you_mean(requirement.key, keys))};
    asked += (asked.empty() ? "" : " ") + fmt::format("{}={}", requirement.key, requirement.value);
    std::vector<std::string> values;
    for (const Json& row : rows)
      if (fits(row, requirements, &requirement) && row.contains(requirement.key))
        add_new(values, shown(row[requirement.key]));
    if (!values.empty())
      near +=
          fmt::format("; with the others there is {}={}", requirement.key, shortened_list(values));
  }
  return Error{fmt::format("{} has no row with {}{}", file, asked, near)};
}

Error several_rows(const std::string& file, const std::vector<const Json*>& rows) {
  std::string differ;
  for (const auto& [key, value] : rows.front()->items()) {
    if (value.is_structured() || value.is_number_float())
      // Measured values differ in every row.
      continue;
    std::vector<std::string> values;
    for (const Json* row : rows)
      if (row->contains(key)) add_new(values, shown((*row)[key]));
    if (values.size() > 1)
      differ += fmt::format("{}{}={}", differ.empty() ? "" : "; ", key, shortened_list(values));
  }
  return Error{fmt::format("{} rows of {} fit; they differ in {}", rows.size(), file,
                           differ.empty() ? "nothing that can be chosen" : differ)};
}

Result<double> number_of(const Json& row, const std::string& file, const std::string& field) {
  const bool is_speed = field == "speed";
  const auto found = row.find(is_speed ? "elements_per_s" : field);
  if (found != row.end() && found->is_number()) return found->get<double>() / (is_speed ? 1e9 : 1);
  std::vector<std::string> known = {"speed"};
  for (const auto& [key, value] : row.items())
    if (value.is_number()) known.push_back(key);
  return Error{
      fmt::format("the row of {} has no number \"{}\"{}", file, field, did_you_mean(field, known))};
}

Result<double> measured_once(const std::string& file, const Json& rows,
                             const std::vector<Requirement>& requirements,
                             const std::string& field) {
  std::vector<const Json*> found;
  for (const Json& row : rows)
    if (fits(row, requirements)) found.push_back(&row);
  if (found.empty()) return no_row(file, rows, requirements);
  if (found.size() > 1) return several_rows(file, found);
  return number_of(*found.front(), file, field);
}

}  // namespace

Result<const Json*> DataFiles::read(const std::string& folder, const std::string& name) {
  if (name.empty() || name.find('/') != std::string::npos)
    return Error{fmt::format("\"{}\" is not the name of a file in {}", name, folder)};
  const std::string path = folder + "/" + name + ".json";
  auto known = files_.find(path);
  if (known == files_.end())
    known = files_.emplace(path, read_json_file(path, "file of measurements")).first;
  if (!known->second) return known->second.error();
  return &*known->second;
}

Result<Value> DataFiles::measured(const Selection& selection) {
  const Json* file = TRY(read(measurements_, selection.file));
  if (!file->contains("rows") || !(*file)["rows"].is_array())
    return Error{fmt::format("{} has no rows", selection.file)};
  if (selection.field.empty())
    return Error{
        fmt::format("no field is given; add one such as speed or median_ms ({})", selection.file)};
  std::size_t results = 1;
  for (const Condition& condition : selection.conditions) {
    if (condition.values.size() == 1) continue;
    if (results > 1) return Error{"only one key may have several values"};
    results = condition.values.size();
  }
  Value value;
  for (std::size_t i = 0; i < results; ++i) {
    std::vector<Requirement> requirements;
    for (const Condition& condition : selection.conditions)
      requirements.push_back(
          {condition.key, condition.values[condition.values.size() == 1 ? 0 : i]});
    value.numbers.push_back(
        TRY(measured_once(selection.file, (*file)["rows"], requirements, selection.field)));
  }
  return value;
}

Result<Value> DataFiles::profile(const std::string& name, const std::string& id,
                                 const std::string& x) {
  const Json* file = TRY(read(profiles_, name));
  std::vector<std::string> known;
  for (const char* group : {"figures", "facts", "curves"}) {
    const auto in = file->find(group);
    if (in == file->end() || !in->is_object()) continue;
    for (const auto& [key, value] : in->items()) known.push_back(key);
    const auto found = in->find(id);
    if (found == in->end()) continue;
    const Json& value = found->is_object() && found->contains("value") ? (*found)["value"] : *found;
    if (value.is_number())
      return x.empty()
                 ? Result<Value>{Value{{value.get<double>()}, {}}}
                 : Error{fmt::format("{} is a number, not a curve with a point at {}", id, x)};
    if (!value.is_object() || !value.contains("points"))
      return Error{fmt::format("{} of the profile {} is not a number", id, name)};
    const std::optional<double> at = parse_number(x);
    std::vector<std::string> points;
    for (const Json& point : value["points"]) {
      if (!point.is_array() || point.size() != 2 || !point[0].is_number() || !point[1].is_number())
        return Error{fmt::format("{} of the profile {} is not a list of pairs", id, name)};
      if (at && point[0].get<double>() == *at) return Value{{point[1].get<double>()}, {}};
      points.push_back(fmt::format("{}", point[0].get<double>()));
    }
    return Error{fmt::format("{} of the profile {} was not measured at \"{}\"; its points are {}",
                             id, name, x, shortened_list(points))};
  }
  return Error{fmt::format("the profile {} has no \"{}\"{}", name, id, did_you_mean(id, known))};
}

Result<Value> DataFiles::source(const std::string& name, const std::string& key) {
  std::error_code ignored;
  const bool measurement = std::filesystem::exists(measurements_ + "/" + name + ".json", ignored);
  const Json* file = TRY(read(measurement ? measurements_ : profiles_, name));
  const auto text = [&](const char* of) {
    return file->contains(of) ? shown((*file)[of]) : std::string{"unknown"};
  };
  if (key.empty())
    return Value{{},
                 fmt::format("{}, driver {}, {}", text("device"), text("driver"), text("date"))};
  const auto found = file->find(key);
  if (found == file->end() || found->is_structured())
    return Error{fmt::format("the head of {} has no \"{}\"", name, key)};
  return found->is_number() ? Value{{found->get<double>()}, {}} : Value{{}, shown(*found)};
}

}  // namespace histolab::grader::lessons
