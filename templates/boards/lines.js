// Which words can give all of some lines, and how likely each is to be the answer.
//
// For one line, a letter at its places in the guess allows some answers: a set of bits. A guess
// gives the line against the answers that all its letters allow. Guesses go in the order of their
// sets, the smallest first: so an intersection that several have in common is made once, and most
// come to an end soon.
class Lines {
  constructor(lexicon, weights) {
    Object.assign(this, { lexicon, weights, known: new Map(), against: new Map() });
    this.n = lexicon.words.length;
    // By letter, and by its places in a word: the words that have it there, as bits.
    this.blocks = Math.ceil(this.n / 32);
    this.having = new Map();
    lexicon.own.forEach((part, at) => {
      if (!part) return;
      const [letter, places] = lexicon.parts[part], word = Math.floor(at / lexicon.length);
      if (!this.having.has(letter)) this.having.set(letter, new Map([[0, this.allWords()]]));
      const where = this.having.get(letter);
      if (!where.has(places)) where.set(places, new Int32Array(this.blocks));
      where.get(places)[word >> 5] |= 1 << (word & 31);
      where.get(0)[word >> 5] &= ~(1 << (word & 31));
    });
    // How common each line is, from a few answers: rare lines are asked first.
    this.common = new Float64Array(3 ** lexicon.length);
    for (let step = 0; step < 40; step++) {
      for (const code of lexicon.patterns(lexicon.words[Math.floor(step * this.n / 40)])) this.common[code]++;
    }
  }

  // Look at the commonest lines while nobody asks, so that their first use is quick. Between two
  // steps a question can come in.
  warm(many = 24) {
    const codes = [...this.common.keys()].sort((a, b) => this.common[b] - this.common[a]).slice(0, many);
    let steps = null;
    const next = () => {
      steps ||= codes.length ? this.steps(codes.shift()) : null;
      if (!steps) return;
      if (steps.next().done) steps = null;
      setTimeout(next);
    };
    setTimeout(next);
  }

  allWords() {
    const all = new Int32Array(this.blocks).fill(-1);
    if (this.n % 32) all[this.blocks - 1] = 2 ** (this.n % 32) - 1;
    return all;
  }

  // By part, the number of the set of answers that it allows, -1 if there are none; and the sets,
  // the smallest first.
  allowed(code) {
    const { lexicon: { length, parts, table }, blocks } = this, size = 1 << length;
    const digits = Array.from({ length }, (_, place) => Math.floor(code / 3 ** (length - 1 - place)) % 3);
    const sets = new Map();
    const keys = parts.map(([letter, inGuess]) => {
      if (!letter) return "";
      const wanted = digits.reduce((sum, digit, place) => 3 * sum + (inGuess >> place & 1) * digit, 0);
      const fitting = [...this.having.get(letter)].filter(([inAnswer]) => table[inGuess * size + inAnswer] === wanted);
      const key = letter + fitting.map(([places]) => places);
      if (!sets.has(key)) {
        const bits = new Int32Array(blocks);
        for (const [, some] of fitting) for (let block = 0; block < blocks; block++) bits[block] |= some[block];
        let count = 0;
        for (let left of bits) for (; left; left &= left - 1) count++;
        sets.set(key, { bits, count, number: -1 });
      }
      return key;
    });
    const ranked = [...sets.values()].filter((set) => set.count).sort((a, b) => a.count - b.count);
    ranked.forEach((set, number) => { set.number = number; });
    return [keys.map((key) => key && sets.get(key).number), ranked.map((set) => set.bits)];
  }

  // The guesses whose letters all allow some answer, those of like sets together; and the sets of
  // each, the smallest first.
  sorted(numbers, none) {
    const { n, lexicon: { length, own } } = this, sets = new Int16Array(n * length).fill(none);
    let order = [];
    for (let guess = 0; guess < n; guess++) {
      let many = 0, can = true;
      for (let k = 0; k < length && can; k++) {
        const part = own[guess * length + k];
        if (!part) continue;
        const number = numbers[part];
        let at = guess * length + many++;
        for (; at > guess * length && sets[at - 1] > number; at--) sets[at] = sets[at - 1];
        sets[at] = number;
        can = number >= 0;
      }
      if (can) order.push(guess);
    }
    for (let k = length - 1; k >= 0; k--) {
      const piles = Array.from({ length: none + 1 }, () => []);
      for (const guess of order) piles[sets[guess * length + k]].push(guess);
      order = piles.flat();
    }
    return [order, sets];
  }

  // For each word as the answer, the summed weight of the guesses that give this line.
  weightOf(code) {
    const steps = this.steps(code);
    while (!steps.next().done);
    return this.known.get(code);
  }

  // The same in steps of some ten milliseconds.
  *steps(code) {
    if (this.known.has(code)) return;
    const { n, blocks, weights, lexicon: { length } } = this, [numbers, bitsOf] = this.allowed(code);
    yield;
    const [order, sets] = this.sorted(numbers, bitsOf.length), found = new Float64Array(n);
    // At each depth the answers that are left: bits, the numbers of the blocks that have any, and
    // how many blocks these are.
    const left = Array.from({ length: length + 1 }, () => new Int32Array(blocks));
    const where = left.map(() => Int32Array.from({ length: blocks }, (_, block) => block));
    const many = new Int32Array(length + 1).fill(blocks);
    left[0] = this.allWords();
    const intersect = (depth, set) => {
      const bits = left[depth], at = where[depth], nextBits = left[depth + 1], next = where[depth + 1];
      let some = 0;
      for (let i = 0; i < many[depth]; i++) {
        const both = bits[i] & set[at[i]];
        if (both) nextBits[some] = both, next[some++] = at[i];
      }
      many[depth + 1] = some;
    };
    const add = (depth, weight) => {
      const bits = left[depth], at = where[depth];
      for (let i = 0; i < many[depth]; i++) {
        for (let rest = bits[i], last = 32 * at[i] + 31; rest; rest &= rest - 1) found[last - Math.clz32(rest & -rest)] += weight;
      }
    };
    let before = -1, depth = 0, weight = 0, since = 0;
    for (const guess of order) {
      if (performance.now() > since + 10) {
        yield;
        since = performance.now();
      }
      let same = 0;
      if (before >= 0) while (same < length && sets[guess * length + same] === sets[before * length + same]) same++;
      before = guess;
      if (same < length) {
        if (weight) add(depth, weight);
        weight = 0;
        if (same > depth) continue; // it shares an intersection that is empty
        for (depth = same; depth < length && many[depth]; depth++) {
          const number = sets[guess * length + depth];
          if (number === bitsOf.length) break;
          intersect(depth, bitsOf[number]);
        }
      }
      if (many[depth]) weight += weights[guess];
    }
    if (weight) add(depth, weight);
    this.known.set(code, found);
  }

  // For each line, the summed weight of the guesses that give it against one answer.
  weightsAgainst(place) {
    if (!this.against.has(place)) {
      const { lexicon, n, weights } = this, codes = lexicon.patterns(lexicon.words[place]), sums = new Float64Array(3 ** lexicon.length);
      for (let guess = 0; guess < n; guess++) sums[codes[guess]] += weights[guess];
      this.against.set(place, sums);
    }
    return this.against.get(place);
  }

  // Places of the words that can give every line, and the logarithm of each one's likelihood. The
  // line of all greens, with which everybody ends, says nothing.
  candidates(codes) {
    const { lexicon, n } = this, solved = 3 ** lexicon.length - 1;
    const asked = [...new Set(codes)].filter((code) => code !== solved);
    asked.sort((a, b) => this.known.has(b) - this.known.has(a) || this.common[a] - this.common[b]);
    let places = Array.from({ length: n }, (_, place) => place), logs = places.map(() => 0), passes = 0;
    while (asked.length) {
      const fresh = asked.filter((code) => !this.known.has(code)).length;
      // A pass for a line takes as long as a look at some 150 words with all guesses.
      if (places.length < 150 * fresh && (places.length < 300 || ++passes > 10)) {
        logs = logs.map((log, i) => asked.reduce((sum, code) => sum + Math.log(this.weightsAgainst(places[i])[code]), log));
        asked.length = 0;
      } else {
        const weight = this.weightOf(asked.shift());
        logs = logs.map((log, i) => log + Math.log(weight[places[i]]));
      }
      places = places.filter((_, i) => logs[i] > -Infinity);
      logs = logs.filter((log) => log > -Infinity);
    }
    return { places, logs };
  }
}
