"""The kernels of the tree search: counting parts, bounds, a table of what is known, the search.

`wordgames.wordle.tree_search` tells the method. Kernels take arrays, and write into arrays that
they are given.
"""

import numpy as np

from wordgames._compiled import compiled
from wordgames.wordle.proofs import LEVELS

NEVER = 1 << 28  # the total of a set that no tree solves within the limit
LANES = 256  # guesses that one pass of the counting kernel takes together
PAIRWISE = 40  # up to so many candidates are compared in pairs, more by marking patterns
FEW = 128  # guesses that one pass of the quick counting kernel takes together
QUICK = 16  # candidates from which on a part is worth the quick count
MANY_SCANS = 64  # scans of parts of one set from which on the quick count is worth preparing
MASKS = 1 << 19  # guesses with letters left out that are kept apart, at most
PROBES = 8  # slots of the table that one key may take
PATIENCE = 50  # how many times its width a beam tries where no tree keeps to the limit

# In the table, beside a value: a guess (the value is exact), or what kind of bound it is.
_UNSCANNED, _SCANNED = -1, -2

# What the search does next.
_ENTER, _NEXT_GUESS, _NEXT_PART, _RETURN = range(4)


@compiled
def _key(candidates, candidate_keys, left, a, b):
    for candidate in candidates:
        a ^= candidate_keys[candidate, 0]
        b ^= candidate_keys[candidate, 1]
    return a + np.uint64(left) * np.uint64(0x9E3779B97F4A7C15), b


@compiled
def _recall(a, b, table_keys, table):
    """Value and guess kept under a key; (0, _UNSCANNED) when there is none."""
    mask = np.uint64(table.shape[0] - 1)
    for step in range(PROBES):
        slot = (a + np.uint64(step)) & mask
        if table[slot, 0] == 0:
            break
        if table_keys[slot, 0] == a and table_keys[slot, 1] == b:
            return np.int64(table[slot, 0]), np.int64(table[slot, 1])
    return np.int64(0), np.int64(_UNSCANNED)


@compiled
def _remember(a, b, value, guess, table_keys, table):
    """Keep a value; when all slots of the key are taken, the first is given up."""
    mask = np.uint64(table.shape[0] - 1)
    place = a & mask
    for step in range(PROBES):
        slot = (a + np.uint64(step)) & mask
        if table[slot, 0] == 0 or (table_keys[slot, 0] == a and table_keys[slot, 1] == b):
            place = slot
            break
    table_keys[place, 0], table_keys[place, 1] = a, b
    table[place, 0], table[place, 1] = value, guess


@compiled
def _separating_member(candidates, patterns, guess_of):
    """The first candidate that gives each candidate a pattern of its own, as a guess; or -1."""
    for candidate in candidates:
        guess = guess_of[candidate]
        apart = True
        for i in range(1, candidates.size):
            pattern = patterns[candidates[i], guess]
            for j in range(i):
                if patterns[candidates[j], guess] == pattern:
                    apart = False
                    break
            if not apart:
                break
        if apart:
            return np.int64(guess)
    return np.int64(-1)


@compiled
def _count_parts(candidates, guesses, patterns, n_patterns, need, counts, tops):  # noqa: C901 - a kernel
    """Count the parts into which each guess splits the candidates.

    Fills `counts` (by place in `guesses`) and `tops` (the largest count of each block of LANES).
    Guesses that make fewer than `need` parts may be counted as 0. Stops at a guess that gives
    each candidate its own part. Returns the largest count and that guess, or -1.
    """
    n, n_guesses = candidates.size, guesses.size
    all_guesses = n_guesses == patterns.shape[1]
    pairwise = n <= PAIRWISE
    rows = np.empty((n if pairwise else 1, LANES), patterns.dtype)
    repeated = np.empty(LANES, np.uint8)
    found = np.empty(LANES, np.uint8)
    seen = np.empty((1 if pairwise else LANES, n_patterns), np.uint8)
    most = np.int64(0)
    for block in range((n_guesses + LANES - 1) // LANES):
        start = block * LANES
        width = min(LANES, n_guesses - start)
        counts[start : start + width] = 0
        if pairwise:
            for i in range(n):
                row = patterns[candidates[i]]
                if all_guesses:
                    rows[i, :width] = row[start : start + width]
                else:
                    for lane in range(width):
                        rows[i, lane] = row[guesses[start + lane]]
            found[:] = 1
            enough = True
            for i in range(1, n):
                row = rows[i]
                repeated[:] = 0
                for j in range(i):
                    other = rows[j]
                    for lane in range(LANES):
                        repeated[lane] |= np.uint8(row[lane] == other[lane])
                for lane in range(LANES):
                    found[lane] += np.uint8(1) - repeated[lane]
                if i & 7 == 7:
                    top = np.uint8(0)
                    for lane in range(LANES):
                        top = max(top, found[lane])
                    if top + n - 1 - i < need:
                        enough = False
                        break
            if enough:
                for lane in range(width):
                    counts[start + lane] = found[lane]
        else:
            seen[:] = 0
            for candidate in candidates:
                row = patterns[candidate]
                if all_guesses:
                    for lane in range(width):
                        seen[lane, row[start + lane]] = 1
                else:
                    for lane in range(width):
                        seen[lane, row[guesses[start + lane]]] = 1
            for lane in range(width):
                line = seen[lane]
                parts = np.uint16(0)
                for pattern in range(n_patterns):
                    parts += line[pattern]
                counts[start + lane] = parts
        top = np.int64(0)
        for lane in range(width):
            top = max(top, np.int64(counts[start + lane]))
        tops[block] = top
        most = max(most, top)
        if most == n:
            for lane in range(width):
                if counts[start + lane] == n:
                    return most, np.int64(guesses[start + lane])
    return most, np.int64(-1)


@compiled
def _scan(candidates, guesses, patterns, n_patterns, guess_of, counts, tops):
    """The bound of the best guess at a set that no member separates, and a guess or _SCANNED.

    Exact, with its guess, when a guess separates the set.
    """
    n = candidates.size
    most, guess = _count_parts(candidates, guesses, patterns, n_patterns, 0, counts, tops)
    if most == n:
        return 2 * n, guess
    for candidate in candidates:
        most = max(most, np.int64(counts[guess_of[candidate]]) + 1)
    return max(2 * n, 3 * n - most), np.int64(_SCANNED)


@compiled
def _undominated(here, counts, guess_of, letters, out):  # noqa: C901 - a kernel
    """Guesses that no other beats at any part of a set, by falling counts; returns how many.

    Of a guess only the letters that occur in the set matter, each at its place. If another guess
    has all of these and more, it splits every part of the set at least as far. Returns 0 when the
    words are too long or their letters too many for the bookkeeping.
    """
    n_guesses, length = letters.shape
    if n_guesses << length > MASKS:
        return 0
    used = np.zeros(64, np.uint32)
    n_used = 0
    for candidate in here:
        for letter in letters[guess_of[candidate]]:
            for i in range(n_used):
                if used[i] == letter:
                    break
            else:
                if n_used == 63:
                    return 0
                used[n_used] = letter
                n_used += 1
    # A guess without some of its letters is a number, six bits a place; they lie in a hash table.
    masks, beaten = np.zeros(2 * MASKS, np.uint64), np.zeros(2 * MASKS, np.bool_)
    place = np.full(n_guesses, -1)
    fields = np.empty(length, np.uint64)
    for guess in range(n_guesses):
        k = 0
        whole = np.uint64(0)
        for i in range(length):
            for j in range(n_used):
                if used[j] == letters[guess, i]:
                    fields[k] = np.uint64(j + 1) << np.uint64(6 * i)
                    whole += fields[k]
                    k += 1
                    break
        for left_out in range((1 << k) - 1):
            mask = whole
            for i in range(k):
                if (left_out >> i) & 1:
                    mask -= fields[i]
            slot = (mask * np.uint64(0x9E3779B97F4A7C15)) >> np.uint64(40)
            slot &= np.uint64(2 * MASKS - 1)
            while masks[slot] and masks[slot] != mask:
                slot = (slot + np.uint64(1)) & np.uint64(2 * MASKS - 1)
            if left_out:
                beaten[slot] = True
            elif masks[slot]:
                break  # another guess is as good, or better
            else:
                place[guess] = slot
            masks[slot] = mask
    most = 0
    for guess in range(n_guesses):
        if place[guess] >= 0 and not beaten[place[guess]]:
            most = max(most, np.int64(counts[guess]))
    start = np.zeros(most + 2, np.int64)
    for guess in range(n_guesses):
        if place[guess] >= 0 and not beaten[place[guess]]:
            start[most - counts[guess] + 1] += 1
    n = 0
    for i in range(most + 1):
        n = start[i + 1] = start[i + 1] + n
    for guess in range(n_guesses):
        if place[guess] >= 0 and not beaten[place[guess]]:
            out[start[most - counts[guess]]] = guess
            start[most - counts[guess]] += 1
    return n


@compiled
def _number_parts(here, guesses, patterns, n_patterns, numbers, row_of):
    """Number the parts of a set under each guess, from 0: one row a candidate, one column a guess.

    `row_of` says which row a candidate has. Columns are filled up to a multiple of FEW.
    """
    number = np.empty((FEW, n_patterns), np.int16)
    n_parts = np.empty(FEW, np.int16)
    for start in range(0, guesses.size, FEW):
        width = min(FEW, guesses.size - start)
        number[:] = -1
        n_parts[:] = 0
        for i in range(here.size):
            row_of[here[i]] = i
            row = patterns[here[i]]
            for lane in range(width):
                pattern = row[guesses[start + lane]]
                if number[lane, pattern] < 0:
                    number[lane, pattern] = n_parts[lane]
                    n_parts[lane] += 1
                numbers[i, start + lane] = number[lane, pattern]
            numbers[i, start + width : start + FEW] = 0


@compiled
def _bits(x):
    """How many bits of each 64 are set."""
    x = x - ((x >> np.uint64(1)) & np.uint64(0x5555555555555555))
    x = (x & np.uint64(0x3333333333333333)) + ((x >> np.uint64(2)) & np.uint64(0x3333333333333333))
    x = (x + (x >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return np.int64((x * np.uint64(0x0101010101010101)) >> np.uint64(56))


@compiled
def _most_of_members(candidates, patterns, n_patterns, guess_of):
    """One more than the most parts that a candidate, as a guess, makes of the candidates."""
    most = np.int64(0)
    seen = np.zeros(n_patterns, np.int32)
    for i in range(candidates.size):
        guess = guess_of[candidates[i]]
        parts = 1
        for other in candidates:
            pattern = patterns[other, guess]
            if seen[pattern] != i + 1:
                seen[pattern] = i + 1
                parts += 1
        most = max(most, parts)
    return most


@compiled
def _most_parts(  # noqa: C901 - a kernel
    candidates, guesses, counts, patterns, n_patterns, guess_of, numbers, row_of
):
    """The most parts that a guess makes of a set; one more for a guess that is a candidate.

    The set is part of one for which the last five arguments were made: `guesses` by
    `_undominated`, in the order of falling `counts`, `numbers` and `row_of` by `_number_parts`.
    A part that occurs is a bit; 64 of them are counted at a time.
    """
    n = candidates.size
    most = _most_of_members(candidates, patterns, n_patterns, guess_of)
    one, word = np.uint64(1), np.uint64(64)
    bits, parts = np.empty(FEW, np.uint64), np.empty(FEW, np.int64)
    rows = np.empty(n + 3, np.int64)
    for i in range(n):
        rows[i] = row_of[candidates[i]]
    rows[n:] = rows[0]
    for start in range(0, guesses.size, FEW):
        top = np.int64(counts[guesses[start]])
        if top <= most:
            break  # and so have all that follow
        parts[:] = 0
        if top <= 64:
            bits[:] = 0
            for i in range(0, n, 4):
                a = numbers[rows[i], start : start + FEW]
                b = numbers[rows[i + 1], start : start + FEW]
                c = numbers[rows[i + 2], start : start + FEW]
                d = numbers[rows[i + 3], start : start + FEW]
                for lane in range(FEW):
                    bits[lane] |= (
                        (one << np.uint64(a[lane]))
                        | (one << np.uint64(b[lane]))
                        | (one << np.uint64(c[lane]))
                        | (one << np.uint64(d[lane]))
                    )
            for lane in range(FEW):
                parts[lane] = _bits(bits[lane])
        else:
            for first in range(0, top, 64):
                bits[:] = 0
                for i in range(n):
                    row = numbers[rows[i], start : start + FEW]
                    for lane in range(FEW):
                        number = np.uint64(row[lane]) - np.uint64(first)
                        bit = one << (number & (word - one))
                        bits[lane] |= bit if number < word else np.uint64(0)
                for lane in range(FEW):
                    parts[lane] += _bits(bits[lane])
        for lane in range(FEW):
            most = max(most, parts[lane])
    return most


@compiled
def _size_bound(size, most):
    """Least total of `size` candidates that no guess splits into more than `most` parts."""
    return 2 * size - 1 if size <= 2 else 3 * size - min(size, most) - 1


@compiled
def _split(candidates, guess, patterns, tally, shown, sizes, begin, parted):
    """Split candidates by the pattern of a guess; returns the number of parts.

    Fills the pattern, size and place of each part, and the candidates part by part. `tally` has
    an entry for each pattern, zero before and after.
    """
    n_parts = 0
    for candidate in candidates:
        pattern = patterns[candidate, guess]
        if tally[pattern] == 0:
            shown[n_parts] = pattern
            n_parts += 1
        tally[pattern] += 1
    place = 0
    for part in range(n_parts):
        sizes[part] = tally[shown[part]]
        begin[part] = place
        tally[shown[part]] = place
        place += sizes[part]
    for candidate in candidates:
        pattern = patterns[candidate, guess]
        parted[tally[pattern]] = candidate
        tally[pattern] += 1
    for part in range(n_parts):
        tally[shown[part]] = 0
    return n_parts


@compiled
def _place(guess, guesses):
    low, high = 0, guesses.size
    while low < high:
        middle = (low + high) // 2
        if guesses[middle] < guess:
            low = middle + 1
        else:
            high = middle
    return low


@compiled
def allowed_after(guesses, guess, pattern, letters, out):  # noqa: C901 - a kernel
    """Hard mode: fill `out` with the guesses still allowed after a pattern; returns how many.

    The rule is that of `wordgames.patterns.hard_mode_violation`, compiled.
    """
    length = letters.shape[1]
    cells = np.empty(length, np.int64)
    for place in range(length - 1, -1, -1):
        cells[place] = pattern % 3
        pattern //= 3
    revealed = np.zeros(length, np.int64)
    for i in range(length):
        for j in range(length):
            if cells[i] and cells[j] and letters[guess, i] == letters[guess, j]:
                revealed[i] += 1
    n_out = 0
    for other in guesses:
        allowed = True
        for i in range(length):
            if cells[i] == 2 and letters[other, i] != letters[guess, i]:
                allowed = False
                break
        if allowed:
            for i in range(length):
                if cells[i]:
                    copies = 0
                    for j in range(length):
                        copies += letters[other, j] == letters[guess, i]
                    if copies < revealed[i]:
                        allowed = False
                        break
        if allowed:
            out[n_out] = other
            n_out += 1
    return n_out


@compiled
def estimate_totals(candidates, guesses, patterns, n_patterns, expected, out):
    """Estimated total of each guess: the sum of `expected` (by size) over its parts."""
    lanes = 64
    seen = np.empty((lanes, n_patterns), np.uint16)
    for start in range(0, guesses.size, lanes):
        width = min(lanes, guesses.size - start)
        seen[:] = 0
        for candidate in candidates:
            row = patterns[candidate]
            for lane in range(width):
                seen[lane, row[guesses[start + lane]]] += np.uint16(1)
        for lane in range(width):
            line = seen[lane]
            value = np.float32(0)
            for pattern in range(n_patterns - 1):
                value += expected[line[pattern]]
            out[start + lane] = value


@compiled
def search_set(  # noqa: C901 - a kernel: numba caches no recursion
    candidates, budget, first, left, width, hard, start, most_of_all, arrays, memory, expected
):
    """The least total of a set, exact when it is at most `budget`, else a bound above it.

    first: only this first guess, or -1. left: guesses that a game may take (LEVELS: any number).
    width: guesses tried at each set, or 0 for all. start: in hard mode, the guesses still allowed.
    most_of_all: parts that a guess makes of all candidates of the game at most. Returns -1 when
    LEVELS does not suffice.

    One level for each guess of the game that is being looked at. Rows of the arrays below belong
    to levels; numba cannot cache a function that calls itself.
    """
    patterns, guess_of, candidate_keys, letters, guess_keys, all_guesses = arrays
    table_keys, table = memory
    n_guesses, length = letters.shape
    n_patterns = 3**length
    n_blocks = (n_guesses + LANES - 1) // LANES
    limited = left < LEVELS
    none = np.uint64(0)

    size = np.zeros(LEVELS, np.int64)
    sets = np.empty((LEVELS, candidates.size), np.int32)
    budgets = np.zeros(LEVELS, np.int64)
    key_a, key_b = np.zeros(LEVELS, np.uint64), np.zeros(LEVELS, np.uint64)
    low = np.zeros(LEVELS, np.int64)  # a bound known before any guess is examined
    rest = np.zeros(LEVELS, np.int64)  # the least bound of the guesses given up
    best, best_guess = np.zeros(LEVELS, np.int64), np.zeros(LEVELS, np.int64)
    # Guesses in the order of their bound: those of one number of parts at a time.
    counts = np.empty((LEVELS, n_guesses), np.uint16)
    tops = np.empty((LEVELS, n_blocks), np.int64)
    most = np.zeros(LEVELS, np.int64)
    bucket = np.zeros(LEVELS, np.int64)
    order = np.empty((LEVELS, n_guesses), np.int32)
    n_order, at_order = np.zeros(LEVELS, np.int64), np.zeros(LEVELS, np.int64)
    tried = np.zeros(LEVELS, np.int64)
    # The guess in hand, its parts, and those of them that need a search.
    guess_now, total = np.zeros(LEVELS, np.int64), np.zeros(LEVELS, np.int64)
    parted = np.empty((LEVELS, candidates.size), np.int32)
    shown = np.empty((LEVELS, n_patterns), np.int32)
    sizes = np.empty((LEVELS, n_patterns), np.int32)
    begin = np.empty((LEVELS, n_patterns), np.int32)
    bounds = np.empty((LEVELS, n_patterns), np.int64)
    opened = np.empty((LEVELS, n_patterns), np.int32)
    n_open, at_open = np.zeros(LEVELS, np.int64), np.zeros(LEVELS, np.int64)
    # Hard mode: what may still be guessed.
    allowed = np.empty((LEVELS if hard else 1, n_guesses if hard else 1), np.int32)
    n_allowed = np.zeros(LEVELS, np.int64)

    # What the quick count of a set's parts needs: `owner` is the level whose set has it ready.
    owner, n_scans = np.full(LEVELS, -1), np.zeros(LEVELS, np.int64)
    best_first, n_best = np.empty((LEVELS, n_guesses), np.int32), np.zeros(LEVELS, np.int64)
    numbers = np.empty(0 if hard else candidates.size * (n_guesses + FEW), np.uint8)
    numbers_end = np.zeros(LEVELS, np.int64)
    row_of = np.empty((LEVELS, patterns.shape[0]), np.int32)

    tally = np.zeros(n_patterns, np.int32)
    scan_counts, scan_tops = np.empty(n_guesses, np.uint16), np.empty(n_blocks, np.int64)
    estimates = np.empty(n_guesses if width else 0, np.float32)

    sets[0], size[0], budgets[0] = candidates, candidates.size, budget
    if hard:
        n_allowed[0] = start.size
        allowed[0, : start.size] = start
    level, action, value = 0, _ENTER, np.int64(0)
    while True:
        n = size[level]
        here = sets[level, :n]
        guesses_left = left - level if limited else LEVELS
        guesses = allowed[level, : n_allowed[level]] if hard else all_guesses

        if action == _ENTER:
            action = _RETURN
            best[level], best_guess[level], rest[level] = NEVER, -1, NEVER
            n_order[level] = at_order[level] = tried[level] = 0
            n_scans[level] = NEVER
            if level > 0:
                owner[level], numbers_end[level] = owner[level - 1], numbers_end[level - 1]
            if level == LEVELS - 1:
                return np.int64(-1)
            value = np.int64(2 * n - 1)
            if value > budgets[level]:
                continue
            a = b = none
            if hard:
                if level > 0:
                    n_allowed[level] = allowed_after(
                        allowed[level - 1, : n_allowed[level - 1]],
                        guess_now[level - 1],
                        shown[level - 1, opened[level - 1, at_open[level - 1]]],
                        letters,
                        allowed[level],
                    )
                    guesses = allowed[level, : n_allowed[level]]
                for guess in guesses:
                    a ^= guess_keys[guess, 0]
                    b ^= guess_keys[guess, 1]
            a, b = _key(here, candidate_keys, guesses_left, a, b)
            key_a[level], key_b[level] = a, b
            if level == 0 and first >= 0:
                low[0], most[0], order[0, 0], n_order[0] = value, most_of_all, first, 1
                action = _NEXT_GUESS
                continue
            known, guess = _recall(a, b, table_keys, table)
            if known and (guess >= 0 or known > budgets[level]):
                value = known
                continue
            if known < 2 * n:
                if guesses_left > 1:
                    guess = _separating_member(here, patterns, guess_of)
                    if guess >= 0:
                        _remember(a, b, value, guess, table_keys, table)
                        continue
                known = np.int64(2 * n if guesses_left > 1 else NEVER)
                _remember(a, b, known, _UNSCANNED, table_keys, table)
            low[level] = value = known
            if value > budgets[level]:
                continue
            need = 3 * n - budgets[level] - 1
            k, guess = _count_parts(
                here, guesses, patterns, n_patterns, need, counts[level], tops[level]
            )
            if k == n:
                _remember(a, b, value, guess, table_keys, table)
                continue
            if guesses_left == 2:  # a part of two words or more would need a third guess
                value = np.int64(NEVER)
                _remember(a, b, value, _SCANNED, table_keys, table)
                continue
            most[level] = max(k, need)
            for candidate in here:
                place = _place(guess_of[candidate], guesses)
                counts[level, place] += np.uint16(1)
                count = np.int64(counts[level, place])
                tops[level, place // LANES] = max(tops[level, place // LANES], count)
                k = max(k, count)
            bucket[level] = k + 1
            n_scans[level] = 0 if k < 256 and n > PAIRWISE and not hard else NEVER
            if width and n > PAIRWISE:
                out = estimates[: guesses.size]
                estimate_totals(here, guesses, patterns, n_patterns, expected, out)
                by_estimate = np.argsort(out, kind="mergesort")
                for i in range(by_estimate.size):
                    order[level, i] = guesses[by_estimate[i]]
                n_order[level] = by_estimate.size
                bucket[level] = 0
            action = _NEXT_GUESS

        elif action == _NEXT_GUESS:
            limit = min(budgets[level], best[level] - 1)
            done = best[level] <= low[level]
            if width and tried[level] >= width:
                # A beam goes on while all that it has tried leads to games that are too long.
                done |= rest[level] < NEVER or tried[level] >= PATIENCE * width
                done |= best_guess[level] >= 0
            while not done and at_order[level] == n_order[level]:
                bucket[level] -= 1
                k = bucket[level]
                if k < 2 or 3 * n - k > limit:
                    done = True
                    if k >= 2:
                        rest[level] = min(rest[level], max(limit + 1, 3 * n - k))
                    break
                found = 0
                for block in range((guesses.size + LANES - 1) // LANES):
                    if tops[level, block] >= k:
                        for i in range(block * LANES, min((block + 1) * LANES, guesses.size)):
                            if counts[level, i] == k:
                                order[level, found] = guesses[i]
                                found += 1
                n_order[level], at_order[level] = found, 0
            if done:
                action = _RETURN
                exact = best[level] <= budgets[level]
                value = best[level] if exact else max(low[level], rest[level])
                guess = best_guess[level] if exact else np.int64(_SCANNED)
                if level > 0 or first < 0:
                    _remember(key_a[level], key_b[level], value, guess, table_keys, table)
                continue
            guess = order[level, at_order[level]]
            at_order[level] += 1
            tried[level] += 1
            guess_now[level] = guess
            # First pass: the sizes of the parts.
            n_parts = _split(
                here, guess, patterns, tally, shown[level], sizes[level], begin[level],
                parted[level],
            )  # fmt: skip
            bound = np.int64(n)
            for part in range(n_parts):
                bounds[level, part] = (
                    0
                    if shown[level, part] == n_patterns - 1
                    else _size_bound(sizes[level, part], most[level])
                )
                bound += bounds[level, part]
            # Second pass: what is known, or whether a member separates the part.
            found = 0
            for part in range(n_parts):
                m = sizes[level, part]
                if m > 1 and guesses_left <= 2:
                    bound += NEVER - bounds[level, part]
                    bounds[level, part] = NEVER
                if m < 3:
                    continue
                if bound > limit:
                    break
                members = parted[level, begin[level, part] : begin[level, part] + m]
                a, b = _key(members, candidate_keys, guesses_left - limited, none, none)
                known, next_guess = _recall(a, b, table_keys, table)
                if known == 0:
                    next_guess = _separating_member(members, patterns, guess_of)
                    known = np.int64(2 * m - 1 if next_guess >= 0 else 2 * m)
                    _remember(a, b, known, next_guess, table_keys, table)
                if hard and known >= 2 * m:
                    # Found with every guess allowed: in hard mode only a bound, but for a guess
                    # that separates the part from within, since a candidate is always allowed.
                    next_guess = min(next_guess, np.int64(_UNSCANNED))
                if known > bounds[level, part]:
                    bound += known - bounds[level, part]
                    bounds[level, part] = known
                if next_guess < 0:
                    opened[level, found] = part
                    found += 1
            # Third pass: one scan of the guesses at each part.
            for i in range(found):
                if bound > limit:
                    break
                part = opened[level, i]
                m = sizes[level, part]
                members = parted[level, begin[level, part] : begin[level, part] + m]
                a, b = _key(members, candidate_keys, guesses_left - limited, none, none)
                known, next_guess = _recall(a, b, table_keys, table)
                if next_guess != _UNSCANNED:
                    continue
                n_scans[level] += m >= QUICK
                if n_scans[level] == MANY_SCANS:
                    k = _undominated(here, counts[level], guess_of, letters, best_first[level])
                    columns = (k + FEW - 1) // FEW * FEW
                    used, end = numbers_end[level], numbers_end[level] + n * columns
                    if k > 0 and end <= numbers.size:
                        _number_parts(
                            here, best_first[level, :k], patterns, n_patterns,
                            numbers[used:end].reshape(n, columns), row_of[level],
                        )  # fmt: skip
                        owner[level], n_best[level], numbers_end[level] = level, k, end
                scanned = m
                if m >= QUICK and owner[level] >= 0:
                    by = owner[level]
                    columns = (n_best[by] + FEW - 1) // FEW * FEW
                    numbered = numbers[numbers_end[by] - size[by] * columns : numbers_end[by]]
                    scanned = _most_parts(
                        members, best_first[by, : n_best[by]], counts[by], patterns, n_patterns,
                        guess_of, numbered.reshape(size[by], columns), row_of[by],
                    )  # fmt: skip
                if scanned < m:
                    scanned, scan_guess = 3 * m - scanned, np.int64(_SCANNED)
                else:
                    # Perhaps a guess separates the part: the scan finds the first that does.
                    scanned, scan_guess = _scan(
                        members, all_guesses, patterns, n_patterns, guess_of, scan_counts,
                        scan_tops,
                    )  # fmt: skip
                scanned = max(scanned, known)
                _remember(a, b, scanned, scan_guess, table_keys, table)
                if scanned > bounds[level, part]:
                    bound += scanned - bounds[level, part]
                    bounds[level, part] = scanned
            total[level] = bound
            for i in range(1, found):
                part, place = opened[level, i], i
                m = sizes[level, part]
                # A part that takes too many guesses is most likely a large one.
                sign = -1 if limited else 1
                while place > 0 and sign * sizes[level, opened[level, place - 1]] > sign * m:
                    opened[level, place] = opened[level, place - 1]
                    place -= 1
                opened[level, place] = part
            n_open[level], at_open[level] = found, 0
            action = _NEXT_PART

        elif action == _NEXT_PART:
            # Last pass: the search of the parts that are left.
            limit = min(budgets[level], best[level] - 1)
            if total[level] > limit:
                rest[level] = min(rest[level], total[level])
                action = _NEXT_GUESS
            elif at_open[level] == n_open[level]:
                best[level], best_guess[level] = total[level], guess_now[level]
                action = _NEXT_GUESS
            else:
                part = opened[level, at_open[level]]
                m, start = sizes[level, part], begin[level, part]
                sets[level + 1, :m] = parted[level, start : start + m]
                size[level + 1] = m
                budgets[level + 1] = limit - total[level] + bounds[level, part]
                level += 1
                action = _ENTER

        else:
            if level == 0:
                return value
            level -= 1
            part = opened[level, at_open[level]]
            if value > bounds[level, part]:
                total[level] += value - bounds[level, part]
                bounds[level, part] = value
            at_open[level] += 1
            action = _NEXT_PART


@compiled
def bounds_of(first, candidates, most_of_all, budget, arrays):
    """The bound of a first guess from sizes and, when it is within the budget, from one scan."""
    patterns, guess_of, _, letters, _, all_guesses = arrays
    n_guesses, length = letters.shape
    n_patterns = 3**length
    tally, shown = np.zeros(n_patterns, np.int32), np.empty(n_patterns, np.int32)
    sizes, begin = np.empty(n_patterns, np.int32), np.empty(n_patterns, np.int32)
    parted = np.empty(candidates.size, np.int32)
    counts = np.empty(n_guesses, np.uint16)
    tops = np.empty((n_guesses + LANES - 1) // LANES, np.int64)
    n_parts = _split(candidates, first, patterns, tally, shown, sizes, begin, parted)
    by_size = np.int64(candidates.size)
    for part in range(n_parts):
        if shown[part] != n_patterns - 1:
            by_size += _size_bound(sizes[part], most_of_all)
    by_scan = by_size
    if by_size <= budget:
        for part in range(n_parts):
            m = sizes[part]
            if m > 2:
                members = parted[begin[part] : begin[part] + m]
                if _separating_member(members, patterns, guess_of) < 0:
                    bound, _ = _scan(
                        members, all_guesses, patterns, n_patterns, guess_of, counts, tops
                    )
                    by_scan += max(bound, _size_bound(m, most_of_all)) - _size_bound(m, most_of_all)
    return by_size, by_scan


@compiled
def find_guess(members, guesses, hard, left, candidate_keys, guess_keys, table_keys, table):
    """What the table holds of a set: value and guess, as `_recall`."""
    a = b = np.uint64(0)
    if hard:
        for guess in guesses:
            a ^= guess_keys[guess, 0]
            b ^= guess_keys[guess, 1]
    a, b = _key(members, candidate_keys, left, a, b)
    return _recall(a, b, table_keys, table)
