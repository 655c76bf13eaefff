// Members: the files of a Tree by student. The first half of intake; intake.cpp makes works from
// the files of a student.
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
  std::string name;  // relative to the student's folder: "01-race.cu", "01-race/stub.cu"
  const File* file = nullptr;
  bool online_text = false;
  std::optional<bool> marked_late;  // missing if the platform does not mark late submissions
  std::uint64_t submission = 0;     // later ones are greater
  std::optional<std::int64_t> at;
  // The file's time. For a file in a student's archive, the archive's time: students control the
  // times inside.
  std::optional<std::int64_t> modified;
};

struct Member {
  Student student;       // without a key
  std::string key_name;  // source of the key
  std::vector<Piece> pieces;
  std::vector<std::string> problems;
  std::string place;   // path of the first folder or archive, even if unreadable
  std::string unread;  // the problem of an unreadable part, which may contain any work
};

// Students by identity: an e-mail address, a platform's number, or the name.
struct Members {
  std::map<std::string, Member> by_identity;
  std::vector<std::string> remarks;
};

[[nodiscard]] Result<Members> members_of(const Tree& tree, const std::vector<std::string>& labs,
                                         const std::vector<std::string>& other_labs);

}  // namespace histolab::batch
