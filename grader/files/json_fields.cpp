#include "grader/files/json_fields.h"

#include <fmt/format.h>

#include <cmath>

#include "grader/words/words.h"

namespace histolab::grader {
namespace {

const Json no_value, no_object = Json::object(), no_array = Json::array();

}  // namespace

OrderedJson json_number(double number) {
  if (number == std::floor(number) && std::abs(number) < 9007199254740992.0)
    return static_cast<std::int64_t>(number);
  return number;
}

Fields::Fields(const Json& value, std::string pointer, Problems& problems)
    : value_(value.is_object() ? value : no_object),
      pointer_(std::move(pointer)),
      problems_(problems) {
  if (!value.is_object()) problems_.add(pointer_, "expected an object");
}

const Json* Fields::find(const char* key) const {
  const auto found = value_.find(key);
  return found == value_.end() ? nullptr : &*found;
}

void Fields::expected(const char* key, const Json* found, const std::string& what) {
  const std::string shown =
      found == nullptr ? "nothing"
      : found->is_structured()
          ? std::string{found->type_name()}
          : shortened(found->dump(-1, ' ', true, Json::error_handler_t::replace), 40);
  problem(key, fmt::format("expected {}, found {}", what, shown));
}

const Json& Fields::value(const char* key) const {
  const Json* found = find(key);
  return found == nullptr ? no_value : *found;
}

bool Fields::is_null(const char* key) const { return value(key).is_null(); }

std::string Fields::text(const char* key) {
  const Json* value = find(key);
  if (value != nullptr && value->is_string()) return value->get<std::string>();
  expected(key, value, "a string");
  return {};
}

bool Fields::flag(const char* key) {
  const Json* value = find(key);
  if (value != nullptr && value->is_boolean()) return value->get<bool>();
  expected(key, value, "true or false");
  return false;
}

double Fields::number(const char* key) {
  const Json* value = find(key);
  if (value != nullptr && value->is_number()) return value->get<double>();
  expected(key, value, "a number");
  return 0;
}

Fields Fields::object(const char* key) { return Fields(value(key), at(key), problems_); }

const Json& Fields::array(const char* key) {
  const Json* value = find(key);
  if (value != nullptr && value->is_array()) return *value;
  expected(key, value, "an array");
  return no_array;
}

}  // namespace histolab::grader
