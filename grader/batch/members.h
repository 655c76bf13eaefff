// Members: the files of a Tree put into one heap a person. The first half of intake; intake.cpp
// makes works of a heap.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "grader/batch/class_results.h"
#include "grader/batch/tree.h"
#include "reference/result.h"

namespace histolab::batch {

struct Piece {
  std::string path;  // in the tree
  std::string name;  // below the student's own folder: "01-race.cu", "01-race/stub.cu"
  const File* file = nullptr;
  bool online_text = false;
  std::optional<bool> marked_late;  // none: the platform never says
  std::uint64_t submission = 0;     // later ones are greater
  std::optional<std::int64_t> at;
  // The file's time. In an archive that the student made, the archive's: the student sets those
  // within.
  std::optional<std::int64_t> modified;
};

struct Member {
  Student student;       // without a key
  std::string key_name;  // what the key is made of
  std::vector<Piece> pieces;
  std::vector<std::string> problems;
  std::string place;   // path of the first folder or archive, whatever could be read of it
  std::string unread;  // one of the problems: something that may be any work could not be read
};

// By what identifies a person: an e-mail address, a platform's number, else the name.
struct Members {
  std::map<std::string, Member> by_identity;
  std::vector<std::string> remarks;
};

[[nodiscard]] Result<Members> members_of(const Tree& tree, const std::vector<std::string>& labs,
                                         const std::vector<std::string>& other_labs);

}  // namespace histolab::batch
