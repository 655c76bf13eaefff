#include "grader/batch/likeness.h"

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <utility>

#include "kernels/code_tokens.h"
#include "reference/fnv1a.h"

namespace histolab::batch {
namespace {

using Token = kernels::CodeToken;
using Hash = std::uint64_t;

// Words that the author did not choose.
const std::set<std::string_view> fixed_words = {"if",
                                                "else",
                                                "for",
                                                "while",
                                                "do",
                                                "return",
                                                "break",
                                                "continue",
                                                "switch",
                                                "case",
                                                "default",
                                                "const",
                                                "unsigned",
                                                "signed",
                                                "int",
                                                "char",
                                                "short",
                                                "long",
                                                "float",
                                                "double",
                                                "void",
                                                "bool",
                                                "true",
                                                "false",
                                                "static",
                                                "inline",
                                                "struct",
                                                "template",
                                                "typename",
                                                "class",
                                                "auto",
                                                "volatile",
                                                "extern",
                                                "sizeof",
                                                "using",
                                                "namespace",
                                                "constexpr",
                                                "__global__",
                                                "__device__",
                                                "__shared__",
                                                "__constant__",
                                                "__restrict__",
                                                "__syncthreads",
                                                "__syncwarp",
                                                "threadIdx",
                                                "blockIdx",
                                                "blockDim",
                                                "gridDim",
                                                "x",
                                                "y",
                                                "z",
                                                "atomicAdd",
                                                "atomicCAS",
                                                "atomicExch",
                                                "atomicMax",
                                                "atomicMin",
                                                "atomicSub",
                                                "atomicInc",
                                                "include",
                                                "define",
                                                "pragma",
                                                "unroll"};

Hash mixed(Hash a, Hash b) {
  a ^= b + 0x9E3779B97F4A7C15 + (a << 6) + (a >> 2);
  a = (a ^ (a >> 30)) * 0xBF58476D1CE4E5B9;
  return a ^ (a >> 27);
}

Hash kind_of(const Token& token) {
  switch (token.kind) {
    case Token::Kind::name:
      return fixed_words.contains(token.spelling) ? reference::fnv1a(token.spelling) : 1;
    case Token::Kind::number: return 2;
    case Token::Kind::text:
    case Token::Kind::header: return 3;
    case Token::Kind::mark: return reference::fnv1a(token.spelling);
    case Token::Kind::comment: break;
  }
  return 0;
}

Hash exact_of(const std::vector<Token>& tokens) {
  Hash hash = tokens.size();
  for (const Token& each : tokens)
    hash = mixed(hash, mixed(reference::fnv1a(each.spelling), static_cast<Hash>(each.kind)));
  return hash;
}

// The smallest hash of each window of runs (winnowing).
std::set<Hash> fingerprints_of(const std::vector<Token>& tokens) {
  const std::size_t size = std::min(tokens.size(), most_tokens);
  std::vector<Hash> runs;
  for (std::size_t i = 0; i + run_of_tokens <= size; ++i) {
    Hash run = 0;
    for (std::size_t k = i; k < i + run_of_tokens; ++k) run = mixed(run, kind_of(tokens[k]));
    runs.push_back(run);
  }
  std::set<Hash> kept;
  for (std::size_t i = 0; i + window_of_runs <= runs.size(); ++i)
    kept.insert(*std::min_element(runs.begin() + static_cast<std::ptrdiff_t>(i),
                                  runs.begin() + static_cast<std::ptrdiff_t>(i + window_of_runs)));
  return kept;
}

// Equal for sources that differ in comments, blanks and the author's names.
Hash renamed_of(const std::vector<Token>& tokens) {
  std::map<std::string_view, Hash> numbers;
  Hash hash = tokens.size();
  for (const Token& each : tokens) {
    const bool own = each.kind == Token::Kind::name && !fixed_words.contains(each.spelling);
    const Hash word = own ? numbers.try_emplace(each.spelling, numbers.size()).first->second
                          : reference::fnv1a(each.spelling);
    hash = mixed(hash, mixed(word, own ? ~Hash{0} : static_cast<Hash>(each.kind)));
  }
  return hash;
}

}  // namespace

SourceMarks marks_of(const std::string& text) {
  const std::vector<Token> tokens = kernels::code_tokens(text);
  return {exact_of(tokens), renamed_of(tokens), tokens.size(), fingerprints_of(tokens)};
}

LikenessSearch::LikenessSearch(std::size_t lab, const std::string& stub, std::size_t most_sources)
    : lab_(lab),
      most_of_source_(
          std::max(least_marks_of_a_source, most_marks / std::max<std::size_t>(1, most_sources))) {
  const std::vector<Token> tokens = kernels::code_tokens(stub);
  stub_ = exact_of(tokens);
  known_ = fingerprints_of(tokens);
}

void LikenessSearch::add(std::size_t entry, const std::string& text) {
  const std::vector<Token> tokens = kernels::code_tokens(text);
  const Hash exact = exact_of(tokens);
  if (exact == stub_ || tokens.empty()) return;
  if (const auto [at, is_new] = first_of_.try_emplace(exact, entry); !is_new) {
    found_.push_back({lab_, at->second, entry, 1, true});
    return;
  }
  std::size_t kept = 0;
  for (const Hash each : fingerprints_of(tokens)) {  // ascending
    if (known_.contains(each)) continue;
    if (kept++ == most_of_source_) break;
    marks_.push_back({each, static_cast<std::uint32_t>(different_.size())});
  }
  different_.push_back(entry);
  renamed_.push_back(renamed_of(tokens));
}

void LikenessSearch::find_near() {
  std::ranges::sort(marks_);
  // Ignores hashes that more than a tenth of the different sources have. The limit is at least 4
  // and at most 40 sources, so that the number of pairs stays proportional to the class.
  const std::size_t common = std::clamp<std::size_t>(different_.size() / 10, 4, 40);
  // Indices of the rare marks in marks_, by source.
  std::vector<std::vector<std::uint32_t>> of_source(different_.size());
  for (std::size_t begin = 0, end; begin < marks_.size(); begin = end) {
    for (end = begin; end < marks_.size() && marks_[end].hash == marks_[begin].hash;) ++end;
    if (end - begin > common) continue;
    for (std::size_t i = begin; i < end; ++i)
      of_source[marks_[i].source].push_back(static_cast<std::uint32_t>(i));
  }
  std::vector<std::uint32_t> shared(different_.size());  // number shared with the current source
  std::vector<std::uint32_t> met;
  for (std::uint32_t source = 0; source < different_.size(); ++source) {
    for (const std::uint32_t at : of_source[source])
      for (std::size_t i = at + 1; i < marks_.size() && marks_[i].hash == marks_[at].hash; ++i)
        if (shared[marks_[i].source]++ == 0) met.push_back(marks_[i].source);
    for (const std::uint32_t other : met) {
      const std::size_t count = std::exchange(shared[other], 0);
      const double share = 2.0 * static_cast<double>(count) /
                           static_cast<double>(of_source[source].size() + of_source[other].size());
      if (count >= least_evidence && share >= least_share)
        found_.push_back({lab_, different_[source], different_[other], share, false, false,
                          renamed_[source] == renamed_[other]});
    }
    met.clear();
  }
}

std::vector<Likeness> LikenessSearch::found() {
  find_near();
  std::sort(found_.begin(), found_.end(), [](const Likeness& a, const Likeness& b) {
    return std::pair{a.first, a.second} < std::pair{b.first, b.second};
  });
  return std::move(found_);
}

}  // namespace histolab::batch
