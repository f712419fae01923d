"""Ten, for score keeping (RULES.md 4; the log's questions in LOG.md).

One to five players, each for oneself: turns and auctions are followed until the deck is empty, then
every hand is entered and its wilds are assigned in the best way.
"""

from array import array

from ..question import (
    CHOICE,
    COMMON_WORDS,
    MASK,
    NUMBER,
    OWN_BIT,
    PASS,
    PASS_BIT,
    const,
)
from ..rules import CELL_NUMBER, CELL_RUN, CELL_SEAT, NO_CELL, Column, Option, Rules

TURN = const(0)
AUCTION = const(1)
BUY = const(2)
RED = const(3)
BLUE = const(4)
ORANGE = const(5)
GREEN = const(6)
WILDS = const(7)
TOKENS = const(8)
HELD = const(9)
TIE = const(10)  # a step only: the points that decide what is asked next are being reckoned

END = const(0x1009)  # own words; OWN_0 and after it
WILD = const(0x100A)
LAST = const(0x100B)
DONE = const(0x100C)

MOST_BID = const(199)
MOST_TOKENS = const(10)  # RULES.md 4.4
MOST_HELD = const(102)  # all number cards and wilds
COLOURS = const(4)
MASKS = const(5)  # of a hand: four colours and the wilds
NUMBERS = const(9)
NUMBER_BITS = const(0x1FF)
ALL_HASHES = const(0x600)  # the two # of a colour
FULL = const(0x200)  # the full wild, among the wilds

# How many bits are set in a number below 32.
BITS = b"\0\1\1\2\1\2\2\3\1\2\2\3\2\3\3\4\1\2\2\3\2\3\3\4\2\3\3\4\3\4\4\5"

# -- the best assignment ------------------------------------------------------------------------

FIND = const(0)  # what a Best does next
LIMIT = const(1)
JOIN_LIMITS = const(2)
DIVE = const(3)
PRUNE = const(4)
PAIR = const(5)
CLEAR = const(6)
SPREAD = const(7)
MEET = const(8)
CLOSE = const(9)
REST = const(10)
FINISH = const(11)
STARTS = const(12)
READY = const(13)

WINDOWS = const(46)  # at most, of a colour: 45 runs, and the longest that needs no wild of all colours
SETS = const(1024)  # sets of wilds
ROW = const(12)  # of a table of limits: by 0 to 10 wilds
OTHERS = const(4)  # rows of limits: 0-3 one colour, 4-7 the three others,
RED_BLUE = const(8)  # two of them,
ORANGE_GREEN = const(9)
ALL = const(10)  # all; later the first pair,
TOP = const(11)  # and the first pair with the inner colour of the second
LEAST_ROW = const(11)
THERE = const(0x4000)  # marks an entry of Best.pairs
STEPS = const(400)  # passes of an inner loop in a slice: some 5 ms on the board, 13 where one loop takes more

# Which two rows of limits make which third, before the dives.
JOINS = bytes((8, 0, 1, 9, 2, 3, 4, 1, 9, 5, 0, 9, 6, 3, 8, 7, 2, 8, 10, 8, 9))


class Best:
    """Finds the best assignment of a hand's wilds (RULES.md 4.9), exactly, in slices, without allocating.

    Best: most points; then the longest red run, then blue, orange, green; then the lowest start in the
    same order. Points and lengths are one number, the *key* (points, then four digits of 4 bits), so
    that adding up colours and comparing compares all of this but the starts.

    A *window* is a run that one colour could have: its length, the wilds of all colours that it needs
    after the # of the colour are used (*need*), and which of those would fit (a set of 10 bits: the
    numbers 1-9 and the full wild). Windows can stand together if every group of them finds as many
    fitting wilds as it needs (Hall's theorem); that is tested by ``fits``.

    1. The windows of each colour are listed, those that natural cards make longer for nothing left out.
    2. For every number of wilds the best key with no more than that is known for each colour; joined,
       it limits what is possible, as if every wild fitted everywhere.
    3. Four dives take the most promising window colour by colour. Most hands end here: the result is
       as good as the limit.
    4. Windows that cannot lead to more than the dives found are dropped. What remains is searched
       completely: for two colours the best key with each *set* of wilds (``pairs``), then every choice
       of sets for the other two with the best of the first two with what is left.
    5. The lengths are known now; the lowest starts are searched with ``fits``.

    ``points`` and ``runs`` (low * 16 + high by colour, 0 for none) hold the result.
    """

    def __init__(self, bonus):
        self.bonus = bonus
        self.phase = READY
        self.cards = array("H", bytes(2 * MASKS))  # the hand being reckoned
        self.hashes = bytearray(COLOURS)  # how many # of each colour
        self.wilds = 0  # all, and
        self.useful = 0  # those that fit some window
        self.many = 0  # how many of those
        self.count = bytearray(COLOURS)  # windows of each colour, and
        self.length = bytearray(COLOURS * WINDOWS)  # their lengths,
        self.need = bytearray(COLOURS * WINDOWS)  # needs,
        self.fit = array("H", bytes(2 * COLOURS * WINDOWS))  # and the wilds that fit
        self.limits = array("i", bytes(4 * ROW * ROW))  # best key by row and number of wilds, -1 for none
        self.group_need = bytearray(16)  # of the windows chosen, by group (a bit for each)
        self.group_fit = array("H", bytes(2 * 16))
        self.set_count = array("i", bytes(4 * COLOURS))  # how many sets of wilds the windows left need, about
        self.set_all = array("H", bytes(2 * COLOURS))  # all wilds in them
        self.outer = 0  # the two colours being joined: for each set of the one
        self.inner = 0  # all sets of the other
        self.others = 0  # the two colours of the second pair: the one left over times 4 and the other
        self.shift = 0  # where the digit of the first pair's second colour is in the key; red's is at 12
        self.by_set = bytearray(SETS)  # length + 1 with a set, 0 for none: inner, and 16 times outer colour
        self.pairs = array("H", bytes(2 * SETS))  # the first pair with a set: points, two lengths, THERE
        self.worth = array("H", bytes(2 * 11))  # of the inner colour by length + 1: points, lengths as in pairs
        self.least = array("H", bytes(2 * LEAST_ROW * LEAST_ROW))  # enough of pairs, by two lengths + 1
        self.reach = bytearray(LEAST_ROW)  # by length + 1 of the outer colour: this many wilds are too many
        self.least_there = 0  # which rows of it are filled in, a bit each
        self.second = False  # the second pair is being joined
        self.dive = 0
        self.colour = 0
        self.window = 0
        self.left = 0
        self.outer_set = 0
        self.inner_set = 0
        self.best = -1  # the best key so far
        self.sum = 0
        self.low = bytearray(COLOURS)
        self.spent = bytearray(COLOURS)
        self.points = 0
        self.runs = bytearray(COLOURS)

    def begin(self, hands, at):
        """Begin with the hand in hands[at:at + 5]."""
        for place in range(MASKS):
            self.cards[place] = hands[at + place]
        for colour in range(COLOURS):
            self.hashes[colour] = BITS[hands[at + colour] >> NUMBERS]
        self.wilds = hands[at + COLOURS]
        self.useful = 0
        self.best = -1
        self.second = False
        self.colour = 0
        self.phase = FIND

    def same(self, hands, at):
        """Tell whether this is the hand begun with."""
        for place in range(MASKS):
            if self.cards[place] != hands[at + place]:
                return False
        return True

    def work(self):
        """Do a slice, some 5 ms on the board; True when points and runs are there."""
        phase = self.phase
        if phase == MEET:
            self.meet()
        elif phase == FINISH:
            self.finish()
        elif phase == CLOSE:
            self.close()
        elif phase == CLEAR:
            self.clear()
        elif phase == REST:
            self.rest()
        elif phase == STARTS:
            self.starts()
        elif phase == SPREAD:
            self.spread_windows()
        elif phase == FIND:
            self.find(self.colour)
            self.next_colour(LIMIT)
        elif phase == LIMIT:
            self.limit(self.colour)
            self.next_colour(JOIN_LIMITS)
        elif phase == JOIN_LIMITS:
            self.join_limits()
        elif phase == DIVE:
            self.dive_once()
        elif phase == PRUNE:
            self.prune(self.colour)
        elif phase == PAIR:
            self.choose_pairs()
        return self.phase == READY

    def next_colour(self, phase):
        """Go on to the next colour, after the last to another phase."""
        self.colour += 1
        if self.colour == COLOURS:
            self.colour = 0
            self.phase = phase

    def key(self, colour, length):
        """Return the key of a run of a colour: points with the bonus of a full run, and its length's digit."""
        points = length + self.bonus if length == NUMBERS else length
        return points << 16 | length << (12 - 4 * colour)

    # -- windows and limits ---------------------------------------------------------------------

    def find(self, colour):
        """List the windows of a colour; the first is the longest run that needs no wild of all colours."""
        naturals = self.cards[colour] & NUMBER_BITS
        hashes = self.hashes[colour]
        wilds = self.wilds
        base = 0
        for low in range(NUMBERS):
            missing = 0
            for high in range(low, NUMBERS):
                if not naturals >> high & 1:
                    missing += 1
                    if missing > hashes:
                        break
                if high - low >= base:
                    base = high - low + 1
        place = colour * WINDOWS
        self.length[place] = base
        self.need[place] = 0
        self.fit[place] = 0
        place += 1
        useful = 0
        for low in range(NUMBERS):
            if low and naturals >> (low - 1) & 1:
                continue
            need = -hashes
            fit = wilds & FULL
            many = 1 if fit else 0
            for high in range(low, NUMBERS):
                if not naturals >> high & 1:
                    need += 1
                    if wilds >> high & 1:
                        fit |= 1 << high
                        many += 1
                if 0 < need <= many and high - low >= base and not naturals >> (high + 1) & 1:
                    self.length[place] = high - low + 1
                    self.need[place] = need
                    self.fit[place] = fit
                    place += 1
                    useful |= fit
        self.count[colour] = place - colour * WINDOWS
        self.useful |= useful

    def limit(self, colour):
        """Fill in the best key of a colour by the number of wilds used at most."""
        if not colour:
            self.many = BITS[self.useful & 31] + BITS[self.useful >> 5]
        limits = self.limits
        at = colour * ROW
        first = colour * WINDOWS
        base = self.key(colour, self.length[first])
        for used in range(self.many + 1):
            limits[at + used] = base
        for place in range(first + 1, first + self.count[colour]):
            used = at + self.need[place]
            key = self.key(colour, self.length[place])
            if key > limits[used]:
                limits[used] = key
        for used in range(at + 1, at + self.many + 1):
            if limits[used - 1] > limits[used]:
                limits[used] = limits[used - 1]

    def join(self, to, one, two):
        """Fill in a row of limits from two others: the wilds may be divided between them in any way."""
        limits = self.limits
        one *= ROW
        two *= ROW
        for used in range(self.many + 1):
            top = -1
            end = two + used
            for place in range(one, one + used + 1):
                key = limits[place]
                other = limits[end]
                end -= 1
                if key >= 0 and other >= 0 and key + other > top:
                    top = key + other
            limits[to * ROW + used] = top

    def join_limits(self):
        """Join two rows of limits; after the last, go on to the dives."""
        place = self.colour
        self.join(JOINS[place], JOINS[place + 1], JOINS[place + 2])
        self.colour += 3
        if self.colour == len(JOINS):
            self.colour = 0
            self.dive = 0
            self.sum = 0
            self.left = self.many
            self.phase = DIVE

    # -- windows that stand together ---------------------------------------------------------------

    def fits(self, place, need, fit):
        """Tell whether a window can stand with the ``place`` windows taken before it."""
        group_need = self.group_need
        group_fit = self.group_fit
        bits = BITS
        for group in range(1 << place):
            both = fit | group_fit[group]
            if need + group_need[group] > bits[both & 31] + bits[both >> 5]:
                return False
        return True

    def take(self, place, need, fit):
        """Take a window as the ``place``-th."""
        bit = 1 << place
        for group in range(bit):
            self.group_need[group + bit] = self.group_need[group] + need
            self.group_fit[group + bit] = self.group_fit[group] | fit

    def dive_once(self):
        """Take the window of one colour that promises most; after four dives drop windows, or be done."""
        colour = self.colour ^ self.dive  # each dive goes through the colours in another order
        row = self.colour
        if row == 0:
            row = OTHERS + colour
        elif row == 1:
            row = ORANGE_GREEN if colour < 2 else RED_BLUE
        else:
            row = colour ^ 1
        row = row * ROW + self.left
        last = self.colour == 3
        top = -1
        taken = 0
        first = colour * WINDOWS
        for place in range(first, first + self.count[colour]):
            need = self.need[place]
            if need <= self.left:
                key = self.key(colour, self.length[place])
                if not last:
                    key += self.limits[row - need]
                if key > top and (not need or self.fits(self.colour, need, self.fit[place])):
                    top = key
                    taken = place
        self.take(self.colour, self.need[taken], self.fit[taken])
        self.left -= self.need[taken]
        self.sum += self.key(colour, self.length[taken])
        self.colour += 1
        if not last:
            return
        if self.sum > self.best:
            self.best = self.sum
        self.colour = 0
        self.sum = 0
        self.left = self.many
        self.dive += 1
        if self.best == self.limits[ALL * ROW + self.many]:
            self.begin_starts()
        elif self.dive == 4:
            self.phase = PRUNE

    def prune(self, colour):
        """Drop the windows of a colour that cannot lead to more than the best found."""
        first = colour * WINDOWS
        kept = first
        row = (OTHERS + colour) * ROW + self.many
        all_sets = 0
        sets = 0
        for place in range(first, first + self.count[colour]):
            need = self.need[place]
            length = self.length[place]
            if self.key(colour, length) + self.limits[row - need] > self.best:
                fit = self.fit[place]
                self.length[kept] = length
                self.need[kept] = need
                self.fit[kept] = fit
                kept += 1
                all_sets |= fit
                many = BITS[fit & 31] + BITS[fit >> 5]
                out = many - need  # so many wilds that fit are not used: 0 to 3
                if out == 1:
                    sets += many
                elif out == 2:
                    sets += many * (many - 1) // 2
                elif out == 3:
                    sets += many * (many - 1) * (many - 2) // 6
                else:
                    sets += 1
        self.count[colour] = kept - first
        self.set_all[colour] = all_sets
        self.set_count[colour] = sets
        if kept == first:
            self.begin_starts()
        else:
            self.next_colour(PAIR)

    # -- the complete search ------------------------------------------------------------------------

    def cost(self, outer, inner):
        """Return about how many passes it takes to join two colours."""
        every = self.set_all[inner]
        return self.set_count[outer] << (BITS[every & 31] + BITS[every >> 5])

    def pair_cost(self, one, two):
        """Return the cost of joining two colours in the better way."""
        cost = self.cost(one, two)
        other = self.cost(two, one)
        return other if other < cost else cost

    def choose_pairs(self):
        """Choose the two pairs of colours that are joined with the least work."""
        top = 0
        least = 0
        for other in range(1, COLOURS):
            one = 2 if other == 1 else 1
            cost = self.pair_cost(0, other) + self.pair_cost(one, 6 - other - one)
            if not top or cost < least:
                top = other
                least = cost
        one = 2 if top == 1 else 1
        self.others = one * 4 + 6 - top - one
        self.shift = 12 - 4 * top
        self.begin_pair(0, top)

    def begin_pair(self, one, two):
        """Begin to join two colours: clear the tables first."""
        if self.cost(two, one) < self.cost(one, two):
            self.outer = two
            self.inner = one
        else:
            self.outer = one
            self.inner = two
        shift = 4 if self.inner < self.outer else 0
        for length in range(NUMBERS + 1):
            points = length + self.bonus if length == NUMBERS else length
            self.worth[length + 1] = points << 8 | length << shift
        self.inner_set = self.useful
        self.phase = CLEAR

    def clear(self):
        """Clear the tables at each set of useful wilds."""
        useful = self.useful
        wilds = self.inner_set
        by_set = self.by_set
        pairs = self.pairs
        first = not self.second
        for _ in range(STEPS):
            by_set[wilds] = 0
            if first:
                pairs[wilds] = 0
            if not wilds:
                self.colour = 0
                self.window = 0
                self.phase = SPREAD
                return
            wilds = (wilds - 1) & useful
        self.inner_set = wilds

    def spread_windows(self):
        """Note a window of one of the two colours at each set of wilds that makes it."""
        colour = self.outer if self.colour else self.inner
        place = colour * WINDOWS + self.window
        need = self.need[place]
        fit = self.fit[place]
        out = BITS[fit & 31] + BITS[fit >> 5] - need if need else 0
        self.spread((self.length[place] + 1) << 4 * self.colour, fit, fit, out)
        self.window += 1
        if self.window == self.count[colour]:
            self.window = 0
            self.colour += 1
            if self.colour == 2:
                self.outer_set = self.set_all[self.outer]
                self.phase = MEET
                if self.second:
                    self.join(TOP, ALL, self.inner)
                    self.fill_reach()
                    self.phase = FINISH

    def spread(self, value, fit, among, out):
        """Note a value at the set ``fit`` with each choice of ``out`` wilds of ``among`` left out."""
        if out > 1:
            while among:
                bit = among & -among
                among ^= bit
                self.spread(value, fit ^ bit, among, out - 1)
            return
        by_set = self.by_set
        keep = 15 if value > 15 else 0  # the inner colour's lengths are noted first
        if not out:
            if value > by_set[fit]:
                by_set[fit] = value | by_set[fit] & keep
            return
        while among:
            wilds = fit ^ (among & -among)
            if value > by_set[wilds]:
                by_set[wilds] = value | by_set[wilds] & keep
            among &= among - 1

    def meet(self):
        """Join the first pair: note at each set of wilds the best that the two colours make of it."""
        by_set = self.by_set
        pairs = self.pairs
        worth = self.worth
        every = self.set_all[self.outer]
        shift = 4 if self.outer < self.inner else 0
        outer = self.outer_set
        left = STEPS
        while left > 0:
            length = (by_set[outer] >> 4) - 1
            if length < 0:
                left -= 1
            else:
                free = self.set_all[self.inner] & ~outer
                left -= 8 + (1 << (BITS[free & 31] + BITS[free >> 5]))
                points = length + self.bonus if length == NUMBERS else length
                base = THERE + (points << 8) + (length << shift)
                inner = free
                while True:
                    length = by_set[inner] & 15
                    if length:
                        value = base + worth[length]
                        wilds = outer | inner
                        if value > pairs[wilds]:
                            pairs[wilds] = value
                    if not inner:
                        break
                    inner = (inner - 1) & free
            if not outer:
                self.colour = 1
                self.phase = CLOSE
                return
            outer = (outer - 1) & every
        self.outer_set = outer

    def close(self):
        """Let each set have what a part of it makes: wild by wild (``colour`` is its bit)."""
        bit = self.colour
        while not self.useful & bit and bit < SETS:
            bit <<= 1
        if bit < SETS:
            pairs = self.pairs
            free = self.useful & ~bit
            wilds = free
            while True:
                value = pairs[wilds]
                if value > pairs[wilds | bit]:
                    pairs[wilds | bit] = value
                if not wilds:
                    break
                wilds = (wilds - 1) & free
            self.colour = bit << 1
            return
        for used in range(ALL * ROW, TOP * ROW):
            self.limits[used] = -1
        self.inner_set = self.useful
        self.phase = REST

    def rest(self):
        """Fill in the best of the first pair by the number of wilds, then begin with the second pair."""
        limits = self.limits
        pairs = self.pairs
        useful = self.useful
        wilds = self.inner_set
        bits = BITS
        for _ in range(STEPS):
            value = pairs[wilds]
            used = ALL * ROW + bits[wilds & 31] + bits[wilds >> 5]
            if value > limits[used]:
                limits[used] = value
            if not wilds:
                break
            wilds = (wilds - 1) & useful
        else:
            self.inner_set = wilds
            return
        for used in range(ALL * ROW, ALL * ROW + self.many + 1):
            value = limits[used]
            if value > 0:
                limits[used] = self.pair_key(value)
            else:
                limits[used] = -1
        self.second = True
        self.begin_pair(self.others >> 2, self.others & 3)

    def pair_key(self, value):
        """Return an entry of ``pairs`` as a key."""
        points = (value >> 8) - (THERE >> 8)
        return points << 16 | (value >> 4 & 15) << 12 | (value & 15) << self.shift

    def finish(self):
        """Join the second pair, and with each choice of wilds what the first makes of the rest."""
        by_set = self.by_set
        pairs = self.pairs
        least = self.least
        reach = self.reach
        bits = BITS
        every = self.set_all[self.outer]
        outer = self.outer_set
        left = STEPS
        while left > 0:
            length = by_set[outer] >> 4
            left -= 2
            if length and reach[length] > bits[outer & 31] + bits[outer >> 5]:
                if not self.least_there >> length & 1:
                    self.fill_least(length)
                rest = self.useful & ~outer
                free = rest & self.set_all[self.inner]
                left -= 4 + (1 << (bits[free & 31] + bits[free >> 5]))
                row = length * LEAST_ROW
                inner = free
                while True:
                    other = by_set[inner] & 15
                    if other and pairs[rest ^ inner] >= least[row + other]:
                        self.take_four(length, other, pairs[rest ^ inner])
                        left -= 150
                    if not inner:
                        break
                    inner = (inner - 1) & free
            if not outer:
                self.begin_starts()
                return
            outer = (outer - 1) & every
        self.outer_set = outer

    def fill_reach(self):
        """Find how many wilds the outer colour may use, by its length, where more than the best is still possible."""
        self.least_there = 0
        for length in range(NUMBERS + 1):
            key = self.best - self.key(self.outer, length)
            used = self.many
            while used >= 0 and self.limits[TOP * ROW + self.many - used] <= key:
                used -= 1
            self.reach[length + 1] = used + 1

    def fill_least(self, length):
        """Find what the first pair has to have for more than the best, beside two lengths (+ 1) of the second."""
        self.least_there |= 1 << length
        best = self.best - self.key(self.outer, length - 1)
        for other in range(NUMBERS + 1):
            key = best - self.key(self.inner, other)
            low = (key & 0xFFF) >> self.shift  # red is of the first pair, so the higher digit is at 12
            if low > 15:
                low = 15
            self.least[length * LEAST_ROW + other + 1] = THERE + (key >> 12 << 4) + low + 1

    def take_four(self, length, other, value):
        """Take two lengths (+ 1) of the second pair with an entry of ``pairs`` as the best."""
        self.best = self.key(self.outer, length - 1) + self.key(self.inner, other - 1) + self.pair_key(value)
        self.fill_reach()
        self.fill_least(length)

    # -- the lowest starts ------------------------------------------------------------------------

    def begin_starts(self):
        """The lengths are known: begin to look for the lowest starts."""
        for colour in range(COLOURS):
            length = self.best >> (12 - 4 * colour) & 15
            least = NUMBERS
            for low in range(NUMBERS - length + 1):
                need = self.missing(colour, low, length)
                need = BITS[need & 31] + BITS[need >> 5]
                if need < least:
                    least = need
            least -= self.hashes[colour]
            self.need[colour] = least if least > 0 else 0  # the windows are not needed any more
        self.left = BITS[self.wilds & 31] + BITS[self.wilds >> 5]
        for colour in range(COLOURS):
            self.left -= self.need[colour]
        self.colour = 0
        self.low[0] = 0
        self.phase = STARTS

    def missing(self, colour, low, length):
        """Return the set of numbers that a run of a colour lacks."""
        return ((1 << length) - 1) << low & ~self.cards[colour]

    def starts(self):
        """Try some starts, red's the slowest to change, so that the first choice that can stand is the one.

        ``left`` is how many wilds are left when each colour has the least it needs, ``spent`` what the
        colours before took more.
        """
        colour = self.colour
        for _ in range(STEPS // 8):
            length = self.best >> (12 - 4 * colour) & 15
            low = self.low[colour]
            if low > (NUMBERS - length if length else 0):
                colour -= 1
                while not self.group_need[1 << colour]:  # no start is easier than one that needs nothing
                    colour -= 1
                self.low[colour] += 1
                continue
            fit = self.missing(colour, low, length)
            need = BITS[fit & 31] + BITS[fit >> 5] - self.hashes[colour]
            if need <= 0:
                need = 0
                fit = 0
            else:
                fit = self.wilds & (fit | FULL)
            more = self.spent[colour] + need - self.need[colour]
            if more > self.left or (need and not self.fits(colour, need, fit)):
                self.low[colour] += 1
                continue
            self.take(colour, need, fit)
            colour += 1
            if colour == COLOURS:
                self.give_result()
                return
            self.low[colour] = 0
            self.spent[colour] = more
        self.colour = colour

    def give_result(self):
        """Fill in points and runs."""
        self.points = self.best >> 16
        for colour in range(COLOURS):
            length = self.best >> (12 - 4 * colour) & 15
            low = self.low[colour]
            self.runs[colour] = (low + 1) << 4 | (low + length) if length else 0
        self.phase = READY


# -- the game -------------------------------------------------------------------------------------

_COLOUR_LABELS = ("1", "2", "3", "4", "5", "6", "7", "8", "9", "#", "#")
_COLOUR_COPIES = (3, 3, 3, 3, 3, 3, 1, 1, 1, 1, 1)  # RULES.md 4.1.2
_WILD_COPIES = (1, 1, 1, 1, 1, 1, 1, 1, 1, 1)
_WILD_LABELS = ("1", "2", "3", "4", "5", "6", "7", "8", "9", "#")
_COLOUR_IDS = ("red", "blue", "orange", "green")
_MANY = ("ten.many.red", "ten.many.blue", "ten.many.orange", "ten.many.green", "ten.many.wild")
_MANY_HASHES = ("ten.hash.red", "ten.hash.blue", "ten.hash.orange", "ten.hash.green", "ten.hash.wild")


class Game(Rules):
    """A game of Ten."""

    GAME = "ten"
    WORDS = COMMON_WORDS + ("end", "wild", "last", "done")
    QUESTIONS = ("turn", "auction", "buy", "red", "blue", "orange", "green", "wilds", "tokens", "held")
    LABELS = (
        None,
        None,
        None,
        _COLOUR_LABELS,
        _COLOUR_LABELS,
        _COLOUR_LABELS,
        _COLOUR_LABELS,
        _WILD_LABELS,
        None,
        None,
    )
    COPIES = (None, None, None) + (_COLOUR_COPIES,) * 4 + (_WILD_COPIES, None, None)
    PRESSES = 45
    ROWS = (None, None, None, "R", "B", "O", "G", "W", None, None)
    SEAT_WORDS = ("P1", "P2", "P3", "P4", "P5")
    MIN_SEATS = 1
    MAX_SEATS = 5
    SIDES = 0
    ASK_DECIDES = True  # a tie
    DEALS = False
    OPTIONS = (
        Option("bonus", 1, None, 0, 9, True),
        Option("follow", "on", ("on", "off"), first=True),
    )
    COLUMNS = (
        Column("player", CELL_SEAT),
        Column("red", CELL_RUN),
        Column("blue", CELL_RUN),
        Column("orange", CELL_RUN),
        Column("green", CELL_RUN),
        Column("points", CELL_NUMBER),
    )
    BRIEF = (0, 1, 2, 3, 4, 5)

    EN = {
        "seat.P1": "Player 1",
        "seat.P2": "Player 2",
        "seat.P3": "Player 3",
        "seat.P4": "Player 4",
        "seat.P5": "Player 5",
        "q.turn": "{seat} draws",
        "q.auction": "{seat} bids",
        "q.buy": "{seat} may buy",
        "q.red": "Red of {seat}",
        "q.blue": "Blue of {seat}",
        "q.orange": "Orange of {seat}",
        "q.green": "Green of {seat}",
        "q.wilds": "Wilds of {seat}",
        "q.tokens": "Black tokens: {seat}",
        "q.held": "Cards held: {seat}",
        "w.end": "turn over",
        "w.wild": "wild: auction",
        "w.last": "last card",
        "w.done": "done",
        "n.turn": "Turn of {seat}",
        "n.auction": "Bid of {seat}",
        "n.buy": "Buy of {seat}",
        "n.red": "Red of {seat}",
        "n.blue": "Blue of {seat}",
        "n.orange": "Orange of {seat}",
        "n.green": "Green of {seat}",
        "n.wilds": "Wilds of {seat}",
        "n.tokens": "Tokens of {seat}",
        "n.held": "Cards of {seat}",
        "c.player": "player",
        "c.red": "red",
        "c.blue": "blue",
        "c.orange": "orange",
        "c.green": "green",
        "c.points": "points",
        "h.player": "",
        "h.red": "R",
        "h.blue": "B",
        "h.orange": "O",
        "h.green": "G",
        "h.points": "all",
        "o.bonus": "Bonus for 1-9",
        "o.follow": "Turns and bids",
        "v.follow.on": "followed",
        "v.follow.off": "hands only",
        "ten.bust": "11 or more: bust",
        "ten.next": "Then {seat} draws",
        "ten.first": "{seat} bids first",
        "ten.buys": "Then {seat} buys first",
        "ten.again": "Then {seat} goes on",
        "ten.no_bid": "No bid yet",
        "ten.high": "{seat} bid {n}",
        "ten.takes": "{seat} has the wild",
        "ten.speaks_last": "{seat} bids last",
        "ten.deck": "Deck empty: extra buys",
        "ten.one": "At most one card",
        "ten.buys_last": "{seat} buys last",
        "ten.hands": "Then the hands",
        "ten.cards": "Mark the cards held",
        "ten.wilds": "1-9, # = the full wild",
        "ten.tied": "Level at {n} points",
        "ten.no_bust": "Without bust tokens",
        "ten.level": "Level with {n} tokens",
        "ten.all_cards": "Number cards and wilds",
        "ten.points": "{seat}: {n}",
        "ten.marked": "{n} kinds marked",
        "ten.many.red": "Too many red {n}",
        "ten.many.blue": "Too many blue {n}",
        "ten.many.orange": "Too many orange {n}",
        "ten.many.green": "Too many green {n}",
        "ten.many.wild": "Wild {n} claimed twice",
        "ten.hash.red": "Too many red #",
        "ten.hash.blue": "Too many blue #",
        "ten.hash.orange": "Too many orange #",
        "ten.hash.green": "Too many green #",
        "ten.hash.wild": "Full # claimed twice",
    }

    def __init__(self, options, seats=4):
        Rules.__init__(self, options, seats)
        self.follow = self.option("follow") == 0
        self.reckoner = Best(self.option("bonus"))
        self.hands = array("H", bytes(2 * MASKS * self.MAX_SEATS))
        self.tokens = bytearray(self.MAX_SEATS)
        self.held = bytearray(self.MAX_SEATS)
        # What was reckoned stays when the match is played again: by player, for the hand in `known`.
        self.known = array("H", bytes(2 * MASKS * self.MAX_SEATS))
        self.known_seats = 0
        self.points = bytearray(self.MAX_SEATS)
        self.runs = bytearray(COLOURS * self.MAX_SEATS)
        self.busy = -1  # the seat whose hand is being reckoned
        self.wanted = 0  # seats whose hands are to be reckoned
        self.reset()

    def reset(self):
        self.step = TURN
        self.seat = self.first_dealer  # who is asked
        self.drawer = self.first_dealer  # the player in turn
        self.high = 0  # the highest bid of the auction
        self.high_seat = -1
        self.entered = 0  # hands that are complete, in order from the starting player
        self.tied = 0  # seats still tied for first
        self.last_seat = -1  # whose mask was answered last, and
        self.last_ask = 0  # which
        self.wanted = 0
        if not self.follow or self.seats == 1:
            self.step = RED

    def after(self, seat):
        """Return the next player to the left (RULES.md 4.2)."""
        seat += 1
        return 0 if seat == self.seats else seat

    def ask(self, question):
        step = self.step
        if step == TIE and not self.over and self.want_all():
            self.break_tie()
            step = self.step
        if self.over:
            question.over()
        elif step == TURN:
            question.set(CHOICE, TURN, self.seat, 1, 0, OWN_BIT * 7, END)
        elif step == AUCTION:
            question.set(NUMBER, AUCTION, self.seat, self.high + 1, MOST_BID, PASS_BIT, PASS)
        elif step == BUY:
            question.set(CHOICE, BUY, self.seat, 1, 0, OWN_BIT << 3, DONE)
        elif step < WILDS:
            question.set(MASK, step, self.seat, 0, NUMBER_BITS | ALL_HASHES, 0, 0)
        elif step == WILDS:
            question.set(MASK, WILDS, self.seat, 0, NUMBER_BITS | FULL, 0, 0)
        elif step == TOKENS:
            question.set(NUMBER, TOKENS, self.seat, 0, MOST_TOKENS, 0, 0)
        elif step == HELD:
            question.set(NUMBER, HELD, self.seat, 0, MOST_HELD, 0, self.kinds(self.seat))
        else:
            question.wait()

    def answer(self, answer):
        self.closed = False
        self.last_seat = -1
        step = self.step
        if step == TURN:
            self.take_turn(answer)
        elif step == AUCTION:
            self.take_bid(answer)
        elif step == BUY:
            if self.seat == self.drawer:
                self.step = RED
                self.seat = self.first_dealer
            else:
                self.seat = self.after(self.seat)
        elif step <= WILDS:
            self.take_mask(answer)
        else:
            (self.tokens if step == TOKENS else self.held)[self.seat] = answer
            self.next_tied(self.after(self.seat))

    def take_turn(self, answer):
        """Take what a turn came to: over, a wild's auction, or the deck's last card (RULES.md 4.6-4.8)."""
        left = self.after(self.drawer)
        self.seat = left
        self.high_seat = -1
        if answer == END:
            self.drawer = left
        elif answer == WILD:
            self.step = AUCTION
            self.high = 0
        else:
            self.step = BUY

    def take_bid(self, answer):
        """Take a call: one each, the player in turn last, who then goes on (RULES.md 4.6)."""
        if answer != PASS:
            self.high = answer
            self.high_seat = self.seat
        if self.seat == self.drawer or self.high == MOST_BID:
            self.step = TURN
            self.seat = self.drawer
        else:
            self.seat = self.after(self.seat)

    def take_mask(self, answer):
        """Take a colour or the wilds of a hand; after the last hand the deal is closed (RULES.md 4.9)."""
        seat = self.seat
        step = self.step
        self.hands[seat * MASKS + step - RED] = answer
        self.last_seat = seat
        self.last_ask = step
        if step < WILDS:
            self.step += 1
            return
        self.entered += 1
        self.step = RED
        self.seat = self.after(seat)
        if self.entered == self.seats:
            self.close_deal(-1, self.first_dealer)
            self.step = TIE
            self.over = self.seats == 1

    def break_tie(self):
        """With all points known: the winner, or who is asked for tokens (RULES.md 4.9)."""
        top = 0
        for seat in range(self.seats):
            if self.points[seat] > top:
                top = self.points[seat]
        self.tied = 0
        for seat in range(self.seats):
            if self.points[seat] == top:
                self.tied |= 1 << seat
        self.step = TOKENS
        self.begin_tie()

    def begin_tie(self):
        """Ask those tied, in order from the starting player, or end the match when one is left."""
        if not self.tied & (self.tied - 1):
            self.winners = self.tied
            self.over = True
        elif self.tied >> self.first_dealer & 1:
            self.seat = self.first_dealer
        else:
            self.next_tied(self.after(self.first_dealer))

    def next_tied(self, seat):
        """Ask the next one tied from a seat on; after the last compare what they answered."""
        while seat != self.first_dealer:
            if self.tied >> seat & 1:
                self.seat = seat
                return
            seat = self.after(seat)
        most = self.step == TOKENS
        values = self.tokens if most else self.held
        best = -1
        for seat in range(self.seats):
            if self.tied >> seat & 1 and (best < 0 or (values[seat] > best if most else values[seat] < best)):
                best = values[seat]
        for seat in range(self.seats):
            if self.tied >> seat & 1 and values[seat] != best:
                self.tied ^= 1 << seat
        if most:
            self.step = HELD
            self.begin_tie()
        else:  # still level: shared
            self.winners = self.tied
            self.over = True

    # -- reckoning hands ----------------------------------------------------------------------

    def is_in(self, seat):
        """Tell whether a player's hand is complete."""
        place = seat - self.first_dealer
        return (place + self.seats if place < 0 else place) < self.entered

    def is_known(self, seat):
        """Tell whether a player's hand is reckoned."""
        if not self.known_seats >> seat & 1:
            return False
        for place in range(seat * MASKS, seat * MASKS + MASKS):
            if self.known[place] != self.hands[place]:
                return False
        return True

    def want(self, seat):
        if not self.is_in(seat) or self.is_known(seat):
            return True
        self.wanted |= 1 << seat
        return False

    def want_all(self):
        """Want all hands; True when they are reckoned."""
        there = True
        for seat in range(self.seats):
            if not self.want(seat):
                there = False
        return there

    def work(self):
        seat = self.busy
        if seat >= 0 and self.wanted >> seat & 1 and self.reckoner.same(self.hands, seat * MASKS):
            if self.reckoner.work():
                self.keep(seat)
            return not self.wanted
        self.busy = -1
        for seat in range(self.seats):
            if self.wanted >> seat & 1:
                if self.is_in(seat) and not self.is_known(seat):
                    self.busy = seat
                    self.reckoner.begin(self.hands, seat * MASKS)
                    return False
                self.wanted ^= 1 << seat
        return True

    def keep(self, seat):
        """Keep what was reckoned for a player's hand."""
        for place in range(seat * MASKS, seat * MASKS + MASKS):
            self.known[place] = self.hands[place]
        for colour in range(COLOURS):
            self.runs[seat * COLOURS + colour] = self.reckoner.runs[colour]
        self.points[seat] = self.reckoner.points
        self.known_seats |= 1 << seat
        self.wanted &= ~(1 << seat)
        self.busy = -1

    def reckon(self, seat):
        """Tell whether a complete hand is reckoned; where nobody works in slices, do it now."""
        if self.is_known(seat):
            return True
        if self.sliced:
            return False
        self.finish(seat)
        return True

    def finish(self, seat):
        """Reckon a complete hand now, however long it takes."""
        if not self.is_known(seat):
            self.reckoner.begin(self.hands, seat * MASKS)
            while not self.reckoner.work():
                pass
            self.keep(seat)

    # -- what a screen shows --------------------------------------------------------------------

    def figure(self, seat):
        if not self.is_in(seat):
            return 0
        return self.points[seat] if self.reckon(seat) else -1

    def kinds(self, seat):
        """Return how many different cards of a hand were marked: nobody holds fewer."""
        count = 0
        for place in range(seat * MASKS, seat * MASKS + MASKS):
            mask = self.hands[place]
            count += BITS[mask & 31] + BITS[mask >> 5 & 31] + (mask >> 10)
        return count

    def hint(self, place, say):
        step = self.step
        if self.over or place > 2:
            return False
        if step == TURN:
            if place == 0 and self.high_seat >= 0:
                return say.put("ten.takes", self.high_seat)
            return place < 2 and say.put("ten.bust" if place == 0 else "ten.next", self.after(self.drawer))
        if step == AUCTION:
            if place == 0:
                if self.high:
                    return say.put("ten.high", self.high_seat, n=self.high)
                return say.put("ten.no_bid")
            return place == 1 and say.put("ten.speaks_last", self.drawer)
        if step == BUY:
            if place == 0:
                return say.put("ten.deck")
            return say.put("ten.one") if place == 1 else say.put("ten.buys_last", self.drawer)
        if step <= WILDS:
            return place == 0 and say.put("ten.wilds" if step == WILDS else "ten.cards")
        return self.hint_tie(place, say)

    def hint_tie(self, place, say):
        """Say a line while a tie is broken (RULES.md 4.9)."""
        if self.step == TOKENS:
            if place == 0:
                return say.put("ten.tied", n=self.points[self.seat])
            return place == 1 and say.put("ten.no_bust")
        if self.step == HELD:
            if place == 0:
                return say.put("ten.level", n=self.tokens[self.seat])
            return place == 1 and say.put("ten.all_cards")
        return False

    def result(self, place, say):
        if place >= self.seats or not self.reckon(place):
            return False
        return say.put("ten.points", place, n=self.points[place])

    def detail(self, answer, say):
        step = self.step
        if self.over:
            return False
        if step == TURN:
            left = self.after(self.drawer)
            if answer == END:
                return say.put("ten.next", left)
            return say.put("ten.first" if answer == WILD else "ten.buys", left)
        if step == AUCTION and self.seat == self.drawer:
            return say.put("ten.again", self.drawer)
        if step == BUY and self.seat == self.drawer:
            return say.put("ten.hands")
        if RED <= step <= WILDS:
            return say.put("ten.marked", n=BITS[answer & 31] + BITS[answer >> 5 & 31] + (answer >> 10 & 1))
        return False

    def warning(self, say):
        """Say that players claim more of a card than there are (RULES.md 4.1.2)."""
        if self.last_seat < 0:
            return False
        colour = self.last_ask - RED
        mask = self.hands[self.last_seat * MASKS + colour]
        hashes = 0
        for number in range(NUMBERS + 1):
            claims = 0
            for seat in range(self.seats):
                if seat == self.last_seat or self.is_in(seat):
                    other = self.hands[seat * MASKS + colour]
                    if number == NUMBERS:
                        hashes += BITS[other >> NUMBERS]
                    else:
                        claims += other >> number & 1
            there = 3 if colour < COLOURS and number < 6 else 1
            if number < NUMBERS and mask >> number & 1 and claims > there:
                return say.put(_MANY[colour], self.last_seat, n=number + 1)
        if mask >> NUMBERS and hashes > (2 if colour < COLOURS else 1):
            return say.put(_MANY_HASHES[colour], self.last_seat)
        return False

    def rows(self):
        return self.seats

    def cell(self, row, column):
        if column == 0:
            return row
        if not self.reckon(row):
            return NO_CELL
        if column == 5:
            return self.points[row]
        run = self.runs[row * COLOURS + column - 1]
        return run if run else NO_CELL

    # -- JSON of LOG.md -------------------------------------------------------------------------

    def score(self):
        score = {}
        for seat in range(self.seats):
            if self.is_in(seat):
                self.finish(seat)
            score[self.SEAT_WORDS[seat]] = self.points[seat] if self.is_in(seat) else 0
        return score

    def report(self):
        points = {}
        runs = {}
        for seat in range(self.seats):
            self.finish(seat)
            name = self.SEAT_WORDS[seat]
            points[name] = self.points[seat]
            runs[name] = {}
            for colour in range(COLOURS):
                run = self.runs[seat * COLOURS + colour]
                runs[name][_COLOUR_IDS[colour]] = [run >> 4, run & 15] if run else None
        return {"points": points, "runs": runs}
