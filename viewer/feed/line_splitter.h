// LineSplitter: splits arriving bytes into complete lines. A line is cut off at `longest` bytes. An
// incomplete line at the end is dropped.
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace histolab::viewer {

class LineSplitter {
 public:
  static constexpr std::size_t longest = 16 << 20;

  void add(std::string_view bytes, const std::function<void(std::string_view)>& line) {
    while (!bytes.empty()) {
      const std::size_t end = bytes.find('\n');
      const std::string_view part = bytes.substr(0, end);
      if (begun_.size() + part.size() <= longest) begun_.append(part);
      if (end == std::string_view::npos) return;
      if (!begun_.empty()) line(begun_);
      begun_.clear();
      bytes.remove_prefix(end + 1);
    }
  }

 private:
  std::string begun_;
};

}  // namespace histolab::viewer
