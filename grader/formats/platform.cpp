#include "grader/formats/platform.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "grader/batch/keys.h"
#include "grader/batch/schemes.h"
#include "grader/words/characters.h"

namespace histolab::formats {
namespace {

bool is_number(const std::string& text) {
  return !text.empty() && std::ranges::all_of(text, grader::is_digit);
}

std::vector<std::string> components(const std::string& path) {
  std::vector<std::string> found;
  for (std::size_t at = 0; at <= path.size();) {
    const std::size_t end = std::min(path.find('/', at), path.size());
    found.push_back(path.substr(at, end - at));
    at = end + 1;
  }
  return found;
}

// The outermost name counts: students choose the inner ones. Another person's number is ignored.
std::optional<MoodleNumber> number_in(const std::string& path, const batch::Student& student) {
  std::string folder;
  for (const std::string& name : components(path)) {
    if (const auto moodle = batch::moodle_name(name)) {
      const bool is_own = moodle->participant == student.id ||
                          may_be_one_person(batch::composed(moodle->name), student.name);
      return is_own ? std::optional{MoodleNumber{moodle->participant, folder}} : std::nullopt;
    }
    folder += name + "/";
  }
  return std::nullopt;
}

std::optional<std::string> canvas_name_in(const std::string& path, const batch::Student& student) {
  for (const std::string& name : components(path)) {
    const auto canvas = batch::canvas_name(name);
    if (!canvas) continue;
    const bool is_own = canvas->user == student.id || canvas->name == student.name;
    return is_own ? std::optional{name} : std::nullopt;
  }
  return std::nullopt;
}

std::vector<std::string> words_of(const std::string& name) {
  std::vector<std::string> words;
  std::string word;
  for (const char c : batch::folded(name) + " ") {
    const bool separates = std::string_view{" ,.;-_'()\t\n"}.find(c) != std::string_view::npos;
    if (!separates)
      word += c;
    else if (!word.empty())
      words.push_back(std::exchange(word, {}));
  }
  std::ranges::sort(words);
  return words;
}

}  // namespace

bool may_be_one_person(const std::string& one, const std::string& other) {
  if (batch::folded(one) == batch::folded(other)) return true;
  const std::vector<std::string> a = words_of(one), b = words_of(other);
  if (a.empty() || b.empty()) return false;
  return std::ranges::includes(a, b) || std::ranges::includes(b, a);
}

std::vector<MoodleNumber> moodle_numbers(const Graded& graded) {
  std::vector<MoodleNumber> numbers;
  bool is_of_canvas = false;
  for (const batch::Mark& mark : graded.marks) {
    if (auto found = number_in(mark.path, graded.student)) {
      found->has_file = mark.result.submission.has_value();
      numbers.push_back(std::move(*found));
    }
    is_of_canvas |= canvas_name_in(mark.path, graded.student).has_value();
  }
  if (numbers.empty() && !is_of_canvas && is_number(graded.student.id))
    numbers.push_back({graded.student.id, {}});
  return numbers;
}

std::string moodle_folder(const batch::Student& student, const std::string& number) {
  std::string name = student.key;
  std::ranges::replace(name, '_', '-');
  return fmt::format("{}_{}_assignfeedback_file_", name, number);
}

std::vector<CanvasFile> canvas_files(const Graded& graded) {
  std::vector<CanvasFile> files;
  std::vector<std::size_t> without;
  for (std::size_t i = 0; i < graded.marks.size(); ++i) {
    const auto name = canvas_name_in(graded.marks[i].path, graded.student);
    if (!name) {
      without.push_back(i);
      continue;
    }
    auto file = std::ranges::find(files, *name, &CanvasFile::name);
    if (file == files.end()) file = files.insert(files.end(), {*name, {}});
    file->marks.push_back(i);
  }
  if (!files.empty())
    files.front().marks.insert(files.front().marks.end(), without.begin(), without.end());
  return files;
}

}  // namespace histolab::formats
