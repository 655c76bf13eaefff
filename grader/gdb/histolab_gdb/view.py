"""The worker's threads, variables and findings, in the layout of
kernels/emulator/debugger/debugger.h."""
import struct
from collections import namedtuple

import gdb

FIELDS = ("version text kernel kernel_bytes grid_x grid_y grid_z block_x block_y block_z "
          "running_block lanes lane_bytes warps warp_bytes sites pass_ "
          "thread_index block_index block_dim grid_dim entry_site exit_site regions region_count "
          "kind message is_error line other_line finding_block finding_thread file "
          "other_file").split()
VERSION = 2
TEXT_BYTES = 64 * 1024
NONE = 2**64 - 1
INPUT, OUTPUT, SHARED_STATIC, SHARED_DYNAMIC = 0, 1, 4, 5  # Region::Role

Region = namedtuple("Region", "name begin bytes element_bytes role")
# The state of a thread. RUNS: it executes now. READY: it waits for its turn.
RUNS, READY, ENTRY, EXIT = "runs", "ready", "not begun", "at its end"
BARRIER, WARP, RETURNED = "at a barrier", "at a warp sync", "returned"
Standing = namedtuple("Standing", "state site stack")

# Can be read at any time, even while the registers are another thread's.
_address = None


def read(address, size):
    return bytes(gdb.selected_inferior().read_memory(address, size))


def numbers(address, count, form="Q"):
    return struct.unpack(f"<{count}{form}", read(address, count * struct.calcsize(form)))


def text_at(address):
    return gdb.Value(address).cast(gdb.lookup_type("char").pointer()).string(errors="replace")


class View:
    """The current state of the launch."""

    def __init__(self):
        global _address
        if _address is None:
            _address = int(gdb.parse_and_eval("(unsigned long)&histolab_debug_view"))
        self.__dict__.update(zip(FIELDS, numbers(_address, len(FIELDS))))
        if self.version != VERSION:
            raise gdb.GdbError("this worker has another version of histolab; rebuild it with "
                               "./histolab")

    @property
    def runs(self):
        return self.lanes != 0

    @property
    def threads(self):
        return self.block_x * self.block_y * self.block_z

    @property
    def block(self):
        return numbers(self.running_block, 1, "I")[0]

    def holds(self, pc):
        """Whether the address is in the kernel's own code."""
        return self.text <= pc < self.text + TEXT_BYTES

    def block_place(self, linear):
        rows = linear // self.grid_x
        return linear % self.grid_x, rows % self.grid_y, rows // self.grid_y

    def thread_place(self, linear):
        rows = linear // self.block_x
        return linear % self.block_x, rows % self.block_y, rows // self.block_y

    def _pass(self):
        left, at_barrier, returned, _, first = struct.unpack("<IIIIQ", read(self.pass_, 24))
        if left == 0:
            return None
        lane = (first - self.lanes) // self.lane_bytes
        return lane // 32, lane + (left & -left).bit_length() - 1, at_barrier, returned

    def running(self):
        """The executing thread; None if the runner executes."""
        now = self._pass() if self.runs else None
        return now[1] if now else None

    def standing(self):
        """The state of each thread."""
        count = self.threads
        lanes = read(self.lanes, count * self.lane_bytes)
        warps = read(self.warps, (count + 31) // 32 * self.warp_bytes)
        sites = numbers(self.sites, count, "H")
        now = self._pass()
        result = []
        for lane in range(count):
            warp, bit = lane // 32, 1 << lane % 32
            runnable, at_barrier, at_warp_sync = struct.unpack_from("<III", warps,
                                                                    warp * self.warp_bytes)
            in_pass = now is not None and now[0] == warp
            if now is not None and now[1] == lane:
                state = RUNS
            elif in_pass and now[3] & bit:
                state = RETURNED
            elif at_barrier & bit or in_pass and now[2] & bit:
                state = BARRIER
            elif at_warp_sync & bit:
                state = WARP
            elif runnable & bit:
                state = {self.entry_site: ENTRY, self.exit_site: EXIT}.get(sites[lane], READY)
            else:
                state = RETURNED
            stack = struct.unpack_from("<Q", lanes, lane * self.lane_bytes)[0]
            result.append(Standing(state if stack or state == RUNS else RETURNED, sites[lane],
                                   stack))
        return result

    def return_address(self, site):
        return self.text + (site - self.text) % TEXT_BYTES

    def list_regions(self):
        result = []
        for i in range(self.region_count):
            name, *rest = numbers(self.regions + 40 * i, 5)
            result.append(Region(text_at(name), *rest))
        return result
