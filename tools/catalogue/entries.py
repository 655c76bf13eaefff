"""What the catalogue page says of each dataset beyond what is computed: what it is, when to use it,
how to draw it.

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
        "Each element is one of the letters a to z, drawn anew, all with the same chance.",
        "The mildest letters that there are: the bins fill evenly, but the last one, y-z, covers two letters instead of four. A baseline for "
        "contention in the letter labs."),
    "english": Entry(
        "Words, sentences and lines with the letter frequencies and word lengths of English books. The letters of a word are independent: it "
        "looks like text and means nothing. Blanks, line ends, full stops, commas and a capital after each full stop are no letters a-z.",
        "The ordinary case of the letter labs: some bins are busier than others, and a share of the elements is to be ignored.", top=(1,)),
    "constant": Entry(
        "One letter and nothing else; the seed decides which one. In 16 bits both bytes of each element are that letter.",
        "Every thread updates the same bin. With bins in global memory that is the slowest data of all; in shared memory an H200 is not slowed down by it ([measured](measurements/README.md), from `hot:0` to `hot:100`)."),
    "runs": Entry(
        "Runs of one letter, each followed by a run of another letter. Run lengths are geometric, 2048 on average. In 16 bits the runs are of "
        "any of the 65 536 values.",
        "For aggregation: a thread that takes neighbouring elements can add a whole run at once. A kernel without it meets the contention of "
        "`constant`, only with a bin that changes."),
    "sorted": Entry(
        "`uniform-letters` in ascending order; in 16 bits, `values` in ascending order.",
        "The same histogram as the unsorted data, and quite another contention: the order decides, not the histogram."),
    "bytes": Entry(
        "Each of the 256 byte values with the same chance.",
        "For 256 bins: the mildest data. In a letter lab nearly all of them are no letters."),
    "values": Entry(
        "All values that an element can have, each with the same chance: 256 of one byte (the same bytes as `bytes`), 65 536 of 16 bits.",
        "For many bins: two lanes of a warp hardly ever meet, so what is measured is where the bins lie, not contention."),
    "zipf": Entry(
        "The k-th most frequent value occurs in proportion to k^-1.2, as words and page visits do. Of bytes, rank k is the value 101 + 5 (k - 1) "
        "modulo 256: e, j, o, t and y lead, and any 32 neighbouring ranks lie in 32 banks. Of 16 bits, rank k is 40503 k modulo 65 536, which "
        "spreads any few neighbouring ranks over the whole range.",
        "Many bins and yet contention: a few hot bins carry much of the work, and the long tail needs all the memory. It shows when copies of "
        "some bins pay, and when packed counters overflow.", log=True, top=(1, 2)),
    "two-bins": Entry(
        "m or M, each with the same chance. Their values differ by 32.",
        "For 256 bins of four bytes in shared memory: two different words in one bank, so that a conflict of banks can be told from an update of "
        "one address. The letter labs count only the m."),
    "mixed": Entry(
        "Everything that a bounds test can get wrong: every 31 elements hold, at random places, y, z, `` ` ``, `{`, a capital, a digit, a letter with "
        "its top bit set, any byte from 128 up, one other byte that is no letter, and letters.",
        "For correctness, not for speed: `<= 26`, a signed `char` as an index or a forgotten upper bound give a wrong histogram at once.",
        log=True, top=(1,)),
    "image": Entry(
        "A photograph that nobody took: a sky with a sun and clouds, hills, towers, balls on a meadow, and the noise of a camera. It is 1024 "
        "pixels wide and high, row by row from the top; with more elements another picture follows below. The bytes are the upper bytes of the samples.",
        "Data with neighbours that are alike, as real measurements have: threads of a warp meet on the same few bins, and other warps on others. "
        "In 16 bits the lower bits are noise, so that neighbours share a region of the bins and seldom a bin.", top=(1,)),
    "sensor": Entry(
        "What a detector with a converter of 12 bits delivers, 0 to 4095: a baseline near 400 that drifts slowly, noise, and now and then a pulse, "
        "up within some 20 samples and down again over some 100. A few pulses are too high for the converter, which then says 4095.",
        "For 4096 bins: most updates go to a narrow band of bins that moves slowly, the rest go anywhere. A range of bins per pass, or "
        "copies of the busy band only, are worth a try.", log=True, top=(2,)),
    "book": Entry(
        "The example of a textbook, \"programming massively parallel processors\", repeated without a gap, whatever the seed.",
        "For checking by hand: one copy of it has 5, 5, 6, 10, 10, 1 and 1 letters in the seven bins.", top=(1,)),
    "hot:P": Entry(
        "The letter m for P percent of the elements, any letter otherwise. P has up to six decimals: `hot:0`, `hot:50`, `hot:99.9`. In 16 bits the hot "
        "value is 28013 = 0x6d6d, and the others are any of the 65 536. An element that is hot at one percentage is hot at every higher one of the same seed.",
        "For one number that turns contention up: from `hot:0`, which is mild, to `hot:100`, which is `constant`. Shown is `{example}`.", log=True),
    "text:WORDS": Entry(
        "What stands after the colon, repeated where more is asked for. It need not be letters only.",
        "For questions of the moment, in class: `histolab run 01 --dataset \"text:to be or not to be\"`. Shown is `{example}`.", top=(1,)),
}
