// SharedWritten: which cells of its shared memory a block has written, kept while the block waits at a grid barrier.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace histolab::kernels::emulator {

struct SharedWritten {
  struct Variable {
    std::uint32_t region;  // its id
    std::uint32_t bytes_per_cell;
    std::vector<bool> written;  // of each cell
    [[nodiscard]] bool written_at(std::size_t byte) const {
      const std::size_t cell = byte / bytes_per_cell;
      return cell < written.size() && written[cell];
    }
  };
  std::vector<Variable> variables;  // that were accessed

  // `is_written(cell)`: by the block that runs.
  template <class Cells, class F>
  void add(std::uint32_t region, std::uint32_t bytes_per_cell, const Cells& cells, F&& is_written) {
    if (cells.empty()) return;
    Variable variable{region, bytes_per_cell, std::vector<bool>(cells.size())};
    for (std::size_t i = 0; i < cells.size(); ++i) variable.written[i] = is_written(cells[i]);
    variables.push_back(std::move(variable));
  }
};

}  // namespace histolab::kernels::emulator
