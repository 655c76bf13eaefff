// The questions of a quiz without anything that says which answer is right.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "grader/quiz/quiz.h"
#include "reference/result.h"

namespace histolab::edition {

// Reads the lab's quiz.json. Draws and variants stay, so each student has the same questions as in
// the whole kit. Shuffled options are sorted by their texts' hashes: the author's order may give
// the right one away.
[[nodiscard]] Result<nlohmann::ordered_json> questions_of(const std::string& lab_folder,
                                                          const std::string& measurements);

}  // namespace histolab::edition
