#include "grader/course/new_lab.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>

#include "grader/files/read_file.h"
#include "grader/files/write_file.h"
#include "grader/lab/catalogue.h"
#include "grader/words/words.h"

namespace histolab::grader {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view mark = "TODO(author): ";
constexpr const char* written_by_authors[] = {"lab.json", "lesson.in.md", "hints.md",
                                              "instructor.md", "quiz.json"};

bool is_slug(std::string_view text) {
  const auto fits = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
  };
  return !text.empty() && text.size() <= 40 && text[0] >= 'a' && text[0] <= 'z' &&
         text.back() != '-' && std::all_of(text.begin(), text.end(), fits);
}

std::string filled_in(std::string text, std::string_view placeholder, const std::string& value) {
  for (std::size_t at = text.find(placeholder); at != std::string::npos;
       at = text.find(placeholder, at + value.size()))
    text.replace(at, placeholder.size(), value);
  return text;
}

Status copy_template(const fs::path& from, const fs::path& to, const std::string& number,
                     const std::string& name) {
  std::error_code failure;
  for (fs::recursive_directory_iterator at{from, failure}, end; !failure && at != end;
       at.increment(failure)) {
    const fs::path target = to / at->path().lexically_relative(from);
    if (at->is_directory()) {
      fs::create_directories(target, failure);
      continue;
    }
    std::string text = TRY(read_text_file(at->path().string(), "template"));
    TRY(write_file(target.string(),
                   filled_in(filled_in(std::move(text), "@NUMBER@", number), "@NAME@", name)));
  }
  if (failure) return Error{fmt::format("{}: {}", to.string(), failure.message())};
  return Done{};
}

}  // namespace

Result<std::string> new_lab(const std::string& from, const std::string& labs,
                            std::string_view slug) {
  if (!is_slug(slug))
    return Error{
        fmt::format("\"{}\" is not a valid lab name: use lower-case letters, digits and dashes, a "
                    "letter first, as in warp-votes",
                    slug)};
  if (ends_in_number(slug))
    return Error{
        fmt::format("\"{}\" is not a valid lab name: a number at the end of a student's file name "
                    "is dropped, as that of a copy; choose another name",
                    slug)};
  int highest = 0;
  std::error_code failure;
  for (fs::directory_iterator at{labs, failure}, end; !failure && at != end;
       at.increment(failure)) {
    const std::string name = at->path().filename().string();
    if (name.size() < 4 || std::isdigit(static_cast<unsigned char>(name[0])) == 0 || name[2] != '-')
      continue;
    highest = std::max(highest, std::atoi(name.c_str()));
    if (name.substr(3) == slug)
      return Error{fmt::format("there is {} already", at->path().string())};
  }
  if (failure) return Error{fmt::format("{}: {}", labs, failure.message())};
  if (highest >= 99) return Error{"there are 99 labs: no number is left"};
  const std::string number = fmt::format("{:02}", highest + 1),
                    name = fmt::format("{}-{}", number, slug);
  const fs::path folder = fs::path(labs) / name;
  if (!fs::create_directory(folder, failure))
    return Error{
        fmt::format("{}: the folder cannot be made: {}", folder.string(), failure.message())};
  if (Status copied = copy_template(from, folder, number, name); !copied) {
    fs::remove_all(folder, failure);
    return copied.error();
  }
  return folder.string();
}

std::vector<CourseProblem> unwritten(const LabSpec& lab) {
  std::vector<CourseProblem> places;
  for (const char* each : written_by_authors) {
    const std::string file = lab.directory + "/" + each;
    const Result<std::string> text = read_text_file(file, "page of a lab");
    if (!text) continue;  // reported elsewhere if it is missing
    int number = 0;
    for (const std::string_view line : lines_of(*text)) {
      ++number;
      const std::size_t found = line.find(mark);
      if (found == line.npos) continue;
      std::string_view what = line.substr(found + mark.size());
      what = what.substr(0, what.find_first_of("\"|"));
      places.push_back({fmt::format("{}:{}", file, number),
                        fmt::format("is still to be written: {}",
                                    what.substr(0, what.find_last_not_of(' ') + 1))});
    }
  }
  return places;
}

}  // namespace histolab::grader
