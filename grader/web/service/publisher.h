// Publisher: sends news about a lab's kernel to all open pages of that lab. Thread-safe.
#pragma once

#include <cstddef>
#include <mutex>
#include <optional>
#include <set>
#include <string>

#include "grader/web/http/front.h"

namespace histolab::web {

class Publisher {
 public:
  explicit Publisher(Front& front) : front_(front) {}

  static constexpr std::size_t most_pages = 32;

  // Begins a page's endless stream. It gets the last verdict at once, if there is one. Returns
  // false if too many pages are open.
  [[nodiscard]] bool add(RequestNumber page);
  void remove(RequestNumber page);
  [[nodiscard]] bool has_pages() const;

  // Sends a line to all pages, and to the reply of the save that it is about. The last line of a
  // save ends its reply.
  void publish(const std::string& line, std::optional<RequestNumber> save, bool is_last = false);
  // The same for a verdict, which later pages get as well.
  void publish_verdict(const std::string& line, std::optional<RequestNumber> save, bool is_last);
  void forget_verdict();

 private:
  void send(const std::string& line, std::optional<RequestNumber> save, bool is_last);

  Front& front_;
  mutable std::mutex lock_;
  std::set<RequestNumber> pages_;
  std::string verdict_;
};

}  // namespace histolab::web
