#include "grader/batch/pack.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <tuple>

#include "grader/batch/schemes.h"
#include "grader/files/json_fields.h"
#include "grader/files/read_file.h"
#include "grader/files/sha256.h"
#include "grader/lab/uploaded.h"
#include "grader/words/words.h"

namespace histolab::batch {
namespace {

constexpr std::size_t most_packed_files = 200, most_notes = 20;

// Packs have kernels and answers at the top level.
bool is_packed_name(const std::string& name) {
  return name.find('/') == name.npos && (name.ends_with(".cu") || name.ends_with(".quiz.json"));
}

std::string place_of(const std::string& path) { return path.substr(0, path.rfind('/') + 1); }
std::ptrdiff_t folders_in(const std::string& path) { return std::ranges::count(path, '/'); }

// Returns the name that the file would have in a pack, such as "01-race.cu", or an empty string.
std::string packed_name_of(const std::string& path, const std::vector<std::string>& labs) {
  const grader::Uploaded matched = grader::match_uploaded({path}, labs);
  if (!matched.kernels.empty()) return matched.kernels.begin()->first + ".cu";
  return matched.sheets.empty() ? "" : matched.sheets.begin()->first + ".quiz.json";
}

}  // namespace

template <class F, Describes<PackedFile> Value>
void fields(F& f, Value& file) {
  f("name", file.name), f("sha256", file.sha256);
  if constexpr (!F::writes)
    if (!is_packed_name(file.name))
      f.problem("name", "expected a file of a lab, such as 01-race.cu");
}
template <class F, Describes<PackList> Value>
void fields(F& f, Value& list) {
  f.schema("histolab/pack/1");
  // Only a reader refuses a longer list. A writer must not drop files.
  f("version", list.version), f("files", list.files, F::writes ? SIZE_MAX : most_packed_files);
}

std::string to_json(const PackList& list) {
  return grader::FieldWriter::written(list).dump(2) + "\n";
}

Result<PackList> read_pack_list(const std::string& path, const std::string& text) {
  TRY(grader::check_text(path, "list of a pack", text));
  const grader::Json json = TRY(grader::read_json_text(path, text));
  grader::Problems problems{path};
  grader::Fields in{json, "", problems};
  PackList list;
  fields(in, list);
  if (!problems.empty()) return problems.error();
  return list;
}

std::vector<Pack> packs_in(const std::map<std::string, const File*>& files) {
  std::vector<Pack> packs;
  for (const auto& [path, file] : files) {
    if (path.substr(path.rfind('/') + 1) != pack_list_name || !file->read) continue;
    const Result<std::string> text = file->bytes.text();
    const Result<PackList> list =
        text ? read_pack_list(path, *text) : Result<PackList>{text.error()};
    if (!list) continue;
    Pack pack{place_of(path), {}, {}};
    for (const PackedFile& packed : list->files) {
      const auto found = files.find(pack.folder + packed.name);
      const Result<std::string> bytes = found != files.end() && found->second->read
                                            ? found->second->bytes.text()
                                            : Result<std::string>{Error{""}};
      const std::string name = grader::harmless(pack.folder + packed.name);
      if (!bytes) {
        pack.notes.push_back(
            fmt::format("{} is in the pack's list, but missing or unreadable", name));
        continue;
      }
      if (grader::sha256(*bytes) != packed.sha256)
        pack.notes.push_back(fmt::format(
            "{} was changed after `histolab pack` (its SHA-256 differs); it is graded as it is",
            name));
      pack.files[packed.name] = found->second;
    }
    if (pack.notes.size() > most_notes) pack.notes.resize(most_notes);
    packs.push_back(std::move(pack));
  }
  return packs;
}

std::optional<Pack> pack_of(const Member& member) {
  std::map<std::string, const File*> files;
  for (const Piece& piece : member.pieces) files[piece.name] = piece.file;
  std::vector<Pack> packs = packs_in(files);
  if (packs.empty()) return std::nullopt;
  const auto rank_of = [&](const Pack& pack) {
    const auto list = std::ranges::find(member.pieces, pack.folder + pack_list_name, &Piece::name);
    const std::string name = pack.folder.substr(0, pack.folder.find('/'));
    return std::tuple{-static_cast<std::int64_t>(list->submission), folders_in(pack.folder),
                      -static_cast<std::int64_t>(resubmission_number(name, pack_name).value_or(0))};
  };
  Pack counts = std::move(*std::ranges::min_element(packs, {}, rank_of));
  if (packs.size() > 1)
    counts.notes.push_back(fmt::format("{} packs were handed in; {} counts", packs.size(),
                                       counts.folder.empty()
                                           ? "the one at the top"
                                           : counts.folder.substr(0, counts.folder.size() - 1)));
  return counts;
}

void prefer_pack(Member& member, const std::vector<std::string>& labs) {
  const std::optional<Pack> pack = pack_of(member);
  if (!pack) return;
  std::vector<std::string> notes = pack->notes;
  std::erase_if(member.pieces, [&](const Piece& piece) {
    const std::string name = piece.name.substr(piece.name.rfind('/') + 1);
    if (piece.online_text || (place_of(piece.name) == pack->folder && pack->files.contains(name)))
      return false;
    const auto packed = pack->files.find(packed_name_of(piece.name, labs));
    if (packed == pack->files.end()) return false;
    if (notes.size() < most_notes &&
        (!piece.file->read || piece.file->bytes != packed->second->bytes))
      notes.push_back(
          fmt::format("{} was left out: {}{} counts", piece.path, pack->folder, packed->first));
    return true;
  });
  for (std::string& note : notes) member.problems.push_back(std::move(note));
}

}  // namespace histolab::batch
