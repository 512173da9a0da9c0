// Which words can give all of some lines, and how likely each is to be the answer.
//
// For one line, a letter at its places in the guess allows some answers: a set of bits. A guess
// gives the line against the answers that all its letters allow. Guesses go in the order of their
// sets, the smallest first: so an intersection that several have in common is made once, and most
// come to an end soon.
class Lines {
  constructor(lexicon, weights) {
    Object.assign(this, { lexicon, weights, known: new Map(), against: new Map(), sets: new Map() });
    this.n = lexicon.words.length;
    // By letter, and by its places in a word: the words that have it there, as bits, and their count.
    this.blocks = Math.ceil(this.n / 32);
    this.having = new Map();
    lexicon.own.forEach((part, at) => {
      if (!part) return;
      const [letter, places] = lexicon.parts[part], word = Math.floor(at / lexicon.length);
      if (!this.having.has(letter)) this.having.set(letter, new Map([[0, { bits: this.allWords(), count: this.n }]]));
      const where = this.having.get(letter);
      if (!where.has(places)) where.set(places, { bits: new Int32Array(this.blocks), count: 0 });
      const here = where.get(places), not = where.get(0);
      here.bits[word >> 5] |= 1 << (word & 31);
      here.count++;
      not.bits[word >> 5] &= ~(1 << (word & 31));
      not.count--;
    });
    // How common each line is, from a few answers: rare lines are asked first.
    this.common = new Float64Array(3 ** lexicon.length);
    for (let step = 0; step < 20; step++) {
      this.weightsAgainst(Math.floor(step * this.n / 20)).forEach((weight, code) => { this.common[code] += weight; });
    }
  }

  // Look at the commonest lines while nobody asks, so that their first use is quick. Three that take
  // less time come first: then the code is compiled. Between two steps a question can come in.
  warm(many = 24) {
    const codes = [...this.common.keys()].sort((a, b) => this.common[b] - this.common[a]).slice(0, many);
    codes.unshift(...codes.splice(-3));
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
    const { lexicon: { length, parts, table } } = this, size = 1 << length;
    const digits = Array.from({ length }, (_, place) => Math.floor(code / 3 ** (length - 1 - place)) % 3);
    const wanted = Array.from({ length: size }, (_, inGuess) => digits.reduce((sum, digit, place) => 3 * sum + (inGuess >> place & 1) * digit, 0));
    const own = parts.map(([letter, inGuess]) => {
      if (!letter) return null;
      let key = letter;
      const fitting = [];
      for (const [inAnswer, some] of this.having.get(letter)) {
        if (table[inGuess * size + inAnswer] !== wanted[inGuess]) continue;
        key += `,${inAnswer}`;
        fitting.push(some);
      }
      if (!this.sets.has(key)) this.sets.set(key, this.union(fitting));
      return this.sets.get(key);
    });
    const ranked = [...new Set(own)].filter((set) => set?.count).sort((a, b) => a.count - b.count);
    const numbers = new Map(ranked.map((set, number) => [set, number]));
    return [own.map((set) => numbers.get(set) ?? -1), ranked.map((set) => set.bits)];
  }

  // Of sets that have nothing in common.
  union(sets) {
    const bits = new Int32Array(this.blocks);
    let count = 0;
    for (const set of sets) {
      for (let block = 0; block < bits.length; block++) bits[block] |= set.bits[block];
      count += set.count;
    }
    return { bits, count };
  }

  // The guesses whose letters all allow some answer, those of like sets together; and the sets of
  // each, the smallest first.
  sorted(numbers, none) {
    const { n, lexicon: { length, own } } = this, sets = new Int16Array(n * length).fill(none);
    let order = new Int32Array(n), some = 0;
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
      if (can) order[some++] = guess;
    }
    order = order.subarray(0, some);
    for (let k = length - 1; k >= 0; k--) {
      const next = new Int32Array(some), ends = new Int32Array(none + 1);
      for (const guess of order) ends[sets[guess * length + k]]++;
      for (let number = 0; number < none; number++) ends[number + 1] += ends[number];
      for (let i = some - 1; i >= 0; i--) next[--ends[sets[order[i] * length + k]]] = order[i];
      order = next;
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
    const left = Array.from({ length: length + 1 }, () =>
      ({ bits: this.allWords(), at: Int32Array.from({ length: blocks }, (_, block) => block), many: blocks }));
    let before = -1, depth = 0, weight = 0, since = 0;
    for (let i = 0; i < order.length; i++) {
      const guess = order[i];
      if (!(i & 63) && performance.now() > since + 10) {
        yield;
        since = performance.now();
      }
      let same = 0;
      if (before >= 0) while (same < length && sets[guess * length + same] === sets[before * length + same]) same++;
      before = guess;
      if (same < length) {
        if (weight) this.add(left[depth], weight, found);
        weight = 0;
        if (same > depth) continue; // it shares an intersection that is empty
        for (depth = same; depth < length && left[depth].many; depth++) {
          const number = sets[guess * length + depth];
          if (number === bitsOf.length) break;
          this.intersect(left[depth], bitsOf[number], left[depth + 1]);
        }
      }
      if (left[depth].many) weight += weights[guess];
    }
    if (weight) this.add(left[depth], weight, found);
    this.known.set(code, found);
  }

  // Methods, not closures: the browser compiles them once for all lines.
  intersect(left, set, next) {
    let many = 0;
    for (let i = 0; i < left.many; i++) {
      const both = left.bits[i] & set[left.at[i]];
      if (both) next.bits[many] = both, next.at[many++] = left.at[i];
    }
    next.many = many;
  }

  add(left, weight, found) {
    for (let i = 0; i < left.many; i++) {
      for (let rest = left.bits[i], last = 32 * left.at[i] + 31; rest; rest &= rest - 1) found[last - Math.clz32(rest & -rest)] += weight;
    }
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
    let places = Int32Array.from({ length: n }, (_, place) => place), logs = new Float64Array(n), passes = 0;
    while (asked.length) {
      let logOf;
      const fresh = asked.filter((code) => !this.known.has(code)).length;
      // A pass for a line takes as long as a look at some 50 words with all guesses.
      if (places.length < 50 * fresh && (places.length < 300 || ++passes > 10)) {
        const rest = asked.splice(0);
        logOf = (place) => rest.reduce((sum, code) => sum + Math.log(this.weightsAgainst(place)[code]), 0);
      } else {
        const weight = this.weightOf(asked.shift());
        logOf = (place) => Math.log(weight[place]);
      }
      let some = 0;
      for (let i = 0; i < places.length; i++) {
        const log = logs[i] + logOf(places[i]);
        if (log === -Infinity) continue;
        places[some] = places[i];
        logs[some++] = log;
      }
      [places, logs] = [places.subarray(0, some), logs.subarray(0, some)];
    }
    return { places, logs };
  }
}
