// The names of threads, elements, lanes and lines in messages.
//
// They are pure functions from the facts of a finding to text.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "kernels/emulator/code/site.h"
#include "kernels/finding.h"

namespace histolab::kernels::emulator {

// The names of the threads and blocks of one sentence. All have as many coordinates as one of them
// needs: not "threads 3 and (0, 1)".
class ThreadNames {
 public:
  ThreadNames(const ThreadId& one, const ThreadId& other);

  [[nodiscard]] std::string thread(const ThreadId& id) const;
  [[nodiscard]] std::string block(const ThreadId& id) const;
  // Returns "thread 3 of block 0".
  [[nodiscard]] std::string both(const ThreadId& id) const;

 private:
  int of_thread_, of_block_;  // number of coordinates
};

// Returns "thread 3 of block 0", or "thread (1, 2) of block (0, 3)" if a coordinate other than the
// first is not zero. The threads of one message have equally many coordinates.
[[nodiscard]] std::string describe(const ThreadId& id);
// Returns "threads 3 and 17 of block 0", or "thread 3 of block 0 and thread 5 of block 1".
[[nodiscard]] std::string describe_pair(const ThreadId& one, const ThreadId& two);
// Returns "histo[4]" or "private_histo[0]". Returns the name alone if the element is unknown.
[[nodiscard]] std::string describe_element(const Finding& finding);
// Returns "lane 5", or "lanes 3, 5 and 16-31". `lanes`: as bits.
[[nodiscard]] std::string describe_lanes(std::uint32_t lanes);
// Returns "reads", "writes", ...
[[nodiscard]] std::string_view verb(AccessKind kind);
// Returns "line 9". If the line has a file: its text as in memory/source_line.h.
[[nodiscard]] std::string line_name(int line);
// Returns " (line 9)". Returns an empty text if the line is unknown.
[[nodiscard]] std::string at_line(int line);

}  // namespace histolab::kernels::emulator
