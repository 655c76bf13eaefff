// Uploaded: which files of what a student uploaded are for which lab, by names that are nearly
// right.
//
// Browsers and learning platforms change names, and so do people: "01-race (2).cu", "Race.cu",
// "lab1.cu", "work/01_race.cu", "01-race/stub.cu", "lab1_final.cu" are all for 01-race. So is
// "01-RACE.CU" or "01-race.cu~" if no file has a better name. An exact name comes first. Where two
// files are equally near, neither is taken, and where a file is near to none it is left out; a
// remark says so in words for the student. Links are not followed.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reference/result.h"

namespace histolab::grader {

struct Uploaded {
  std::map<std::string, std::string> kernels, sheets;  // by the lab's name: a path below the folder
  std::vector<std::string> remarks;
};

// "01-race.cu" for "01-RACE.CU", "01-race.cu.txt", "01-race.cu~" and "01-Race.cu (1)": the name
// that was most likely meant, in small letters. Returns nullopt if the name does not look like a
// kernel's.
[[nodiscard]] std::optional<std::string> meant_kernel(const std::string& name);

// Files that are not taken as kernels though they may be meant as one. For "01-race (1).CPP" the
// ending is "cpp". Whether the ending is that of another language's source: "kernel.c", "race.cuh",
// "lab1.cpp".
[[nodiscard]] bool is_other_source(const std::string& name);
// Whether only the text of the file can say so: "kernel.txt".
[[nodiscard]] bool is_plain_text(const std::string& name);
// Whether a text has a CUDA kernel.
[[nodiscard]] bool has_kernel(std::string_view text);

// The lab that a path's name is nearest to. `far`: 0 is the exact name.
struct NearLab {
  std::string lab;
  int far = 0;
};
inline constexpr int farther_by_ending = 10;  // a name with another ending: farther than any other
// Returns nullopt if the name does not look like a kernel's (or a quiz's), or is near to no lab or
// to two.
[[nodiscard]] std::optional<NearLab> lab_of_kernel(const std::string& path,
                                                   const std::vector<std::string>& labs);
[[nodiscard]] std::optional<NearLab> lab_of_sheet(const std::string& path,
                                                  const std::vector<std::string>& labs);
// The lab in the name of any other file: "lab1.txt", "01-race.cpp". Returns nullopt for documents,
// pictures and other files that cannot be meant as a kernel.
[[nodiscard]] std::optional<NearLab> lab_of_other_file(const std::string& path,
                                                       const std::vector<std::string>& labs);

// `files` are paths below the folder, '/' between names; `labs` are names.
[[nodiscard]] Uploaded match_uploaded(std::vector<std::string> files,
                                      const std::vector<std::string>& labs);

// The regular files below a folder that may be a kernel or answers, at most a few thousand of them,
// ordered. Error: it cannot be read.
[[nodiscard]] Result<std::vector<std::string>> files_below(const std::string& folder);

}  // namespace histolab::grader
