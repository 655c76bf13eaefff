#include "grader/race/race_words.h"

#include <fmt/format.h>

#include <algorithm>

namespace histolab::grader {
namespace {

using reference::LostUpdate;

constexpr std::size_t max_described = 3;  // lost updates that are described in full

std::string how(const LostUpdate& lost, const RaceMoments& moments) {
  const RaceMoment stored = moments(lost.stored_at), over = moments(lost.lost_at);
  const std::string where = stored.place.empty() ? "" : fmt::format(" in {}", stored.place);
  std::string text = fmt::format("{} stored {}{} at time {}, but {} ", thread_name(lost.thread),
                                 stored.value, where, lost.stored_at + 1, thread_name(over.thread));
  if (!lost.lost_loaded_at)
    return text + fmt::format("set it to {} at time {}", over.value, lost.lost_at + 1);
  return text + fmt::format("had loaded {} at time {} and stored {} over it at time {}",
                            moments(*lost.lost_loaded_at).value, *lost.lost_loaded_at + 1,
                            over.value, lost.lost_at + 1);
}

}  // namespace

std::string thread_name(std::uint32_t number) { return fmt::format("T{}", number + 1); }

std::string remark(const std::vector<LostUpdate>& lost, std::size_t time) {
  std::vector<std::uint32_t> losers;
  for (const LostUpdate& update : lost)
    if (update.lost_at == time) losers.push_back(update.thread);
  if (losers.empty()) return "";
  if (losers.size() == 1) return fmt::format("loses {}'s update", thread_name(losers[0]));
  return fmt::format("loses {} updates", losers.size());
}

std::string describe_lost(const std::vector<LostUpdate>& lost, const RaceMoments& moments) {
  std::string text;
  for (std::size_t i = 0; i < std::min(lost.size(), max_described); ++i)
    text += how(lost[i], moments) + "; ";
  if (lost.size() > max_described)
    text += fmt::format("and {} more; ", lost.size() - max_described);
  return text;
}

}  // namespace histolab::grader
