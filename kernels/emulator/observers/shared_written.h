// SharedWritten: the cells of its shared memory that a block has written. It is kept while the
// block waits at a grid barrier.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace histolab::kernels::emulator {

struct SharedWritten {
  struct Variable {
    std::uint32_t region;  // id of the region
    std::uint32_t bytes_per_cell;
    std::vector<bool> written;  // per cell
    [[nodiscard]] bool written_at(std::size_t byte) const {
      const std::size_t cell = byte / bytes_per_cell;
      return cell < written.size() && written[cell];
    }
  };
  std::vector<Variable> variables;  // those that were accessed

  // Adds a variable. `is_written(cell)` returns true if the running block has written the cell.
  template <class Cells, class F>
  void add(std::uint32_t region, std::uint32_t bytes_per_cell, const Cells& cells, F&& is_written) {
    if (cells.empty()) return;
    Variable variable{region, bytes_per_cell, std::vector<bool>(cells.size())};
    for (std::size_t i = 0; i < cells.size(); ++i) variable.written[i] = is_written(cells[i]);
    variables.push_back(std::move(variable));
  }
};

}  // namespace histolab::kernels::emulator
