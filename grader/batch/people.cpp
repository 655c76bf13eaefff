#include "grader/batch/people.h"

#include <fmt/format.h>

#include <algorithm>

#include "grader/batch/keys.h"
#include "grader/words/words.h"

namespace histolab::batch {
namespace {

constexpr std::size_t most_words = 8;  // longest rotation of a name

std::vector<std::string> words_of(const std::string& name) {
  std::vector<std::string> words(1);
  for (const char c : folded(name)) {
    if (c != ' ' && c != ',' && c != '_' && c != '-' && c != '.' && c != '\'')
      words.back() += c;
    else if (!words.back().empty())
      words.emplace_back();
  }
  if (words.back().empty()) words.pop_back();
  return words;
}

std::string joined(const std::vector<std::string>& words) {
  std::string all;
  for (const std::string& word : words) all += word;
  return all;
}

// The rotations of a name, without blanks: "adalovelace", "lovelaceada".
std::set<std::string> spellings(const std::string& name) {
  std::vector<std::string> words = words_of(name);
  std::set<std::string> found;
  for (std::size_t i = 0; i < std::min(words.size(), most_words); ++i) {
    found.insert(joined(words));
    std::ranges::rotate(words, words.begin() + 1);
  }
  return found;
}

}  // namespace

People::People(std::span<const Student> students) {
  for (std::size_t i = 0; i < students.size(); ++i) {
    const Student& each = students[i];
    keys_[each.key].insert(i);
    for (const std::string* identity :
         {&each.key, &each.email, &each.sis_id, &each.id, &each.login})
      if (!identity->empty()) identities_[folded(*identity)].insert(i);
    for (const std::string& name :
         {each.name, each.key, each.email.substr(0, each.email.find('@'))})
      for (const std::string& spelling : spellings(name)) names_[spelling].insert(i);
    shown_.push_back(each.name.empty() ? each.key : each.name);
    identifiers_.push_back(!each.email.empty()    ? each.email
                           : !each.sis_id.empty() ? each.sis_id
                                                  : each.key);
  }
}

std::vector<std::size_t> People::matches(const std::string& word) const {
  const auto in = [](const Index& index, const std::string& wanted) {
    const auto found = index.find(wanted);
    return found == index.end()
               ? std::vector<std::size_t>{}
               : std::vector<std::size_t>{found->second.begin(), found->second.end()};
  };
  if (const auto found = in(keys_, word); !word.empty() && !found.empty()) return found;
  if (const auto found = in(identities_, folded(word)); !found.empty()) return found;
  const std::string plain = joined(words_of(word));
  return plain.empty() ? std::vector<std::size_t>{} : in(names_, plain);
}

Result<std::size_t> People::find(const std::string& word) const {
  const std::vector<std::size_t> found = matches(word);
  if (found.size() == 1) return found.front();
  if (found.empty())
    return Error{fmt::format("there is no student \"{}\"{}", word, suggestion(word))};
  std::vector<std::string> apart;
  for (const std::size_t each : found) apart.push_back(identifiers_[each]);
  return Error{
      fmt::format("{} students are called \"{}\": {}", found.size(), word, grader::either(apart))};
}

std::string People::suggestion(const std::string& word) const {
  std::vector<std::string> with_word;
  for (const std::string& name : shown_) {
    const std::vector<std::string> words = words_of(name);
    if (std::ranges::find(words, joined(words_of(word))) != words.end()) with_word.push_back(name);
  }
  constexpr std::size_t most = 5;
  if (!with_word.empty() && with_word.size() <= most)
    return fmt::format("; did you mean {}?", grader::either(with_word));
  std::vector<std::string> known = shown_;
  known.insert(known.end(), identifiers_.begin(), identifiers_.end());
  return grader::did_you_mean(word, known);
}

}  // namespace histolab::batch
