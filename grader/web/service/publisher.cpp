#include "grader/web/service/publisher.h"

#include "grader/web/service/replies.h"

namespace histolab::web {

bool Publisher::add(RequestNumber page) {
  const std::lock_guard lock{lock_};
  if (pages_.size() >= most_pages) return false;
  pages_.insert(page);
  front_.begin(page, 200, ndjson_headers());
  if (!verdict_.empty()) front_.send(page, verdict_);
  return true;
}

void Publisher::remove(RequestNumber page) {
  const std::lock_guard lock{lock_};
  pages_.erase(page);
}

bool Publisher::has_pages() const {
  const std::lock_guard lock{lock_};
  return !pages_.empty();
}

void Publisher::publish(const std::string& line, std::optional<RequestNumber> save, bool is_last) {
  const std::lock_guard lock{lock_};
  send(line, save, is_last);
}

void Publisher::publish_verdict(const std::string& line, std::optional<RequestNumber> save,
                                bool is_last) {
  const std::lock_guard lock{lock_};
  verdict_ = line;
  send(line, save, is_last);
}

void Publisher::forget_verdict() {
  const std::lock_guard lock{lock_};
  verdict_.clear();
}

void Publisher::send(const std::string& line, std::optional<RequestNumber> save, bool is_last) {
  for (const RequestNumber page : pages_) front_.send(page, line);
  if (!save) return;
  front_.send(*save, line);
  if (is_last) front_.end(*save);
}

}  // namespace histolab::web
