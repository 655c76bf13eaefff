// Shard: one of N parts of a class, which N machines can grade without knowing of each other
// (`histolab batch --shard I/N`, then `--merge`).
//
// The parts follow from the class alone. Submissions that share a result form a group (groups.h).
// In the class's order, shard I gets every N-th group, beginning with the I-th. So each group is in
// one shard, the shards are of equal size in each lab, and 2/3 is the same as 2/6 and 5/6 together.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "grader/batch/journal.h"
#include "reference/result.h"

namespace histolab::batch {

struct Shard {
  std::size_t number = 1, of = 1;  // 1 to `of`; 1/1 is the whole class

  [[nodiscard]] bool is_whole() const { return of == 1; }
  bool operator==(const Shard&) const = default;
};

inline constexpr std::size_t most_shards = 1'000'000;

// Reads "2/5"; the empty text is the whole class. Returns an Error for other text.
[[nodiscard]] Result<Shard> shard_from(std::string_view text);
// "2/5"; empty for the whole class.
[[nodiscard]] std::string to_text(const Shard& shard);

// The journal's submissions without a result that belong to the shard.
[[nodiscard]] Result<std::vector<Task>> outstanding_in(Journal& journal, const Shard& shard);
// All submissions of the shard.
[[nodiscard]] Result<std::vector<Task>> works_in(Journal& journal, const Shard& shard);

}  // namespace histolab::batch
