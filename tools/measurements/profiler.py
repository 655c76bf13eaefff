"""The emulator's counters next to a profiler's: h100-profiler.json, written by
tools/profiler/compare.
"""
from .text import RowsSection, elements, names, select, table

# The basic counters; others, such as bytes moved and ratios, are computed from them.
COUNTERS = ["l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum",
            "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum",
            "l1tex__t_requests_pipe_lsu_mem_global_op_atom.sum",
            "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
            "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum",
            "l1tex__t_sectors_pipe_lsu_mem_global_op_atom.sum",
            "smsp__sass_data_bytes_mem_global_op_ld.sum",
            "smsp__sass_data_bytes_mem_global_op_st.sum", "smsp__inst_executed_op_shared_ld.sum",
            "smsp__inst_executed_op_shared_st.sum", "smsp__inst_executed_op_shared_atom.sum",
            "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",
            "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum",
            "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_atom.sum",
            "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum",
            "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum",
            "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_atom.sum"]
ALIKE = 0.02  # warps that compete for banks add a few wavefronts


def both_kinds_of_atomics(ncu):
    """Returns the profiler's nonzero counters, with reductions added to atomic operations."""
    found = {name: ncu.get(name, 0) +
             (ncu.get(name.replace("_atom.", "_red."), 0) if "global_op_atom" in name else 0)
             for name in COUNTERS}
    return {name: value for name, value in found.items() if value != 0}


def apart(row, name):
    """Returns emulator / profiler, or None if both are 0."""
    theirs = row["ncu"].get(name, 0)
    ours = row["emulator"].get(name, theirs)  # which only has the different ones
    return None if ours == theirs == 0 else ours / theirs if theirs else float("inf")


class Section(RowsSection):
    def markdown(self):
        launches, accesses = select(self.rows,
                                    experiment="kernels"), select(self.rows, experiment="accesses")
        lines = []
        for name in COUNTERS:
            ratios = [ratio for ratio in (apart(row, name) for row in launches)
                      if ratio is not None]
            near = [ratio for ratio in ratios if abs(ratio - 1) <= ALIKE]
            lines.append([f"`{name}`", len(ratios), ratios.count(1), len(near),
                          len(ratios) - len(near)])
        lengths = " and ".join(elements(length) for length in names(launches, "length"))
        return f"""{self.data["profiler"]}. {len(names(launches, "kernel"))} kernels (the labs' solutions
and right attempts, textbook kernels, and kernels of the corpus) ran on
{len(names(launches, "dataset"))} datasets of {lengths} bytes, one launch each, on the GPU and on
the emulator. The rows count those of the {len(launches)} launches in which the counter is not 0 on
both. `..._op_atom` and `..._op_red` of global memory are added up. *Alike* means within
{100 * ALIKE:.0f} %. For the others see
[the differences](../counters.md#where-the-emulator-and-a-profiler-differ-and-why).

{table(["counter", "launches", "equal", "alike", "unlike"], lines)}
In addition there are {len(accesses)} launches of one warp with one access, of
{len(names(accesses, "operation"))} kinds and in {len(names(accesses, "pattern"))} patterns;
`profiled_accesses_test.cpp` compares each with the emulator's count.
"""
