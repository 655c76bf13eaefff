// Loaders: functions that take any bytes and pass them to code that reads untrusted files or pipes.
//
// A loader must return a value or an Error. It must not crash, throw, or use unlimited memory. If
// an accepted value can be written, it is written, read again and written again. Different texts
// abort, which a fuzzer reports as a crash.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace histolab::fuzzing {

struct Loader {
  std::string_view name;
  void (*take)(std::string_view bytes);
  std::vector<std::string_view> seeds =
      {};  // accepted files in the source tree; "*" matches any name
  std::vector<std::string> (*written)() =
      nullptr;  // more accepted inputs, made by the code that writes such files and messages
};

[[nodiscard]] const std::vector<Loader>& loaders();
// Returns nullptr if no loader has that name.
[[nodiscard]] const Loader* find_loader(std::string_view name);

// Grouped by the writers of their inputs.
[[nodiscard]] std::vector<Loader>
course_loaders();  // lab and quiz authors, calibrations and measurements
[[nodiscard]] std::vector<Loader>
class_loaders();  // students and learning platforms; a batch and its nodes
[[nodiscard]] std::vector<Loader>
kernel_loaders();  // students, and compilers that repeat what students write
[[nodiscard]] std::vector<Loader> launch_loaders();  // workers, in which a student's kernel runs
[[nodiscard]] std::vector<Loader>
viewer_loaders();  // other programs of the kit, perhaps of another version
[[nodiscard]] std::vector<Loader> web_loaders();  // browsers, and the process that serves them

}  // namespace histolab::fuzzing
