// Uploaded: finds the lab of each uploaded file, even if browsers, learning platforms or students
// have changed its name.
//
// "Race (2).cu", "lab1.cu", "work/01_race.cu", "01-race/stub.cu" and "lab1_final.cu" all fit
// 01-race. An exact name comes first. If two files fit equally well, neither is taken. Remarks
// explain this to the student.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reference/result.h"

namespace histolab::grader {

struct Uploaded {
  // Paths below the folder, by the lab's name.
  std::map<std::string, std::string> kernels, sheets;
  std::vector<std::string> remarks;
};

// Returns the most likely intended name in lower case: "01-race.cu" for "01-RACE.CU",
// "01-race.cu.txt", "01-race.cu~" and "01-Race.cu (1)". Returns nullopt if the name does not look
// like a kernel's.
[[nodiscard]] std::optional<std::string> meant_kernel(const std::string& name);

// Files that are not taken as kernels, although the student may have meant them as one. For
// "01-race (1).CPP" the ending is "cpp". Returns true for endings of other source files:
// "kernel.c", "race.cuh", "lab1.cpp".
[[nodiscard]] bool is_other_source(const std::string& name);
// Returns true if only the file's text can decide: "kernel.txt".
[[nodiscard]] bool is_plain_text(const std::string& name);
// Returns true if a text has a CUDA kernel.
[[nodiscard]] bool has_kernel(std::string_view text);

// The lab whose name is most similar to that of a path. The exact name has distance 0.
struct NearLab {
  std::string lab;
  int far = 0;
};
// A name with another ending is worse than any name with the right one.
inline constexpr int farther_by_ending = 10;
// Returns nullopt if the name does not look like a kernel's (or a quiz's), or if it fits no lab, or
// two labs equally.
[[nodiscard]] std::optional<NearLab> lab_of_kernel(const std::string& path,
                                                   const std::vector<std::string>& labs);
[[nodiscard]] std::optional<NearLab> lab_of_sheet(const std::string& path,
                                                  const std::vector<std::string>& labs);
// Returns the lab in the name of any other file: "lab1.txt", "01-race.cpp". Returns nullopt for
// documents, pictures and other files that are never kernels.
[[nodiscard]] std::optional<NearLab> lab_of_other_file(const std::string& path,
                                                       const std::vector<std::string>& labs);

// Matches files with labs. `files` are paths below the folder with '/'; `labs` are names.
[[nodiscard]] Uploaded match_uploaded(std::vector<std::string> files,
                                      const std::vector<std::string>& labs);

// Returns the regular files below a folder that may be a kernel or answers, sorted. The number is
// limited to a few thousand. Returns an Error if the folder cannot be read.
[[nodiscard]] Result<std::vector<std::string>> files_below(const std::string& folder);

}  // namespace histolab::grader
