"""The catalogue page's texts about each dataset, and how to draw it.

`log`: a logarithmic axis, for shares that differ by a factor of a hundred and more. `top`: the
bytes of the elements whose most frequent values are worth a table.
"""
from dataclasses import dataclass


@dataclass(frozen=True)
class Entry:
    what: str
    when: str
    log: bool = False
    top: tuple = ()


ENTRIES = {
    "uniform-letters": Entry(
        "Each element is one of the letters a to z, drawn independently, all with the same chance.",
        "The mildest letters: the bins fill evenly, but the last one, y-z, covers two letters "
        "instead of four. A baseline for contention in the letter labs."),
    "english": Entry(
        "Words, sentences and lines with the letter frequencies and word lengths of English books. "
        "The letters of a word are independent: the result looks like text but has no meaning. "
        "Blanks, line ends, full stops, commas and the capital after a full stop do not count as "
        "letters a-z.",
        "The ordinary case of the letter labs: some bins are busier than others, and a share of "
        "the elements must be ignored.", top=(1,)),
    "constant": Entry(
        "One letter and nothing else, chosen by the seed. In 16 bits both bytes of each element "
        "are that letter.",
        "Every thread updates the same bin. With bins in global memory this is the slowest data. "
        "With bins in shared memory it does not slow down an H200 "
        "([measured](measurements/README.md), from `hot:0` to `hot:100`)."),
    "runs": Entry(
        "Runs of one letter, each followed by a run of another letter. Run lengths are geometric, "
        "2048 on average. In 16 bits the runs are of any of the 65 536 values.",
        "For aggregation: a thread that takes neighbouring elements can add a whole run at once. "
        "A kernel without it has the contention of `constant`, but with a bin that changes."),
    "sorted": Entry(
        "`uniform-letters` in ascending order; in 16 bits, `values` in ascending order.",
        "It has the same histogram as the unsorted data, but very different contention: the order "
        "decides, not the histogram."),
    "bytes": Entry(
        "Each of the 256 byte values with the same chance.",
        "For 256 bins: the mildest data. In a letter lab nearly all of them are not letters."),
    "values": Entry(
        "All values that an element can have, each with the same chance: 256 for one byte (the "
        "same bytes as `bytes`), 65 536 for 16 bits.",
        "For many bins: two lanes of a warp rarely update the same bin. So the location of the "
        "bins is measured, not contention."),
    "zipf": Entry(
        "The k-th most frequent value occurs in proportion to k^-1.2, like words and page visits. "
        "In bytes, rank k is the value 101 + 5 (k - 1) modulo 256: e, j, o, t and y lead, and any "
        "32 neighbouring ranks are in 32 banks. In 16 bits, rank k is 40503 k modulo 65 536, which "
        "spreads any few neighbouring ranks over the whole range.",
        "Many bins, but with contention: a few hot bins get much of the work, and the long tail "
        "needs all the memory. It shows when copies of some bins pay, and when packed counters "
        "overflow.", log=True, top=(1, 2)),
    "two-bins": Entry(
        "m or M, each with the same chance. Their values differ by 32.",
        "For 256 bins of four bytes in shared memory: two different words in one bank. This "
        "distinguishes a bank conflict from an update of one address. The letter labs count only "
        "the m."),
    "mixed": Entry(
        "All values that a bounds test can get wrong. Every 31 elements have, at random positions, "
        "y, z, `` ` ``, `{`, a capital, a digit, a letter with its top bit set, any byte from 128 "
        "up, one other byte that is not a letter, and letters.",
        "For correctness, not for speed: `<= 26`, a signed `char` as an index or a forgotten upper "
        "bound give a wrong histogram at once.",
        log=True, top=(1,)),
    "image": Entry(
        "A generated photograph: a sky with a sun and clouds, hills, towers, balls on a meadow, "
        "and the noise of a camera. It is 1024 pixels wide and high, row by row from the top; with "
        "more elements another picture follows below. The bytes are the upper bytes of the "
        "samples.",
        "Data with similar neighbours, like real measurements: the threads of one warp update the "
        "same few bins, and other warps update others. In 16 bits the lower bits are noise, so "
        "neighbours share a region of the bins but rarely a bin.", top=(1,)),
    "sensor": Entry(
        "The output of a detector with a converter of 12 bits, 0 to 4095: a baseline near 400 that "
        "drifts slowly, noise, and an occasional pulse. A pulse rises within some 20 samples and "
        "falls within some 100. A few pulses are too high for the converter, which then outputs "
        "4095.",
        "For 4096 bins: most updates go to a narrow band of bins that moves slowly, the rest go "
        "anywhere. A range of bins per pass, or copies of the busy band only, are worth a try.",
        log=True, top=(2,)),
    "book": Entry(
        "The example of a textbook, \"programming massively parallel processors\", repeated "
        "without a gap, whatever the seed.",
        "For checking by hand: one copy of it has 5, 5, 6, 10, 10, 1 and 1 letters in the seven "
        "bins.", top=(1,)),
    "hot:P": Entry(
        "The letter m for P percent of the elements, any letter otherwise. P has up to six "
        "decimals: `hot:0`, `hot:50`, `hot:99.9`. In 16 bits the hot value is 28013 = 0x6d6d, and "
        "the others are any of the 65 536. An element that is hot at one percentage is hot at "
        "every higher one of the same seed.",
        "For contention controlled by one number: from `hot:0`, which is mild, to `hot:100`, which "
        "is `constant`. Shown is `{example}`.", log=True),
    "text:WORDS": Entry(
        "The text after the colon, repeated as often as needed. It may contain any characters.",
        "For spontaneous questions in class: `histolab run 01 --dataset \"text:to be or not to "
        "be\"`. Shown is `{example}`.", top=(1,)),
}
