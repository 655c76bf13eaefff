// Loaders: whatever reads a file or a pipe that a stranger may have written, each as a function
// that takes any bytes.
//
// It has to come back, with a value or an Error: no crash, no exception, no memory without an end.
// What is accepted and can be written is written, and read again to the same text; a difference
// aborts, which a fuzzer takes for a crash.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace histolab::fuzzing {

struct Loader {
  std::string_view name;
  void (*take)(std::string_view bytes);
  std::vector<std::string_view> seeds =
      {};  // files below the source tree that it accepts; "*" stands for any name
  std::vector<std::string> (*written)() =
      nullptr;  // more that it accepts, by what writes such files and messages
};

[[nodiscard]] const std::vector<Loader>& loaders();
// nullptr: there is none of that name.
[[nodiscard]] const Loader* find_loader(std::string_view name);

// By who writes what they read.
[[nodiscard]] std::vector<Loader>
course_loaders();  // whoever makes labs and quizzes, calibrates and measures
[[nodiscard]] std::vector<Loader>
class_loaders();  // students and learning platforms; a batch and its nodes
[[nodiscard]] std::vector<Loader>
kernel_loaders();  // students, and compilers that repeat what students write
[[nodiscard]] std::vector<Loader> launch_loaders();  // workers, in which a student's kernel runs
[[nodiscard]] std::vector<Loader>
viewer_loaders();  // other programs of the kit, perhaps of another version

}  // namespace histolab::fuzzing
