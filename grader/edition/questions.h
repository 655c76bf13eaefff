// The questions of a quiz without anything that says which answer is right.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "grader/quiz/quiz.h"
#include "reference/result.h"

namespace histolab::edition {

// Of the lab's quiz.json, which loads. Draws and variants stay, so each student has the same questions as by the whole kit.
// Options that are shuffled come in an order that depends on their texts alone: the author's may tell the right one.
[[nodiscard]] Result<nlohmann::ordered_json> questions_of(const std::string& lab_folder,
                                                          const std::string& measurements);

}  // namespace histolab::edition
