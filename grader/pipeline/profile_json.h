// Profiles as files: profiles/<name>.json, `histolab/profile/1`, as histolab-calibrate writes them.
#pragma once

#include <string>
#include <string_view>

#include "reference/result.h"
#include "reference/timing_profile.h"

namespace histolab::grader {

// Error: which figure is missing or is no number, with the file's name. Figures that the model does
// not use are passed by.
[[nodiscard]] Result<reference::TimingProfile> parse_profile(std::string_view json,
                                                             const std::string& name);

[[nodiscard]] std::string profile_path(const std::string& folder, const std::string& name);
// Of the file there. Error: there is none (the message says how to make one), or as above.
[[nodiscard]] Result<reference::TimingProfile> load_profile(const std::string& folder,
                                                            const std::string& name);

}  // namespace histolab::grader
