#include "grader/lab/catalogue.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "grader/words/characters.h"
#include "grader/words/words.h"

namespace histolab::grader {
namespace {

namespace fs = std::filesystem;

bool is_lab_name(const std::string& name) {
  const auto good = [](char c) { return is_digit(c) || (c >= 'a' && c <= 'z') || c == '-'; };
  return name.size() > 3 && is_digit(name[0]) && is_digit(name[1]) && name[2] == '-' &&
         std::all_of(name.begin(), name.end(), good) && !ends_in_number(name);
}

}  // namespace

bool ends_in_number(std::string_view name) {
  const std::size_t last = name.find_last_not_of("0123456789");
  return last != name.npos && last + 1 < name.size() && name[last] == '-';
}

Result<std::vector<LabSpec>> load_catalogue(const std::string& labs_directory) {
  std::error_code failure;
  fs::directory_iterator folder{labs_directory, failure};
  if (failure)
    return Error{fmt::format("{}: the folder of the labs cannot be read: {}", labs_directory,
                             failure.message())};
  std::vector<std::string> names;
  for (const fs::directory_iterator end; !failure && folder != end; folder.increment(failure)) {
    std::error_code ignored;
    const fs::path path = folder->path();
    const bool has_spec = fs::exists(path / "lab.json", ignored);
    if (is_lab_name(path.filename().string()) ? fs::is_directory(path, ignored) : has_spec)
      names.push_back(path.filename().string());
  }
  if (failure)
    return Error{fmt::format("{}: the folder of the labs cannot be read: {}", labs_directory,
                             failure.message())};
  std::sort(names.begin(), names.end());
  std::vector<LabSpec> labs;
  for (const std::string& name : names) {
    const std::string path = (fs::path(labs_directory) / name).string();
    if (!is_lab_name(name))
      return Error{
          fmt::format("{}: a lab's folder must be named NN-slug, for example 02-atomic-add, and "
                      "must not end in a number",
                      path)};
    if (!labs.empty() && labs.back().name.substr(0, 2) == name.substr(0, 2))
      return Error{
          fmt::format("{} and {} have the same number; rename one", labs.back().directory, path)};
    labs.push_back(TRY(load_lab(path)));
  }
  if (labs.empty())
    return Error{fmt::format("{}: there is no lab here; expected a folder NN-slug with a lab.json",
                             labs_directory)};
  return labs;
}

std::vector<std::string> names_of(const std::vector<LabSpec>& labs) {
  std::vector<std::string> names;
  for (const LabSpec& lab : labs) names.push_back(lab.name);
  return names;
}

Result<std::size_t> find_lab_name(const std::vector<std::string>& names, std::string_view word) {
  const bool is_number = !word.empty() && word.size() < 4 && std::ranges::all_of(word, is_digit);
  const int wanted = is_number ? std::atoi(std::string{word}.c_str()) : -1;
  const auto slug_of = [](const std::string& name) {
    return name.substr(std::min<std::size_t>(name.size(), 3));
  };
  std::vector<std::size_t> fitting;
  std::vector<std::string> found, words;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::string &name = names[i], slug = slug_of(name);
    if (name == word || slug == word || (is_number && std::atoi(name.c_str()) == wanted)) return i;
    words.push_back(name);
    words.push_back(slug);
    if (!word.empty() && (name.starts_with(word) || slug.starts_with(word))) {
      fitting.push_back(i);
      found.push_back(name);
    }
  }
  if (fitting.size() == 1) return fitting.front();
  if (fitting.size() > 1)
    return Error{
        fmt::format("\"{}\" fits {} labs: {}", word, fitting.size(), fmt::join(found, ", "))};
  if (word.ends_with(".cu"))
    return Error{fmt::format(
        "there is no lab \"{}\"; to use a kernel's file, name its lab as well: `histolab grade "
        "LAB --submission FILE`, `histolab run LAB --kernel FILE`",
        word)};
  const std::string near = nearest(word, words);
  if (!near.empty())
    return Error{fmt::format("there is no lab \"{}\"; did you mean {}?", word, near)};
  return Error{
      fmt::format("there is no lab \"{}\"; the labs are {}", word, fmt::join(names, ", "))};
}

Result<const LabSpec*> find_lab(const std::vector<LabSpec>& labs, std::string_view word) {
  return &labs[TRY(find_lab_name(names_of(labs), word))];
}

}  // namespace histolab::grader
