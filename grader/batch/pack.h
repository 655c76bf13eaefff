// Packs: what `histolab pack` makes of a student's work for handing in: an archive of kernels and
// answers with histolab-pack.json, which lists them and their SHA-256 hashes.
//
// A student may edit a pack, so the grader trusts nothing in it. It grades the files as they are; a
// difference from the list is a note for the instructor.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "grader/batch/members.h"
#include "reference/result.h"

namespace histolab::batch {

inline constexpr const char* pack_name = "histolab-handin.zip";
inline constexpr const char* pack_list_name = "histolab-pack.json";

struct PackedFile {
  std::string name;  // in the pack: "01-race.cu", "01-race.quiz.json"
  std::string sha256;
};

// histolab/pack/1, the list in a pack.
struct PackList {
  std::string version;  // of the kit that made it
  std::vector<PackedFile> files;
};
[[nodiscard]] std::string to_json(const PackList& list);
// `path` is for messages. Returns an Error if the text is not such a list.
[[nodiscard]] Result<PackList> read_pack_list(const std::string& path, const std::string& text);

// A pack among other files.
struct Pack {
  std::string folder;  // "histolab-handin.zip/"; empty if it was unpacked at the top
  std::map<std::string, const File*>
      files;  // by the name in its list: those that are there and could be read
  std::vector<std::string> notes;  // what does not agree with its list
};
// `files`: by path. Ordered by folder. A list that cannot be read makes no pack.
[[nodiscard]] std::vector<Pack> packs_in(const std::map<std::string, const File*>& files);

// Chooses the pack that counts: the latest by the platform's numbers, or else the one nearest to
// the top.
[[nodiscard]] std::optional<Pack> pack_of(const Member& member);

// Drops the loose files of a student whose pack has such a file for the same lab. Adds the pack's
// notes to the member's problems, and one for each dropped file that differs. `labs`: all names
// that a file may be for.
void prefer_pack(Member& member, const std::vector<std::string>& labs);

}  // namespace histolab::batch
