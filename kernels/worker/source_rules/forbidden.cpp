#include "kernels/worker/source_rules/forbidden.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <regex>
#include <set>

#include "kernels/worker/compiling/compiler_command.h"
#include "kernels/worker/source/source_text.h"
#include "kernels/worker/source/source_tokens.h"

namespace histolab::kernels::worker {
namespace {

using WordSet = std::set<std::string, std::less<>>;

// Strips the underscores: `__name__` and `name` are the same attribute.
std::string_view bare(std::string_view name) {
  const bool wrapped = name.size() > 4 && name.starts_with("__") && name.ends_with("__");
  return wrapped ? name.substr(2, name.size() - 4) : name;
}

// Attributes that the shim's __global__, __launch_bounds__ and __constant__ expand to.
constexpr std::string_view attributes_of_the_shim[] = {"visibility", "constructor", "section"};

bool is_of_the_shim(std::string_view attribute) {
  return std::ranges::find(attributes_of_the_shim, attribute) != std::end(attributes_of_the_shim);
}

// Attributes that change no access. All others are refused, known or not.
const WordSet& harmless_attributes() {
  static const WordSet words = {
      "aligned",      "always_inline", "artificial", "cold",        "const",
      "deprecated",   "fallthrough",   "flatten",    "format",      "gnu_inline",
      "hot",          "leaf",          "likely",     "malloc",      "may_alias",
      "maybe_unused", "nodiscard",     "noinline",   "noipa",       "nonnull",
      "noreturn",     "nothrow",       "packed",     "pure",        "returns_nonnull",
      "unlikely",     "unused",        "used",       "vector_size", "warn_unused_result"};
  return words;
}

bool is_harmless_builtin(const std::string& name) {
  static const std::regex harmless(
      "__builtin_((expect|assume|unreachable|trap|constant_p|assume_aligned|offsetof|choose_expr|"
      "types_compatible_p|bit_"
      "cast)"
      "|(popcount|parity|clz|ctz|ffs|clrsb|abs|labs|llabs)(l|ll)?|bswap(16|32|64)|is_constant_"
      "evaluated|has_attribute"
      "|(huge_val|inf|nan|nans|fabs|floor|ceil|round|trunc|rint|sqrt|fmin|fmax|copysign|signbit)(f|"
      "l)?|(isnan|isinf|isinf_sign|isfinite|"
      "isnormal|signbit))");
  return std::regex_match(name, harmless);
}

// Names of the emulator's runtime and of its compiler callbacks. A kernel that defined one could
// falsify its own findings.
bool is_of_runtime(std::string_view name) {
  static constexpr std::string_view beginnings[] = {"histolab_", "HISTOLAB_",     "__tsan_",
                                                    "__x86_",    "__ubsan_",      "__sanitizer_",
                                                    "__asan_",   "__cyg_profile_"};
  return std::ranges::any_of(beginnings,
                             [&](std::string_view each) { return name.starts_with(each); });
}

// Headers of functions that are single instructions of this machine's processor. The compiler does
// not report their accesses.
bool is_for_processor(const std::string& header) {
  static const std::regex processor(R"((.*/)?(\w*intrin|cpuid|mm_malloc)\.h)");
  return header.size() < 200 && std::regex_match(header, processor);
}

// A header like "../common/book.h", from the project that the kernel was copied from. The compiler
// never searches for it.
bool is_of_another_folder(const std::string& header) {
  static const std::regex above(R"((\.\.[/\\])+[\w+-][\w/\\+-]*\.(h|hh|hpp|hxx|cuh|inl))");
  return header.size() < 200 && std::regex_match(header, above);
}

// A file in the compiler's folder, by any path: the submission itself or an output of g++.
bool is_of_compilation(const std::string& header) {
  static constexpr std::string_view files[] = {source_name,   object_name,    calls_name,
                                               accesses_name, optimized_name, "kernel.s"};
  const std::string_view name = std::string_view(header).substr(header.find_last_of("/\\") + 1);
  return name.ends_with(".gch") || std::ranges::find(files, name) != std::end(files);
}

bool is_reserved(std::string_view name) {
  return name.size() > 1 && name[0] == '_' &&
         (name[1] == '_' || (name[1] >= 'A' && name[1] <= 'Z'));
}

// Words of the language and the compiler, which are not macros of a header.
bool is_language(const std::string& name) {
  static const WordSet words = {"__restrict__",
                                "__restrict",
                                "__volatile__",
                                "__volatile",
                                "__inline__",
                                "__inline",
                                "__const__",
                                "__const",
                                "__func__",
                                "__FUNCTION__",
                                "__PRETTY_FUNCTION__",
                                "__VA_ARGS__",
                                "__VA_OPT__",
                                "__LINE__",
                                "__FILE__",
                                "__cplusplus",
                                "__alignof__",
                                "__typeof__",
                                "__typeof",
                                "__extension__",
                                "__COUNTER__",
                                "__GNUC__",
                                "__NVCC__",
                                "__clang__",
                                "_Pragma",
                                "__signed__",
                                "__has_include",
                                "__has_cpp_attribute",
                                "_Static_assert",
                                "__int128",
                                "__attribute__",
                                "__attribute"};
  return words.contains(name) || name.starts_with("__builtin_");
}

// CUDA's vector types that are moved in one access. The compiler dump for those (wide_accesses.h)
// has no namespaces.
bool is_vector_type(std::string_view name) {
  static const WordSet elements = {"char",  "uchar", "short", "ushort",   "int",       "uint",
                                   "float", "long",  "ulong", "longlong", "ulonglong", "double"};
  return (name.ends_with('2') || name.ends_with('4')) &&
         elements.contains(name.substr(0, name.size() - 1));
}

bool begins_a_type(const Token& token) {
  return token.is("struct") || token.is("class") || token.is("union") || token.is("typedef") ||
         token.is("using");
}

constexpr const char* includes_itself =
    "a submission must not include itself or other files of its own. Remove this; only headers of "
    "CUDA and of the C++ library may be included";

std::string for_processor(const std::string& header) {
  return fmt::format(
      "<{}> is for this machine's processor, not for a GPU: write the kernel without it", header);
}

class Rules {
 public:
  // `include_dir` is empty for tokens that are already preprocessed.
  explicit Rules(const std::vector<Token>& tokens, std::string include_dir = {})
      : tokens_(tokens),
        include_dir_(std::move(include_dir)),
        preprocessed_(include_dir_.empty()) {}

  Verdict judge() {
    for (std::size_t i = 0; i < tokens_.size() && verdict_.refusals.size() < most_diagnostics;
         ++i) {
      const Token& token = tokens_[i];
      if (token.is("#") && token.begins_line) judge_directive(i);
      if (token.kind == Token::Kind::name) judge_name(i);
      verdict_.unsure |=
          token.directive && token.is("#") && !token.begins_line && at(i + 1).is("#");
    }
    if (!verdict_.unsure && !preprocessed_) verdict_.unsure = uses_reserved_macros();
    return std::move(verdict_);
  }

 private:
  [[nodiscard]] const Token& at(std::size_t i) const {
    static const Token none{Token::Kind::mark, "", 0, false, true};
    return i < tokens_.size() ? tokens_[i] : none;
  }
  // Shortens a name for a message: the student chooses its length.
  static std::string told(const std::string& name) {
    return name.size() <= 60 ? name : name.substr(0, 57) + "...";
  }
  void refuse(std::size_t i, std::string message) {
    auto& all = verdict_.refusals;
    if (all.empty() || all.back().line != at(i).line)
      all.push_back({Severity::error, at(i).line, 0, std::move(message)});
  }

  void judge_directive(std::size_t i) {
    const Token& name = at(i + 1);
    if (name.begins_line) return;  // a lone #
    if (name.kind == Token::Kind::number || name.is("line")) {
      if (!preprocessed_)
        refuse(i,
               "a #line directive would make findings name lines that are not in this file. Remove "
               "it");
    } else if (name.is("include")) {
      judge_header(i + 2, "#include");
      verdict_.unsure |= !is_known_header(at(i + 2).spelling);
    } else if (name.is("include_next") || name.is("import")) {
      refuse(i, fmt::format("#{} is not allowed in a kernel. Write #include", name.spelling));
    } else if (name.is("ident") || name.is("sccs")) {
      refuse(i, fmt::format(
                    "#{} writes into the assembler's input, which a kernel must not do. Remove it",
                    name.spelling));
    } else if (name.is("embed")) {
      refuse(i, "#embed is not allowed: a submission is one file. Write the values into it");
    } else if (name.is("pragma")) {
      judge_pragma(i, i + 2);
    } else if (name.is("define")) {
      judge_macro(i);
    }
  }

  // Matches #ifdef NAME and defined(NAME).
  [[nodiscard]] bool asks_whether_it_is_there(std::size_t i) const {
    const auto is_before = [&](std::size_t distance,
                               std::initializer_list<std::string_view> words) {
      return i >= distance && std::ranges::any_of(words, [&](std::string_view word) {
               return at(i - distance).is(word);
             });
    };
    return is_before(1, {"ifdef", "ifndef", "elifdef", "elifndef", "defined"}) ||
           (is_before(1, {"("}) && is_before(2, {"defined"}));
  }

  // Matches `#define likely(x) __builtin_expect(!!(x), 1)`. In place of an attribute, its expansion
  // would be an unknown attribute, whatever x is.
  [[nodiscard]] bool is_one_hint(std::size_t i) const {
    if (!at(i + 3).is("(") || at(i + 3).begin != at(i + 2).end) return false;
    std::size_t call = behind(i + 3, parentheses_);
    const bool wrapped = at(call).is("(");
    if (wrapped) ++call;
    if (!at(call).is("__builtin_expect") || !at(call + 1).is("(")) return false;
    std::size_t end = behind(call + 1, parentheses_);
    if (wrapped && !at(end++).is(")")) return false;
    return end > 0 && at(end - 1).directive && (at(end).begins_line || !at(end).directive);
  }

  void judge_macro(std::size_t i) {
    const std::string_view name = bare(at(i + 2).spelling);
    const bool is_hint = (at(i + 2).is("likely") || at(i + 2).is("unlikely")) && is_one_hint(i);
    if (!is_hint && (harmless_attributes().contains(name) || is_of_the_shim(name)))
      refuse(i, fmt::format("a macro called `{}` would change the meaning of CUDA's own names. "
                            "Give it another name",
                            told(at(i + 2).spelling)));
    // An unmatched bracket or a comma could end an expansion of a shim macro and add to it.
    int depth = 0;
    for (std::size_t k = i + 3; k < tokens_.size() && at(k).directive && !at(k).begins_line; ++k) {
      if (at(k).is("(") || at(k).is("[") || at(k).is("{")) ++depth;
      if ((at(k).is(")") || at(k).is("]") || at(k).is("}")) && --depth < 0) break;
      verdict_.unsure |=
          (depth == 0 && at(k).is(",")) || begins_a_type(at(k)) || is_vector_type(at(k).spelling);
    }
    verdict_.unsure |= depth != 0;
  }

  void judge_header(std::size_t i, const char* what) {
    const Token& header = at(i);
    if (header.kind != Token::Kind::header) {
      refuse(i - 1, fmt::format("{} needs < > or quotes around the name of its header; a macro is "
                                "not accepted. Write them",
                                what));
    } else if (is_of_compilation(header.spelling)) {
      refuse(i - 1, includes_itself);
    } else if (std::string_view(what) == "#include" && is_of_another_folder(header.spelling)) {
      if (verdict_.missing.size() < most_diagnostics)
        verdict_.missing.push_back(
            {Severity::error, header.line, 0, about_missing_header(told(header.spelling))});
    } else if (header.spelling.starts_with('/') ||
               header.spelling.find("..") != std::string::npos) {
      refuse(i, fmt::format("{} of a file on this machine: a submission is one file, and may "
                            "include only headers of CUDA and of the C++ library",
                            what));
    } else if (is_for_processor(header.spelling)) {
      refuse(i, for_processor(header.spelling));
    }
  }

  // Returns whether its macros are known: it is a header of C, C++ or the shim.
  [[nodiscard]] bool is_known_header(const std::string& name) const {
    static const std::regex standard(
        R"([a-z_]+|(assert|ctype|errno|float|inttypes|limits|math|stdbool|stddef|stdint|stdio)"
        R"(|stdlib|string|time)\.h)");
    std::error_code ignored;
    return name.size() < 200 && (std::regex_match(name, standard) ||
                                 std::filesystem::exists(include_dir_ + "/" + name, ignored));
  }

  void judge_pragma(std::size_t place, std::size_t i) {
    const Token& first = at(i);
    if (first.begins_line) return;
    const Token& second = at(i + 1);
    const bool of_gcc =
        first.is("GCC") && !second.is("unroll") && !second.is("ivdep") && !second.is("diagnostic");
    if (of_gcc || first.is("weak") || first.is("redefine_extname"))
      refuse(place, fmt::format("`#pragma {}{}` changes how the kernel is compiled, and could hide "
                                "its accesses from the emulator. Remove it",
                                told(first.spelling), of_gcc ? " " + told(second.spelling) : ""));
  }

  void judge_name(std::size_t i) {
    const std::string& name = at(i).spelling;
    if (name.ends_with('"'))
      refuse(i,
             "what directly follows this string, number or character could be read in two ways. "
             "Put a space between them");
    else if (name == "__attribute__" || name == "__attribute")
      judge_attributes(i);
    else if (name == "gnu" || name == "__gnu__")
      judge_standard_attribute(i);
    else if (name == "_Pragma")
      judge_pragma_operator(i);
    else if (begins_a_type(at(i)))
      judge_type(i);
    else if (preprocessed_ && is_assembly(tokens_, i))
      refuse(i, "assembly built by macros is not allowed in a kernel. Write it in CUDA C++");
    else if (name.starts_with("__builtin_") && !is_harmless_builtin(name)) {
      refuse(i, fmt::format("`{}` belongs to g++, not to CUDA, and the emulator could not see what "
                            "it accesses. Write it in plain CUDA C++",
                            told(name)));
    } else if (name.starts_with("__atomic_") || name.starts_with("__sync_")) {
      refuse(i,
             fmt::format("`{}` belongs to g++, not to CUDA. Use atomicAdd() or a similar function",
                         told(name)));
    } else if (is_of_runtime(name)) {
      refuse(i, fmt::format("`{}` is reserved for the emulator. Use another name", told(name)));
    } else if (name.find("no_sanitize") != std::string::npos ||
               name.find("no_instrument") != std::string::npos) {
      refuse(i, hides(name));
    } else if (name.starts_with("__has_include") && at(i).directive && at(i + 1).is("(")) {
      judge_header(i + 2, "__has_include");
    } else if (name.starts_with("__has_include") && at(i).directive &&
               !asks_whether_it_is_there(i)) {
      refuse(i,
             "__has_include needs < > or quotes around the name of its header; a macro is not "
             "accepted. Write them");
    } else if (name == "__has_embed") {
      refuse(i, "__has_embed is not allowed: a submission is one file. Remove it");
    }
  }

  static std::string hides(const std::string& name) {
    return fmt::format(
        "`{}` would hide accesses from the emulator, which could then not judge the kernel. "
        "Remove it",
        told(name));
  }

  [[nodiscard]] bool is_harmless(std::size_t i) const {
    const std::string_view name = bare(at(i).spelling);
    if (harmless_attributes().contains(name)) return true;
    if (!preprocessed_ || !is_of_the_shim(name)) return false;
    const auto is_number = [](const std::string& text) {
      return !text.empty() &&
             std::ranges::all_of(text, [](unsigned char c) { return std::isdigit(c) != 0; });
    };
    if (name == "visibility") return at(i + 2).spelling == "protected" && at(i + 3).is(")");
    if (name != "section") return true;
    return at(i + 2).spelling == ".histolab_constant." && is_number(at(i + 3).spelling) &&
           at(i + 4).is(")");
  }

  void judge_attribute(std::size_t i) {
    const Token& token = at(i);
    if (is_harmless(i)) return;
    const bool known = token.spelling.find("no_sanitize") != std::string::npos ||
                       token.spelling.find("no_instrument") != std::string::npos;
    refuse(i, known ? hides(token.spelling)
                    : fmt::format("the attribute `{}` changes how code is compiled or where it is "
                                  "placed, and is not allowed in a kernel. Remove it",
                                  told(token.spelling)));
  }

  // __attribute__((name, name(arguments)))
  void judge_attributes(std::size_t i) {
    if (!at(i + 1).is("(") || !at(i + 2).is("("))
      return refuse(
          i, "an attribute must be written out, as __attribute__((name)), not built by macros");
    for (std::size_t k = i + 3; !at(k).is(")") && at(k).line != 0;) {
      if (!at(k).is(",")) judge_attribute(k);
      while (at(k).line != 0 && !at(k).is(")") && !at(k).is(",")) k = behind(k, parentheses_);
      if (at(k).is(",")) ++k;
    }
  }

  // [[gnu::name]]
  void judge_standard_attribute(std::size_t i) {
    if (at(i + 1).is(":") && at(i + 2).is(":")) return judge_attribute(i + 3);
    refuse(i, "an attribute of g++ must be written out, as [[gnu::name]]");
  }

  // The submission must not define a type with the name of a CUDA vector type (see is_vector_type).
  void judge_type(std::size_t i) {
    const auto judge = [&](std::size_t place) {
      if (at(place).kind == Token::Kind::name && is_vector_type(at(place).spelling))
        refuse(
            place,
            fmt::format(
                "a type of your own named `{}` would be mistaken for CUDA's. Give it another name",
                told(at(place).spelling)));
    };
    if (at(i).is("using")) {
      if (at(i + 2).is("=")) judge(i + 1);
    } else if (at(i).is("typedef")) {
      for (std::size_t k = i + 1; k < tokens_.size() && !at(k).is(";") && !at(k).is("typedef");
           k = behind(k, brackets_)) {
        if (at(k + 1).is(";") || at(k + 1).is(",")) judge(k);
      }
    } else {
      constexpr int most_attributes = 32;
      std::size_t k = i + 1;
      for (int n = 0; n < most_attributes &&
                      (at(k).is("[") || (at(k).kind == Token::Kind::name && at(k + 1).is("(")));
           ++n)
        k = behind(at(k).is("[") ? k : k + 1, brackets_);
      if (at(k + 1).is("{") || at(k + 1).is(":") || at(k + 1).is("final")) judge(k);
    }
  }

  void judge_pragma_operator(std::size_t i) {
    if (!at(i + 1).is("(") || at(i + 2).kind != Token::Kind::text || !at(i + 3).is(")"))
      return refuse(i, "_Pragma must contain its text directly, not through a macro");
    if (at(i + 2).spelling.find_first_of("\r\n") != std::string::npos)
      return refuse(i, "_Pragma must contain its text in one line");
    const std::vector<Token> directive = code_tokens("#pragma " + at(i + 2).spelling);
    Rules inner(directive);
    inner.judge_directive(0);
    if (!inner.verdict_.refusals.empty()) refuse(i, inner.verdict_.refusals.front().message);
  }

  // A macro of a header that is not CUDA's may paste names and contain attributes.
  [[nodiscard]] bool uses_reserved_macros() const {
    std::string shim;
    WordSet known;
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
      const Token& token = tokens_[i];
      if (token.kind != Token::Kind::name || !is_reserved(token.spelling) ||
          is_language(token.spelling))
        continue;
      if (!token.directive && !at(i + 1).is("(")) continue;
      if (shim.empty()) shim = text_of_headers();
      if (known.insert(token.spelling).second && find_words(shim, token.spelling).empty())
        return true;
    }
    return false;
  }

  [[nodiscard]] std::string text_of_headers() const {
    std::string text = " ";
    std::error_code ignored;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(include_dir_, ignored)) {
      std::ifstream file(entry.path(), std::ios::binary);
      if (entry.is_regular_file(ignored)) text.append(std::istreambuf_iterator<char>(file), {});
    }
    return text;
  }

  // Maps each opening bracket to its closing one, or to the end of the tokens if there is none.
  // Computed once, so that a hostile source cannot cause quadratic time.
  using Closings = std::map<std::size_t, std::size_t>;
  static Closings closings(const std::vector<Token>& tokens, std::string_view opening,
                           std::string_view closing) {
    Closings found;
    std::vector<std::size_t> open;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      if (tokens[i].kind != Token::Kind::mark || tokens[i].spelling.size() != 1) continue;
      if (opening.find(tokens[i].spelling[0]) != opening.npos)
        open.push_back(i);
      else if (closing.find(tokens[i].spelling[0]) != closing.npos && !open.empty()) {
        found.emplace(open.back(), i);
        open.pop_back();
      }
    }
    for (const std::size_t i : open) found.emplace(i, tokens.size());
    return found;
  }
  // Returns the next token, or for an opening bracket the one after its closing bracket.
  static std::size_t behind(std::size_t i, const Closings& closings) {
    const auto found = closings.find(i);
    return (found != closings.end() ? found->second : i) + 1;
  }

  const std::vector<Token>& tokens_;
  const std::string include_dir_;
  const bool preprocessed_;
  const Closings parentheses_ = closings(tokens_, "(", ")"),
                 brackets_ = closings(tokens_, "([{", ")]}");
  Verdict verdict_;
};

}  // namespace

std::string about_missing_header(std::string_view name) {
  return fmt::format(
      "there is no file {} here. A submission is one file: copy what you need into it, or remove "
      "the #include",
      name);
}

Verdict forbidden_in(const std::string& text, const std::string& include_dir) {
  const std::vector<Token> tokens = code_tokens(text);
  return Rules(tokens, include_dir).judge();
}

namespace {

// A line marker `# 12 "file" 1 3`: the next line is line 12 of the file. Flag 1 marks the begin of
// a file, 3 a system header.
struct LineMarker {
  int line = 0;
  std::string file;
  bool enters = false, of_system = false;
};

// Returns the marker that begins at token i and the index of the token after it, or nullopt.
std::optional<std::pair<LineMarker, std::size_t>> marker_at(const std::vector<Token>& tokens,
                                                            std::size_t i) {
  const bool begins = tokens[i].is("#") && tokens[i].begins_line && i + 2 < tokens.size();
  if (!begins || tokens[i + 1].kind != Token::Kind::number ||
      tokens[i + 2].kind != Token::Kind::text)
    return std::nullopt;
  LineMarker marker{std::atoi(tokens[i + 1].spelling.c_str()), tokens[i + 2].spelling};
  for (i += 3; i < tokens.size() && !tokens[i].begins_line; ++i) {
    marker.enters |= tokens[i].spelling == "1";
    marker.of_system |= tokens[i].spelling == "3";
  }
  return std::pair{std::move(marker), i};
}

// Returns whether the marker is for the shim or a system header; all others are the submission's. A
// submission cannot name an absolute path. So g++ found a system header with one in a folder of its
// command line.
bool is_of_headers(const LineMarker& marker, const std::string& include_dir) {
  return marker.file == "<built-in>" || marker.file == "<command-line>" ||
         marker.file.starts_with(include_dir + "/") ||
         (marker.of_system && marker.file.starts_with('/'));
}

// Maps each header with output lines to the line of the submission that included it.
using Included = std::map<std::string, int>;

// Returns the macros whose replacement contains a name, with their lines. Only these can insert
// words into a header.
std::map<std::string, int, std::less<>> macros_with_words(const std::string& text) {
  std::map<std::string, int, std::less<>> found;
  const std::vector<Token> tokens = code_tokens(text);
  for (std::size_t i = 0; i + 2 < tokens.size(); ++i) {
    if (!tokens[i].is("#") || !tokens[i].begins_line || !tokens[i + 1].is("define")) continue;
    for (std::size_t k = i + 3; k < tokens.size() && tokens[k].directive && !tokens[k].begins_line;
         ++k)
      if (tokens[k].kind == Token::Kind::name)
        found.emplace(tokens[i + 2].spelling, tokens[i].line);
  }
  return found;
}

std::string text_of_header(const std::string& path) {
  constexpr std::uintmax_t longest_header = 4 << 20;
  std::error_code failure;
  if (!std::filesystem::is_regular_file(path, failure) ||
      std::filesystem::file_size(path, failure) > longest_header)
    return {};
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// Finds the first macro of the submission that is used in a header included after it.
std::optional<Diagnostic> macro_in_header(const std::string& text, const Included& included) {
  const auto macros = macros_with_words(text);
  if (macros.empty()) return std::nullopt;
  for (const auto& [header, line] : included)
    for (const Token& token : code_tokens(text_of_header(header))) {
      const auto macro =
          token.kind == Token::Kind::name ? macros.find(token.spelling) : macros.end();
      if (macro == macros.end() || macro->second > line) continue;
      return Diagnostic{
          Severity::error, macro->second, 0,
          fmt::format("the macro `{}` would change the meaning of a header that is included after "
                      "it (line {}). Move the #include before it, or rename the macro",
                      macro->first.substr(0, 60), line)};
    }
  return std::nullopt;
}

}  // namespace

std::vector<Diagnostic> forbidden_in_preprocessed(const std::string& output,
                                                  const std::string& text,
                                                  const std::string& include_dir) {
  std::vector<Token> ours;
  std::vector<Diagnostic> refusals;
  bool is_ours = false;
  int shift = 0, left_at = 0;  // line of the submission that included the current header
  const auto refuse = [&](const std::string& message) {
    if (refusals.empty()) refusals.push_back({Severity::error, left_at, 0, message});
  };
  Included included;
  std::string file;
  const std::vector<Token> tokens = code_tokens(output);
  for (std::size_t i = 0; i < tokens.size();) {
    const auto marked = marker_at(tokens, i);
    if (!marked) {
      if (is_ours) {
        ours.push_back(tokens[i]);
        ours.back().line += shift;
      } else if (left_at > 0) {
        included.emplace(file, left_at);
      }
      ++i;
      continue;
    }
    const LineMarker& marker = marked->first;
    if (file == source_name) left_at = tokens[i].line + shift;
    is_ours = !is_of_headers(marker, include_dir);
    if (is_ours && marker.enters) refuse(includes_itself);
    if (left_at > 0 && is_for_processor(marker.file))
      refuse(for_processor(std::filesystem::path(marker.file).filename().string()));
    shift = marker.line - tokens[i].line - 1;
    file = marker.file;
    i = marked->second;
  }
  if (refusals.empty())
    if (const auto macro = macro_in_header(text, included)) refusals.push_back(*macro);
  return refusals.empty() ? Rules(ours).judge().refusals : refusals;
}

}  // namespace histolab::kernels::worker
