#include "grader/cluster/messages.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <optional>

#include "grader/files/sha256.h"
#include "kernels/worker/protocol/json_parts.h"
#include "reference/nesting.h"

namespace histolab::cluster {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view fractions[] = {"score", "seconds", "seconds_to_begin"};
constexpr Phase phases[] = {Phase::whole, Phase::measure, Phase::judge};

// A submission may have any byte except NUL. JSON has only UTF-8, so other text is written as a
// list of bytes.
Json bytes(const std::string& text) {
  try {
    static_cast<void>(Json(text).dump());
    return text;
  } catch (const Json::exception&) {
    return std::vector<std::uint8_t>(text.begin(), text.end());
  }
}
std::string bytes(const Json& json) {
  if (json.is_string()) return json.get<std::string>();
  const auto list = json.get<std::vector<std::uint8_t>>();
  return {list.begin(), list.end()};
}

Json optional_bytes(const std::optional<std::string>& text) {
  return text ? bytes(*text) : Json(nullptr);
}
std::optional<std::string> optional_bytes(const Json& json) {
  return json.is_null() ? std::nullopt : std::optional{bytes(json)};
}

Json json_of(const Node& node) {
  return {{"name", node.name},
          {"time", node.time},
          {"device_kind", node.device_kind},
          {"device_name", node.device_name},
          {"sandbox", node.sandbox},
          {"compiler", node.compiler},
          {"gpu_name", node.gpu_name},
          {"gpu_driver", node.gpu_driver},
          {"obstacles", node.obstacles}};
}
Node node_of(const Json& json) {
  return {json.at("name"),        json.at("time"),       json.at("device_kind"),
          json.at("device_name"), json.at("sandbox"),    json.at("compiler"),
          json.at("gpu_name"),    json.at("gpu_driver"), json.at("obstacles")};
}

Phase phase_of(const Json& json) {
  for (const Phase phase : phases)
    if (json.get<std::string>() == name(phase)) return phase;
  throw Json::other_error::create(501, "there is no such phase", &json);
}

std::string text_of(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

// `from` reads by json.at() and json.get(), which throw.
template <class Value>
Result<Value> read(std::string_view text, const std::string& file, const char* schema,
                   Value (*from)(const Json&)) {
  if (nests_too_deep(text))
    return Error{fmt::format("{}: is nested more than {} deep", file, deepest_nesting)};
  try {
    const Json json = Json::parse(text);
    if (kernels::worker::has_fractions(json, fractions))
      return Error{fmt::format("{}: a number is not whole", file)};
    if (json.at("schema") != schema)
      return Error{
          fmt::format("{}: expected {}, found {}", file, schema, json.at("schema").dump())};
    return from(json);
  } catch (const Json::exception& wrong) {
    return Error{fmt::format("{}: {}", file, wrong.what())};
  }
}

}  // namespace

std::string solution_grading(const std::string& grading) {
  return grader::sha256("solution:" + grading);
}

std::string_view name(Phase phase) {
  if (phase == Phase::whole) return "whole";
  return phase == Phase::measure ? "measure" : "judge";
}

std::string to_json(const Assignment& a) {
  return text_of({{"schema", "histolab/assignment/1"},
                  {"id", a.id},
                  {"version", a.version},
                  {"program", a.program},
                  {"program_hash", a.program_hash},
                  {"labs_hash", a.labs_hash},
                  {"labs_folder", a.labs_folder},
                  {"labs", a.labs},
                  {"seed", a.seed},
                  {"device", a.device},
                  {"rubric", a.rubric},
                  {"unsafe", a.unsafe},
                  {"jobs", a.jobs}});
}
Result<Assignment> assignment_from_json(std::string_view text, const std::string& file) {
  return read<Assignment>(text, file, "histolab/assignment/1", [](const Json& json) -> Assignment {
    return {json.at("id"),           json.at("version"),   json.at("program"),
            json.at("program_hash"), json.at("labs_hash"), json.at("labs_folder"),
            json.at("labs"),         json.at("seed"),      json.at("device"),
            json.at("rubric"),       json.at("unsafe"),    json.at("jobs")};
  });
}

std::string to_json(const Chunk& chunk) {
  Json json{{"schema", "histolab/chunk/1"},
            {"number", chunk.number},
            {"phase", name(chunk.phase)},
            {"tries", chunk.tries},
            {"items", Json::array()}};
  for (const Item& item : chunk.items)
    json["items"].push_back({{"grading", item.grading},
                             {"lab", item.lab},
                             {"solution", item.solution},
                             {"kernel", optional_bytes(item.work.kernel)},
                             {"sheet", optional_bytes(item.work.sheet)},
                             {"problem", bytes(item.work.problem)},
                             {"measured", item.measured}});
  return text_of(json);
}
Result<Chunk> chunk_from_json(std::string_view text, const std::string& file) {
  return read<Chunk>(text, file, "histolab/chunk/1", [](const Json& json) {
    Chunk chunk{json.at("number"), phase_of(json.at("phase")), json.at("tries"), {}};
    for (const Json& each : json.at("items")) {
      Item& item = chunk.items.emplace_back();
      item.grading = each.at("grading");
      item.lab = each.at("lab");
      item.solution = each.at("solution");
      item.measured = each.at("measured");
      item.work.kernel = optional_bytes(each.at("kernel"));
      item.work.sheet = optional_bytes(each.at("sheet"));
      item.work.problem = bytes(each.at("problem"));
    }
    return chunk;
  });
}

std::string to_json(const Array& array) {
  return text_of({{"schema", "histolab/array/1"},
                  {"number", array.number},
                  {"tier", array.tier},
                  {"compiler", array.compiler},
                  {"chunks", array.chunks}});
}
Result<Array> array_from_json(std::string_view text, const std::string& file) {
  return read<Array>(text, file, "histolab/array/1", [](const Json& json) -> Array {
    return {json.at("number"), json.at("tier"), json.at("compiler"), json.at("chunks")};
  });
}

std::string to_json(const Part& part) {
  Json json{{"schema", "histolab/part/1"},
            {"spool", part.spool},
            {"array", part.array},
            {"index", part.index},
            {"node", json_of(part.node)},
            {"failure", part.failure},
            {"complete", part.complete},
            {"seconds", part.seconds},
            {"seconds_to_begin", part.seconds_to_begin},
            {"found", Json::array()}};
  for (const Found& each : part.found)
    json["found"].push_back({{"grading", each.grading},
                             {"status", each.outcome.status},
                             {"score", each.outcome.score},
                             {"report", each.outcome.report},
                             {"seconds", each.outcome.seconds},
                             {"measured", each.measured}});
  return text_of(json);
}
Result<Part> part_from_json(std::string_view text, const std::string& file) {
  return read<Part>(text, file, "histolab/part/1", [](const Json& json) {
    Part part{
        json.at("spool"),   json.at("array"),    json.at("index"),   node_of(json.at("node")),   {},
        json.at("failure"), json.at("complete"), json.at("seconds"), json.at("seconds_to_begin")};
    for (const Json& each : json.at("found"))
      part.found.push_back({each.at("grading"),
                            {each.at("status"), each.at("score"), each.at("report"),
                             each.at("seconds"), part.node.name},
                            each.at("measured")});
    return part;
  });
}

}  // namespace histolab::cluster
