#include "grader/cluster/messages.h"

#include "grader/files/json_fields.h"
#include "grader/files/sha256.h"

namespace histolab::cluster {

// A submission may have any byte except NUL. JSON has only UTF-8, so other text is written as a
// list of bytes.
template <class F, class Text>
void bytes(F& f, const char* key, Text& text) {
  if constexpr (F::writes) {
    try {
      static_cast<void>(grader::OrderedJson(text).dump());
      f(key, text);
    } catch (const grader::OrderedJson::exception&) {
      f(key, std::vector<std::uint8_t>(text.begin(), text.end()));
    }
  } else if (const grader::Json& value = f.value(key); value.is_array()) {
    std::vector<std::uint8_t> list;
    f(key, list);
    text.assign(list.begin(), list.end());
  } else {
    f(key, text);
  }
}
template <class F, class Text>
void optional_bytes(F& f, const char* key, Text& text) {
  if constexpr (F::writes) {
    if (!text) return f(key, nullptr);
    bytes(f, key, *text);
  } else if (!f.is_null(key)) {
    bytes(f, key, text.emplace());
  }
}

template <class F, Describes<Node> Value>
void fields(F& f, Value& node) {
  f("name", node.name), f("time", node.time);
  f("device_kind", node.device_kind), f("device_name", node.device_name);
  f("sandbox", node.sandbox), f("compiler", node.compiler);
  f("gpu_name", node.gpu_name), f("gpu_driver", node.gpu_driver), f("obstacles", node.obstacles);
}

template <class F, Describes<Assignment> Value>
void fields(F& f, Value& assignment) {
  f.schema("histolab/assignment/1");
  f("id", assignment.id), f("version", assignment.version), f("program", assignment.program);
  f("program_hash", assignment.program_hash), f("labs_hash", assignment.labs_hash);
  f("labs_folder", assignment.labs_folder), f("labs", assignment.labs), f("seed", assignment.seed);
  f("device", assignment.device), f("rubric", assignment.rubric), f("unsafe", assignment.unsafe);
  f("jobs", assignment.jobs);
}

template <class F, Describes<Item> Value>
void fields(F& f, Value& item) {
  f("grading", item.grading), f("lab", item.lab), f("solution", item.solution);
  optional_bytes(f, "kernel", item.work.kernel), optional_bytes(f, "sheet", item.work.sheet);
  bytes(f, "problem", item.work.problem);
  f("measured", item.measured);
}
template <class F, Describes<Chunk> Value>
void fields(F& f, Value& chunk) {
  f.schema("histolab/chunk/1");
  f("number", chunk.number), f("phase", chunk.phase), f("tries", chunk.tries);
  f("items", chunk.items);
}

template <class F, Describes<Array> Value>
void fields(F& f, Value& array) {
  f.schema("histolab/array/1");
  f("number", array.number), f("tier", array.tier), f("compiler", array.compiler);
  f("chunks", array.chunks);
}

template <class F, Describes<Found> Value>
void fields(F& f, Value& found) {
  f("grading", found.grading), f("status", found.outcome.status);
  f("score", found.outcome.score), f("report", found.outcome.report);
  f("seconds", found.outcome.seconds), f("measured", found.measured);
}
template <class F, Describes<Part> Value>
void fields(F& f, Value& part) {
  f.schema("histolab/part/1");
  f("spool", part.spool), f("array", part.array), f("index", part.index), f("node", part.node);
  f("failure", part.failure), f("complete", part.complete);
  f("seconds", part.seconds), f("seconds_to_begin", part.seconds_to_begin);
  f("found", part.found);
  if constexpr (!F::writes)
    for (Found& each : part.found) each.outcome.node = part.node.name;
}

namespace {

std::string text_of(const auto& value) {
  using Json = grader::OrderedJson;
  return grader::FieldWriter::written(value).dump(-1, ' ', false, Json::error_handler_t::replace) +
         "\n";
}

}  // namespace

std::string solution_grading(const std::string& grading) {
  return grader::sha256("solution:" + grading);
}

std::string_view name(Phase phase) {
  if (phase == Phase::whole) return "whole";
  return phase == Phase::measure ? "measure" : "judge";
}

std::string to_json(const Assignment& assignment) { return text_of(assignment); }
std::string to_json(const Chunk& chunk) { return text_of(chunk); }
std::string to_json(const Array& array) { return text_of(array); }
std::string to_json(const Part& part) { return text_of(part); }

Result<Assignment> assignment_from_json(std::string_view text, const std::string& file) {
  return grader::read_fields<Assignment>(text, file);
}
Result<Chunk> chunk_from_json(std::string_view text, const std::string& file) {
  return grader::read_fields<Chunk>(text, file);
}
Result<Array> array_from_json(std::string_view text, const std::string& file) {
  return grader::read_fields<Array>(text, file);
}
Result<Part> part_from_json(std::string_view text, const std::string& file) {
  return grader::read_fields<Part>(text, file);
}

}  // namespace histolab::cluster
