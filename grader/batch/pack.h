// Packs: archives that `histolab pack` makes for submission, with kernels, answers and
// histolab-pack.json, a list of these files and their SHA-256 hashes.
//
// Students may edit a pack, so the grader does not trust it. It grades the files as they are, and
// adds a note for the instructor if they differ from the list.
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
  std::map<std::string, const File*> files;  // readable files by their names in the list
  std::vector<std::string> notes;            // differences from the list
};
// Finds the packs among files (by path), ordered by folder. A folder with an unreadable list is not
// a pack.
[[nodiscard]] std::vector<Pack> packs_in(const std::map<std::string, const File*>& files);

// Chooses the pack to grade: the latest by the platform's numbers, or else the one nearest to the
// top.
[[nodiscard]] std::optional<Pack> pack_of(const Member& member);

// Drops a student's loose files if the pack has the same kind of file for that lab. Adds the pack's
// notes to the member's problems, and a note for each dropped file that differs. `labs` has all lab
// names.
void prefer_pack(Member& member, const std::vector<std::string>& labs);

}  // namespace histolab::batch
