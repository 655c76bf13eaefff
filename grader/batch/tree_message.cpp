#include "grader/batch/tree_message.h"

#include <cstring>

namespace histolab::batch {
namespace {

class Writer {
 public:
  void number(std::uint64_t value) {
    bytes_.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  void text(std::string_view value) {
    number(value.size());
    bytes_ += value;
  }
  std::string bytes() && { return std::move(bytes_); }

 private:
  std::string bytes_;
};

// After the first missing or invalid value, all values are 0 or empty, and `fine_` is false.
class Reader {
 public:
  Reader(std::string_view bytes, const std::string& at) : rest_(bytes), at_(at), below_(at + "/") {}
  std::uint64_t number() {
    std::uint64_t value = 0;
    fine_ = fine_ && rest_.size() >= sizeof value;
    // mutant 0 -> 1: the value does not matter, because its tree is discarded
    if (!fine_) return 0;
    std::memcpy(&value, rest_.data(), sizeof value);
    rest_.remove_prefix(sizeof value);
    return value;
  }
  std::string text() {
    const std::uint64_t size = number();
    fine_ = fine_ && rest_.size() >= size;
    if (!fine_) return {};
    std::string value{rest_.substr(0, size)};
    rest_.remove_prefix(size);
    return value;
  }
  std::string path() {
    std::string value = text();
    fine_ = fine_ && (value == at_ || value.starts_with(below_));
    return value;
  }
  template <class Take>
  void each(Take take) {
    for (std::uint64_t left = number(); left > 0 && fine_; --left) take();
  }
  [[nodiscard]] bool ended_well() const { return fine_ && rest_.empty(); }

 private:
  std::string_view rest_;
  std::string at_, below_;
  bool fine_ = true;
};

}  // namespace

std::string to_message(const Tree& tree) {
  Writer out;
  out.number(tree.files.size());
  for (const auto& [path, file] : tree.files) {
    const Result<std::string> bytes = file.bytes.text();
    out.text(path), out.text(bytes ? *bytes : std::string{}), out.text(file.problem);
    out.number(file.read), out.number(file.modified.has_value()),
        out.number(static_cast<std::uint64_t>(file.modified.value_or(0)));
  }
  for (const auto* paths : {&tree.folders, &tree.archives, &tree.unread}) {
    out.number(paths->size());
    for (const std::string& path : *paths) out.text(path);
  }
  out.number(tree.archive_times.size());
  for (const auto& [path, time] : tree.archive_times)
    out.text(path), out.number(static_cast<std::uint64_t>(time));
  out.number(tree.problems.size());
  for (const auto& [path, text] : tree.problems) out.text(path), out.text(text);
  return std::move(out).bytes();
}

Result<Tree> tree_from_message(std::string_view bytes, const std::string& at) {
  Tree tree;
  Reader in{bytes, at};
  in.each([&] {
    std::string path = in.path();
    File file;
    file.bytes = in.text(), file.problem = in.text();
    file.read = in.number() != 0;
    const bool has_time = in.number() != 0;
    if (const auto time = static_cast<std::int64_t>(in.number()); has_time) file.modified = time;
    tree.files.insert_or_assign(std::move(path), std::move(file));
  });
  for (auto* paths : {&tree.folders, &tree.archives, &tree.unread})
    in.each([&] { paths->insert(in.path()); });
  in.each([&] {
    std::string path = in.path();
    tree.archive_times.insert_or_assign(std::move(path), static_cast<std::int64_t>(in.number()));
  });
  in.each([&] {
    std::string path = in.path();
    tree.problems.insert_or_assign(std::move(path), in.text());
  });
  if (!in.ended_well()) return Error{"its reader returned an invalid answer"};
  return tree;
}

}  // namespace histolab::batch
