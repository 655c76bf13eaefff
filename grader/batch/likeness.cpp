#include "grader/batch/likeness.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <string_view>
#include <unordered_map>

#include "kernels/code_tokens.h"
#include "reference/fnv1a.h"

namespace histolab::batch {
namespace {

using Token = kernels::CodeToken;
using Hash = std::uint64_t;

// Words that mean what they mean in everybody's kernel.
const std::set<std::string_view> fixed_words = {
    "if", "else", "for", "while", "do", "return", "break", "continue", "switch", "case", "default", "const", "unsigned", "signed", "int", "char", "short", "long", "float", "double", "void", "bool",
    "true", "false", "static", "inline", "struct", "template", "typename", "class", "auto", "volatile", "extern", "sizeof", "using", "namespace", "constexpr", "__global__", "__device__", "__shared__",
    "__constant__", "__restrict__", "__syncthreads", "__syncwarp", "threadIdx", "blockIdx", "blockDim", "gridDim", "x", "y", "z", "atomicAdd", "atomicCAS", "atomicExch", "atomicMax", "atomicMin",
    "atomicSub", "atomicInc", "include", "define", "pragma", "unroll"};

Hash mixed(Hash a, Hash b) {
  a ^= b + 0x9E3779B97F4A7C15 + (a << 6) + (a >> 2);
  a = (a ^ (a >> 30)) * 0xBF58476D1CE4E5B9;
  return a ^ (a >> 27);
}

Hash kind_of(const Token& token) {
  switch (token.kind) {
    case Token::Kind::name: return fixed_words.contains(token.spelling) ? reference::fnv1a(token.spelling) : 1;
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
  for (const Token& each : tokens) hash = mixed(hash, mixed(reference::fnv1a(each.spelling), static_cast<Hash>(each.kind)));
  return hash;
}

// The smallest hash of each window of runs.
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
    kept.insert(*std::min_element(runs.begin() + static_cast<std::ptrdiff_t>(i), runs.begin() + static_cast<std::ptrdiff_t>(i + window_of_runs)));
  return kept;
}

}  // namespace

std::vector<Likeness> alike_of(std::size_t lab, const std::vector<Source>& sources, const std::string& stub) {
  const std::vector<Token> stub_tokens = kernels::code_tokens(stub);
  const Hash of_stub = exact_of(stub_tokens);
  const std::set<Hash> known = fingerprints_of(stub_tokens);
  std::vector<Likeness> found;
  std::map<Hash, std::size_t> first_of;  // exact -> entry
  struct One {
    std::size_t entry = 0;
    std::set<Hash> marks;
  };
  std::vector<One> different;
  std::unordered_map<Hash, std::vector<std::size_t>> holders;  // -> in `different`
  for (const Source& source : sources) {
    const std::vector<Token> tokens = kernels::code_tokens(source.text);
    const Hash exact = exact_of(tokens);
    if (exact == of_stub || tokens.empty()) continue;
    if (const auto [at, is_new] = first_of.try_emplace(exact, source.entry); !is_new) {
      found.push_back({lab, at->second, source.entry, 1, true});
      continue;
    }
    One one{source.entry, {}};
    for (const Hash each : fingerprints_of(tokens))
      if (!known.contains(each)) one.marks.insert(each), holders[each].push_back(different.size());
    different.push_back(std::move(one));
  }
  // Common property: held by more than a tenth of those that differ, and by more than four of them; in a large class by more than forty, so that
  // the pairs that are made stay in proportion to the class.
  const std::size_t common = std::clamp<std::size_t>(different.size() / 10, 4, 40);
  std::map<std::pair<std::size_t, std::size_t>, std::size_t> shared;
  std::vector<std::size_t> rare(different.size());
  for (const auto& [mark, held_by] : holders) {
    if (held_by.size() > common) continue;
    for (std::size_t i = 0; i < held_by.size(); ++i) {
      ++rare[held_by[i]];
      for (std::size_t k = i + 1; k < held_by.size(); ++k) ++shared[{held_by[i], held_by[k]}];
    }
  }
  for (const auto& [pair, count] : shared) {
    const double share = 2.0 * static_cast<double>(count) / static_cast<double>(rare[pair.first] + rare[pair.second]);
    if (count >= least_evidence && share >= least_share) found.push_back({lab, different[pair.first].entry, different[pair.second].entry, share, false});
  }
  std::sort(found.begin(), found.end(), [](const Likeness& a, const Likeness& b) { return std::pair{a.first, a.second} < std::pair{b.first, b.second}; });
  return found;
}

}  // namespace histolab::batch
