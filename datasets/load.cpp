#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <new>
#include <system_error>
#include <utility>

#include "datasets/datasets.h"
#include "datasets/generators.h"
#include "datasets/image.h"
#include "datasets/limits.h"

namespace histolab::datasets {
namespace {

constexpr std::uint64_t default_length = 1u << 20;

using Data = std::vector<std::uint8_t>;

std::string reason(int number) { return std::generic_category().message(number); }

Error cannot_open(const std::string& path, int number) {
  if (number == ENOENT)
    return {
        fmt::format("There is no file \"{}\" and no dataset of that name. Give the path of a file "
                    "or one of: {}.",
                    path, names_of_catalogue())};
  if (number == EACCES)
    return {fmt::format(
        "\"{}\" cannot be opened: {}. Make it readable for you (chmod u+r), or give another file.",
        path, reason(number))};
  return {fmt::format("\"{}\" cannot be opened: {}. Check the path.", path, reason(number))};
}

// A regular file with at least one byte, open for reading.
class File {
 public:
  static Result<File> open(const std::string& path) {
    // O_NONBLOCK: opening a pipe without a writer would block forever.
    const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (fd < 0) return cannot_open(path, errno);
    File file(fd, path);
    struct stat status {};
    if (::fstat(fd, &status) != 0) return cannot_open(path, errno);
    if (S_ISDIR(status.st_mode))
      return Error{fmt::format("\"{}\" is a directory. Give the path of a file in it.", path)};
    if (!S_ISREG(status.st_mode))
      return Error{fmt::format(
          "\"{}\" is no regular file. Save what it delivers to a file and give that.", path)};
    if (status.st_size == 0)
      return Error{fmt::format("\"{}\" is empty. Give a file with at least one byte.", path)};
    file.size_ = static_cast<std::uint64_t>(status.st_size);
    return file;
  }

  File(File&& other) noexcept
      : fd_(std::exchange(other.fd_, -1)), path_(std::move(other.path_)), size_(other.size_) {}
  File& operator=(File&&) = delete;
  ~File() {
    if (fd_ >= 0) ::close(fd_);
  }

  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] std::uint64_t size() const { return size_; }

  // Returns the first `length` bytes. `length` must be <= size().
  [[nodiscard]] Result<Data> first(std::uint64_t length) const {
    Data data(static_cast<std::size_t>(length));
    std::size_t done = 0;
    while (done < data.size()) {
      const ssize_t got =
          ::pread(fd_, data.data() + done, data.size() - done, static_cast<off_t>(done));
      if (got < 0 && errno == EINTR) continue;
      if (got < 0)
        return Error{fmt::format("\"{}\" cannot be read: {}. Copy it elsewhere and try that.",
                                 path_, reason(errno))};
      if (got == 0)
        return Error{fmt::format(
            "\"{}\" became shorter while it was read. Try again when nothing writes to it.",
            path_)};
      done += static_cast<std::size_t>(got);
    }
    return data;
  }

 private:
  File(int fd, std::string path) : fd_(fd), path_(std::move(path)) {}
  int fd_;
  std::string path_;
  std::uint64_t size_ = 0;
};

// Returns the number of elements to take: `asked`, or all `available` ones. `unit` is their name in
// messages, such as "bytes" or "pixels".
Result<std::uint64_t> length_to_take(const std::string& path, std::uint64_t available,
                                     std::string_view unit, std::optional<std::uint64_t> asked) {
  if (asked && *asked > max_length) return Error{too_long(*asked)};
  if (asked && *asked > available)
    return Error{fmt::format(
        "\"{0}\" has {1} {2}, but a length of {3} was asked for. Ask for at most {1}, or leave the "
        "length out to take all.",
        path, available, unit, *asked)};
  if (!asked && available > max_length)
    return Error{
        fmt::format("\"{}\" has {} {}, and a kernel takes at most {}. Ask for a length up to that.",
                    path, available, unit, max_length)};
  return asked.value_or(available);
}

Result<Data> load_image(const File& file, std::string_view format,
                        std::optional<std::uint64_t> asked, std::uint32_t element_bytes) {
  if (file.size() > max_length)
    return Error{fmt::format("\"{}\" is too large for an image ({} bytes). Scale it down.",
                             file.path(), file.size())};
  const auto encoded = TRY(file.first(file.size()));
  auto pixels = luminance(encoded, element_bytes);
  if (!pixels)
    return Error{
        fmt::format("\"{}\" begins like a {} image but cannot be decoded: {}. Save it again as PNG "
                    "or binary PGM.",
                    file.path(), format, pixels.error().message)};
  const auto length =
      TRY(length_to_take(file.path(), pixels->size() / element_bytes, "pixels", asked));
  pixels->resize(static_cast<std::size_t>(length * element_bytes));
  return pixels;
}

Result<Data> load_file(const std::string& path, std::optional<std::uint64_t> asked,
                       std::uint32_t element_bytes) {
  const auto file = TRY(File::open(path));
  const auto head = TRY(file.first(std::min<std::uint64_t>(file.size(), image_header_bytes)));
  if (const auto format = image_format(head))
    return load_image(file, *format, asked, element_bytes);
  if (file.size() % element_bytes != 0)
    return Error{
        fmt::format("\"{}\" has {} bytes, an odd number: it cannot be samples of 16 bits. Give a "
                    "file with an even "
                    "number of bytes, or an image.",
                    path, file.size())};
  const auto length =
      TRY(length_to_take(path, file.size() / element_bytes,
                         element_bytes == 1 ? "bytes" : "samples of 16 bits", asked));
  return file.first(length * element_bytes);
}

}  // namespace

Result<std::vector<std::uint8_t>> load_samples(const std::string& name_or_path,
                                               std::optional<std::uint64_t> length,
                                               std::uint64_t seed, std::uint32_t element_bytes) {
  TRY(check_width(element_bytes));
  const std::optional<std::string_view> text =
      name_or_path == "book" ? book_text : typed_text(name_or_path);
  if (text || is_hot(name_or_path) || is_generator(name_or_path))
    return generate_samples(name_or_path, length.value_or(text ? text->size() : default_length),
                            seed, element_bytes);
  try {
    return load_file(name_or_path, length, element_bytes);
  } catch (const std::bad_alloc&) {
    return Error{fmt::format(
        "\"{}\" does not fit into this machine's memory. Ask for a smaller length.", name_or_path)};
  }
}

}  // namespace histolab::datasets
