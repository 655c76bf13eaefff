// SaveWatch: notices when one of several files is saved. Their texts do not matter.
//
// A thread polls dates and sizes several times a second, as FileWatch does.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "viewer/feed/worker_thread.h"

namespace histolab::viewer {

class SaveWatch {
 public:
  SaveWatch();

  // Watches these files from now on. A file that was watched before keeps its known version.
  void set_files(const std::vector<std::string>& files);
  // Whether a file was changed, made or removed since the last call. A file that changes in two
  // polls in a row is still being written.
  [[nodiscard]] bool take();

 private:
  struct Shared;
  std::shared_ptr<Shared> shared_;
  WorkerThread thread_;
};

}  // namespace histolab::viewer
