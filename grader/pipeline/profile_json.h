// Profiles as files: profiles/<name>.json, `histolab/profile/1`, as histolab-calibrate writes them.
#pragma once

#include <string>
#include <string_view>

#include "reference/result.h"
#include "reference/timing_profile.h"

namespace histolab::grader {

// Parses a profile. The Error names the file, and the figure that is missing or not a number.
// Figures that the model does not use are ignored.
[[nodiscard]] Result<reference::TimingProfile> parse_profile(std::string_view json,
                                                             const std::string& name);

[[nodiscard]] std::string profile_path(const std::string& folder, const std::string& name);
// Loads a profile from a folder. If it does not exist, the Error says how to make one.
[[nodiscard]] Result<reference::TimingProfile> load_profile(const std::string& folder,
                                                            const std::string& name);

}  // namespace histolab::grader
