"""The first message that a student reads names the cause of the actual mistake, and its fix.

Each mistake is made in the lab's solution. The words must be in the first remark of `grade`, within
six lines of 80 columns.
"""
import concurrent.futures

from histolab_program import SOURCE, Checks, grade_text

check = Checks()
GLOBAL = "blockIdx.x * blockDim.x + threadIdx.x"
STRIDE = "gridDim.x * blockDim.x;"
UPDATE = "atomicAdd(&histo[letter / 4], 1u);"
PRIVATE = "atomicAdd(&private_histo[letter / 4], 1u);"
SHARED = "__shared__ unsigned int private_histo[bins];"
ZERO = ("for (unsigned int bin = threadIdx.x; bin < bins; bin += blockDim.x) {\n"
        "    private_histo[bin] = 0;\n  }")
OUT = "Remove line {}: histo is already 0 when the kernel starts"
SET = "which is uninitialized: this block has set only | Set all 7, even with fewer threads"
LOCAL = "private_histo is a local array: each thread has its own | Write __shared__ in front of"
STATIC = "Write __shared__ instead of static on line 4: all blocks share one static variable"
STORED = "atomicAdd has already stored the sum: remove the assignment"
GROW = "Increase it by the number of all threads: gridDim.x * blockDim.x"
WHOLE = "Write i = blockIdx.x * blockDim.x + threadIdx.x"
LESS_ONE = ("length is unsigned and 0 here, so length - 1 is 4 294 967 295 | Compare with length "
            "itself: i < length")

# Lab, words of its solution, the student's replacement, the required message.
MISTAKES = [
    # A plain update that is wrong in another way: the message does not mention the plain ++.
    ("01", "- 'a'", "- 'A'", "counts_alone | expected 1 in bin"),
    ("01", "letter / 4", "letter / 5", "counts_alone | expected 0 in bin 5 (u-x), got 1"),
    ("01", "histo[letter / 4]++", "histo[0]++", "counts_alone | expected 0 in bin 0 (a-d), got 1"),
    ("01", "histo[letter / 4]++", "histo[letter / 4] += 2",
     "counts_alone | every count is 2 times what it should be"),
    ("01", GLOBAL, "threadIdx.x", "without blockIdx.x all blocks read the same bytes | " + WHOLE),
    ("01", GLOBAL, "blockIdx.x",
     "without threadIdx.x all threads of a block read the same byte | " + WHOLE),
    ("01", "blockIdx.x * blockDim.x", "blockIdx.x * gridDim.x",
     "Write blockDim.x instead of gridDim.x"),
    # histo is zeroed in the kernel.
    ("01", "  if (i < length)", "  if (i < 7) histo[i] = 0;\n  if (i < length)", OUT.format(3)),
    ("02", "  if (i < length)", "  if (threadIdx.x < 7) histo[threadIdx.x] = 0;\n  if (i < length)",
     OUT.format(3)),
    ("02", "  if (i < length)",
     "  if (i < 7) histo[i] = 0u;\n  __syncthreads();\n  if (i < length)", OUT.format(3)),
    ("03", "  const unsigned int threads",
     "  for (int b = 0; b < 7; b++) histo[b] = 0;\n  const unsigned int threads", OUT.format(2)),
    ("04", "    private_histo[bin] = 0;", "    private_histo[bin] = 0;\n    histo[bin] = 0;",
     OUT.format(7)),
    # The result of atomicAdd is stored again.
    ("02", UPDATE, f"histo[letter / 4] += {UPDATE}", STORED),
    ("02", UPDATE, f"histo[letter / 4] = {UPDATE}", STORED),
    ("02", UPDATE, "histo[letter / 4] = histo[letter / 4] + atomicAdd(&(histo[letter / 4]), 1u);",
     STORED),
    ("04", PRIVATE, f"private_histo[letter / 4] += {PRIVATE}", STORED),
    # The private histogram is not shared.
    ("04", SHARED, SHARED.replace("__shared__", "static"), STATIC),
    ("06", SHARED, SHARED.replace("__shared__", "static"), STATIC),
    ("04", SHARED, SHARED[len("__shared__ "):], LOCAL),
    ("05", SHARED, SHARED[len("__shared__ "):], LOCAL),
    ("04", (SHARED, PRIVATE), (SHARED[len("__shared__ "):], "private_histo[letter / 4]++;"), LOCAL),
    # The index and its bound.
    ("03", STRIDE, "32;",
     "the index grows by threads (32) in each round, but the grid has 6 threads | " + GROW),
    ("03", STRIDE, "blockDim.x;", "the index grows by blockDim.x (3) | " + GROW),
    ("03", STRIDE, "gridDim.x;", "the index grows by gridDim.x (2) | " + GROW),
    ("03", "i += threads", "i++", "the index grows by 1 in each round | " + GROW),
    ("06", STRIDE, "64;", GROW),
    ("02", "blockIdx.x * blockDim.x", "blockIdx.x * 256",
     "for blocks of 256 threads, but a block of this case has 3 | Write blockDim.x instead of 256"),
    ("05", "blockIdx.x * blockDim.x", "blockIdx.x * 256", "Write blockDim.x instead of 256"),
    ("05", "begin + k", "begin", "does not use k, so each round counts the same byte"),
    ("02", "i < length", "i < length - 1", LESS_ONE),
    ("03", "i < length", "i < length - 1", LESS_ONE),
    ("05", "i < length", "i < length - 1", LESS_ONE),
    ("03", "i < length", "i <= length",
     "there is no data[length] | Write < instead of <= on line 3"),
    # Global memory where a private counter is wanted.
    ("05", PRIVATE, UPDATE, "few_commits | In the loop, update private_histo only"),
    ("06", "&private_histo[previous_bin]", "&histo[previous_bin]",
     "few_global_atomics | Flush into the block's private histogram"),
    ("05", PRIVATE, f"{PRIVATE} {UPDATE}",
     "every count is 2 times what it should be | a second update of the bin"),
    # Memory that is not set, or only in part.
    ("04", ZERO, ZERO.replace("blockDim.x", "32"), SET),
    ("05", ZERO,
     ZERO.replace("threadIdx.x;", "2 * threadIdx.x;").replace("blockDim", "2 * blockDim"), SET),
    ("06", ZERO, "if (threadIdx.x < bins) private_histo[threadIdx.x] = 0;", SET),
    ("04", ZERO, "", "before anything was written there | Shared memory is not zero at the start"),
    ("04", (SHARED, ZERO),
     ("__shared__ unsigned int s[bins];\n  unsigned int* private_histo = s;",
      "private_histo[threadIdx.x % 4] = 0;"), SET),
    ("04", SHARED, "__shared__ unsigned int* private_histo;",
     "let one thread set private_histo, then __syncthreads()"),
    ("04", (SHARED, ZERO),
     ("__shared__ unsigned int* private_histo;\n"
      "  if (threadIdx.x == 0) private_histo = new unsigned int[bins];\n"
      "  __syncthreads();", ""), "Allocated memory holds whatever was left in it"),
]


def judge(mistake):
    lab, old, new, words = mistake
    lab = next((SOURCE / "labs").glob(f"{lab}-*")).name
    text = "".join(line
                   for line in (SOURCE / "labs" / lab / "solution.cu").read_text().splitlines(True)
                   if not line.startswith("//"))
    for before, after in zip([old] if isinstance(old, str) else old,
                             [new] if isinstance(new, str) else new):
        if before not in text:
            return f"{lab}: its solution has no {before}", []
        text = text.replace(before, after)
    result, graded = grade_text(lab, text)
    begin = graded.stdout.find(f"\n{lab}: ") + 1
    said = graded.stdout[begin:].split("\n\n")[0].split("\n  next:")[0]
    shown = " ".join(said.split())
    missing = [each for each in words.split(" | ") if each not in shown]
    lines = said.split("\n")
    first = max((number for number, line in enumerate(lines) if line.startswith("        | ") or
                 line.startswith(lab)), default=0)
    if (result["status"] != "failed" or missing or len(lines) - first - 1 > 6 or
        max(map(len, lines)) > 80):
        return f"{lab}: {new} in place of {old}: {result['status']}, not said: {missing}", [said]
    return None


with concurrent.futures.ThreadPoolExecutor(2) as pool:
    for wrong in filter(None, pool.map(judge, MISTAKES)):
        check(False, wrong[0], *wrong[1])
check.finish()
