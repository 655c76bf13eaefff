// Event: one line of a stream (`histolab/stream/1`, docs/stream.schema.json) as a value.
//
// A stream comes from a child process, a pipe or a file. It may have another version, be cut off,
// or not be a stream at all. A line that is not an event becomes a Stray; nothing throws.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "viewer/model/run_summary.h"

namespace histolab::viewer {

// A file of the sources of a program.
struct SourceText {
  std::string file, text;
};

// A launch begins. `expected` has one count per bin.
struct Begin {
  std::string device_kind, device_name, lab, title, kernel, source, dataset, schedule, block_order,
      domain;
  // A whole program's first source, all its sources (`kernel` and `source` are the first one), its
  // launches in words, and the files that can change it.
  std::string program;
  std::vector<SourceText> sources;
  std::vector<std::string> launches, files;
  std::uint64_t run = 1, launch_count = 0;
  std::uint64_t length = 0, grid = 0;  // grid is 0 if the kernel does not compile
  std::uint32_t block = 0;
  std::map<std::string, std::uint32_t> exports;
  std::vector<std::string> bin_labels;
  std::vector<std::uint64_t> expected;

  [[nodiscard]] bool is_program() const { return !program.empty(); }
  // The lab, or the program's first source.
  [[nodiscard]] const std::string& name() const { return is_program() ? program : lab; }
  // The file of a program if it has that one, else the first one. Empty for a lab's kernel.
  [[nodiscard]] const std::string& file_shown(const std::string& wanted) const;
  // The text of file_shown().
  [[nodiscard]] const std::string& text_of(const std::string& file) const;
};

// Progress of the launch. `of_read` is the true histogram of the elements that the kernel has read
// so far.
struct Progress {
  bool paused = false;
  std::uint64_t steps = 0, blocks = 0, elements_read = 0;
  std::vector<std::uint64_t> of_read, histogram;
  double elapsed_s = 0;
};

// One memory instruction of a warp. `offset` holds one entry per lane in `active`: bytes from the
// variable's first byte.
struct Access {
  std::uint32_t block = 0, warp = 0;
  int line = 0;
  std::string file;  // of `line`; empty for the one file of a lab's kernel
  std::string kind, space, variable;
  std::uint32_t bytes = 0, active = 0;
  std::array<std::uint32_t, 32> offset{};
  std::uint64_t base = 0;  // offset of a shared variable in the block's shared memory
  std::uint32_t sectors = 0, wavefronts = 0, same_address_degree = 0;
};

struct Accesses {
  std::vector<Access> rows;
};

struct Finished {
  RunSummary report;
};

struct End {};

// The reason why the launch could not run.
struct Failure {
  std::string message;
};

// A line that is not an event of this schema.
struct Stray {};

using Event = std::variant<Begin, Progress, Accesses, Finished, End, Failure, Stray>;

[[nodiscard]] Event parse_event(std::string_view line);

}  // namespace histolab::viewer
