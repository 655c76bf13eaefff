#include "grader/edition/leaks.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <filesystem>
#include <iterator>
#include <map>
#include <set>
#include <string_view>
#include <unordered_set>

#include "grader/files/json_reader.h"
#include "grader/files/read_file.h"
#include "grader/lab/lab_kernels.h"
#include "grader/lab/submission.h"
#include "grader/quiz/quiz.h"
#include "kernels/code_tokens.h"
#include "reference/fnv1a.h"

namespace histolab::edition {
namespace {

namespace fs = std::filesystem;
using bundle::File;
using grader::Json;
using grader::LabSpec;
using Runs = std::unordered_set<std::uint64_t>;

constexpr std::size_t least_runs = 12;      // runs that a kernel needs to be compared at all
constexpr double least_share = 0.5;         // the share of them that makes a file like the kernel
constexpr std::size_t least_line = 24;      // characters, without blanks
constexpr std::size_t least_sentence = 50;  // characters, without blanks
constexpr const char* names_that_stay_out[] = {"solution.cu", "solution.patch", "attempts",
                                               "expect.json", "instructor.md",  "lesson.in.md",
                                               "golden",      "corpus"};
constexpr const char* keys_of_answers[] = {"right",          "why", "answer",   "example",
                                           "misconceptions", "row", "tolerance"};

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// Words that an author cannot rename.
bool is_fixed(std::string_view word) {
  static const std::set<std::string_view> words = {
      "if",         "else",       "for",           "while",      "do",
      "return",     "break",      "continue",      "switch",     "case",
      "const",      "unsigned",   "int",           "char",       "short",
      "long",       "float",      "double",        "void",       "bool",
      "true",       "false",      "static",        "inline",     "struct",
      "template",   "extern",     "sizeof",        "volatile",   "__global__",
      "__device__", "__shared__", "__syncthreads", "__syncwarp", "threadIdx",
      "blockIdx",   "blockDim",   "gridDim",       "x",          "y",
      "z",          "atomicAdd",  "atomicCAS",     "atomicExch", "atomicMax",
      "atomicMin"};
  return words.contains(word);
}

// Hashes of the text's tokens: names and numbers as one, without quotes, escapes of line ends, and
// marks at the beginnings of lines.
std::vector<std::uint64_t> tokens_of(std::string_view text) {
  std::vector<std::uint64_t> tokens;
  bool begins_line = true;
  for (std::size_t at = 0; at < text.size();) {
    const char c = text[at];
    if (c == '\n') begins_line = true;
    if (std::isspace(static_cast<unsigned char>(c)) != 0 || c == '"' || c == '\'' || c == '`') {
      ++at;
    } else if (c == '\\') {
      begins_line = true;
      at += 2;
    } else if (begins_line && std::string_view{"+-*/>|#"}.find(c) != std::string_view::npos) {
      ++at;
    } else if (is_word(c)) {
      const std::size_t begin = at;
      while (at < text.size() && is_word(text[at])) ++at;
      const std::string_view word = text.substr(begin, at - begin);
      const bool is_number = std::isdigit(static_cast<unsigned char>(c)) != 0;
      tokens.push_back(is_number ? 1 : is_fixed(word) ? reference::fnv1a(word) : 2);
      begins_line = false;
    } else {
      tokens.push_back(static_cast<unsigned char>(c) + 256u);
      ++at;
      begins_line = false;
    }
  }
  return tokens;
}

Runs runs_of(std::string_view text) {
  const std::vector<std::uint64_t> tokens = tokens_of(text);
  Runs runs;
  for (std::size_t at = 0; at + run_of_tokens <= tokens.size(); ++at) {
    std::uint64_t hash = 0;
    for (std::size_t k = at; k < at + run_of_tokens; ++k)
      hash = (hash ^ tokens[k]) * 0x9E3779B97F4A7C15 + (hash >> 29);
    runs.insert(hash);
  }
  return runs;
}

std::string without_blanks(std::string_view text) {
  std::string kept;
  for (const char c : text)
    if (std::isspace(static_cast<unsigned char>(c)) == 0) kept += c;
  return kept;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    lines.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return lines;
}

// Pieces of prose, without blanks: sentences, list items, and what is between two placeholders.
std::vector<std::string> sentences_of(const std::string& text) {
  std::vector<std::string> sentences;
  std::string one;
  const auto end = [&] {
    std::string plain = without_blanks(one);
    if (plain.size() >= least_sentence) sentences.push_back(std::move(plain));
    one.clear();
  };
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    const bool ends_paragraph =
        c == '\n' && at + 1 < text.size() &&
        std::string_view{"\n#-|"}.find(text[at + 1]) != std::string_view::npos;
    if (ends_paragraph || c == '{' || c == '}' || c == '|' ||
        ((c == '.' || c == ':' || c == '?') &&
         (at + 1 == text.size() || std::isspace(static_cast<unsigned char>(text[at + 1])) != 0)))
      end();
    else
      one += c;
  }
  end();
  return sentences;
}

struct Kernel {
  std::string lab, name;
  // Runs that the lab's stub lacks.
  Runs runs;
};

// The content that must stay out of an edition.
struct Secrets {
  std::vector<Kernel> kernels;
  std::vector<std::pair<std::string, std::string>> pieces;  // without blanks, and what it is
};

void add_pieces(const Json& part, const std::string& of, Secrets& secrets) {
  if (part.is_object() && part.contains("why") && part["why"].is_string())
    for (std::string& each : sentences_of(part["why"].get<std::string>()))
      secrets.pieces.emplace_back(std::move(each), of);
  if (part.is_structured())
    for (const Json& each : part) add_pieces(each, of, secrets);
}

class Collector {
 public:
  Status add_stub(const LabSpec& lab) {
    const std::string stub = TRY(grader::read_text_file(lab.stub_path(), "stub"));
    stubs_[lab.name] = kernels::without_comments(stub);
    for (const std::string& line : lines_of(stubs_[lab.name])) known_lines_.insert(tokens_of(line));
    plain_stubs_ += without_blanks(stubs_[lab.name]) + "\n";
    for (const char* page : {"/lesson.md", "/hints.md"})
      if (const Result<std::string> text =
              grader::read_text_file(lab.directory + page, "page of a lab"))
        plain_pages_ += without_blanks(*text) + "\n";
    return Done{};
  }

  Status add(const LabSpec& lab) {
    std::set<std::string> shown;
    if (const std::string path = lab.directory + "/shown.txt"; fs::exists(path)) {
      const std::string text = TRY(grader::read_text_file(path, "list of shown lines"));
      for (const std::string& line : lines_of(text)) shown.insert(without_blanks(line));
    }
    Secrets own;
    const std::string solution = TRY(grader::read_text_file(lab.solution_path(), "solution"));
    const std::string code = kernels::without_comments(solution), name = "labs/" + lab.name + "/";
    own.kernels.push_back({lab.name, name + "solution.cu", new_runs(lab, code)});
    for (const std::string& line : lines_of(code))
      if (std::string plain = without_blanks(line);
          plain.size() >= least_line && !is_known(line, plain))
        own.pieces.emplace_back(std::move(plain), "a line of " + name + "solution.cu");
    for (const std::string& folder : grader::attempts_of(lab)) {
      const std::string attempt = name + "attempts/" + fs::path(folder).filename().string();
      const grader::Submission kernel = TRY(grader::read_submission(folder + "/kernel.cu"));
      own.kernels.push_back({lab.name, attempt + "/kernel.cu",
                             new_runs(lab, kernels::without_comments(kernel.text))});
      if (const Result<Json> expected =
              grader::read_json_file(folder + "/expect.json", "expected verdict"))
        add_pieces(*expected, "a sentence of " + attempt + "/expect.json", own);
    }
    if (const Result<std::string> notes =
            grader::read_text_file(lab.directory + "/instructor.md", "page of a lab"))
      for (std::string& each : sentences_of(*notes))
        own.pieces.emplace_back(std::move(each), "a sentence of " + name + "instructor.md");
    if (quiz::has_quiz(lab.directory)) {
      const Json quiz = TRY(grader::read_json_file(lab.directory + "/quiz.json", "quiz"));
      Secrets explained;
      add_pieces(quiz, "an explanation of " + name + "quiz.json", explained);
      // A lesson explains what its quiz asks.
      std::erase_if(explained.pieces, [&](const auto& piece) {
        return plain_pages_.find(piece.first) != std::string::npos;
      });
      std::ranges::move(explained.pieces, std::back_inserter(own.pieces));
    }
    std::erase_if(own.pieces, [&](const auto& piece) { return shown.contains(piece.first); });
    std::erase_if(own.kernels,
                  [](const Kernel& kernel) { return kernel.runs.size() < least_runs; });
    std::ranges::move(own.pieces, std::back_inserter(secrets_.pieces));
    std::ranges::move(own.kernels, std::back_inserter(secrets_.kernels));
    return Done{};
  }

  Secrets take() { return std::move(secrets_); }

 private:
  // Whether a stub has the line, or one that differs in names and numbers only.
  [[nodiscard]] bool is_known(const std::string& line, const std::string& plain) const {
    return known_lines_.contains(tokens_of(line)) || plain_stubs_.find(plain) != std::string::npos;
  }

  Runs new_runs(const LabSpec& lab, const std::string& code) {
    Runs runs = runs_of(code);
    for (const std::uint64_t known : runs_of(stubs_[lab.name])) runs.erase(known);
    return runs;
  }

  std::map<std::string, std::string> stubs_;          // by the lab's name
  std::set<std::vector<std::uint64_t>> known_lines_;  // of all stubs
  std::string plain_stubs_, plain_pages_;             // of all labs, without blanks
  Secrets secrets_;
};

bool has_key(const Json& json) {
  if (json.is_object())
    for (const char* key : keys_of_answers)
      if (json.contains(key)) return true;
  return json.is_structured() && std::ranges::any_of(json, has_key);
}

bool is_stub(const File& file) { return file.path.ends_with("/stub.cu"); }

void add_leaks(const File& file, const Secrets& secrets, std::vector<Leak>& leaks) {
  const fs::path path = file.path;
  for (const fs::path& part : path)
    for (const char* name : names_that_stay_out)
      if (part == name) leaks.push_back({file.path, fmt::format("the name {}", name)});
  if (path.filename() == "quiz.json") {
    const Json json = Json::parse(file.bytes, nullptr, false);
    if (json.is_discarded() || json.value("schema", "") != quiz::questions_schema ||
        has_key(json["questions"]))
      leaks.push_back({file.path, "answers of a quiz"});
  }
  const bool is_text = file.bytes.find('\0') == std::string::npos;
  if (is_text) {
    Runs runs = runs_of(file.bytes);
    runs.merge(runs_of(kernels::without_comments(file.bytes)));
    for (const Kernel& kernel : secrets.kernels) {
      if (is_stub(file) && kernel.lab != path.parent_path().filename()) continue;
      const auto same = static_cast<std::size_t>(std::ranges::count_if(
          kernel.runs, [&](std::uint64_t each) { return runs.contains(each); }));
      const double share = static_cast<double>(same) / static_cast<double>(kernel.runs.size());
      if (share >= least_share)
        leaks.push_back({file.path, fmt::format("{:.0f} % of what {} has and its stub has not",
                                                100 * share, kernel.name)});
    }
  }
  const std::string plain = without_blanks(file.bytes);
  for (const auto& [piece, of] : secrets.pieces)
    if (plain.find(piece) != std::string::npos)
      leaks.push_back({file.path, fmt::format("{}: {}", of, piece)});
}

}  // namespace

Result<std::vector<Leak>> find_leaks(const std::vector<File>& files,
                                     const std::vector<LabSpec>& labs) {
  Collector collector;
  for (const LabSpec& lab : labs) TRY(collector.add_stub(lab));
  for (const LabSpec& lab : labs) TRY(collector.add(lab));
  const Secrets secrets = collector.take();
  std::vector<Leak> leaks;
  for (const File& file : files) add_leaks(file, secrets, leaks);
  std::ranges::stable_sort(leaks, {}, &Leak::file);
  return leaks;
}

}  // namespace histolab::edition
