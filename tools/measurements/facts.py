"""Hardware facts other than times of histograms: h200-facts.json, written by
histolab-hardware-facts.
"""
from .text import RowsSection, elements, select, table

KERNELS = {"lock": "a lock that each lane of a warp takes and gives back",
           "lock-with-syncwarp": "the same with `__syncwarp()` inside of the lock",
           "grid-barrier": "a barrier that all blocks of the grid come to"}


class Section(RowsSection):
    def markdown(self):
        return "\n".join([self.waits(), self.sums(), self.accesses()])

    def waits(self):
        lines = [[KERNELS[row["kernel"]], f"{row['blocks']} x {row['threads']}",
                  f"{row['ended']} of {row['launches']}" if row["ended"] == row["launches"]
                  else f"no end, in the launch number {row['ended'] + 1}"]
                 for row in select(self.rows, experiment="waits")]
        patience = select(self.rows, experiment="waits")[0]["patience_s"]
        return f"""### Kernels whose threads wait for each other

The number of launches that ended within {patience:g} seconds; after the first that did not, no
further one is tried.

{table(["kernel", "blocks x threads", "ended"], lines)}"""

    def sums(self):
        row = select(self.rows, experiment="float-sums")[0]
        return f"""### Sums of floats

The same {elements(row['floats'])} floats between 0 and 1, one per thread, were added by
`atomicAdd` in {row['launches']} launches. There were {row['different']} different sums, and
{row['unlike_the_first']} launches with another sum than the first.
"""

    def accesses(self):
        widths = [(kind, width) for kind in ("load", "store") for width in (4, 8, 16)]
        lines = [[f"`{row['pattern']}`",
                  *(f"{row[f'{kind}_{width}_clocks']:.2f}" for kind, width in widths)]
                 for row in select(self.rows, experiment="shared-accesses")]
        return f"""### Accesses to shared memory

The element that lane `t` accesses, and an SM's clocks per warp instruction, by kind and by bytes of
an element. The SM's 32 warps do nothing else. The value is that of the median SM in the fastest of
five launches. The emulator's wavefronts are these clocks
([the model](../counters.md#wavefronts-of-wide-accesses-a-model-measured);
`measured_accesses_test.cpp` compares each of them).

{table(["element of lane t", *(f"{kind} {width}" for kind, width in widths)], lines)}"""
