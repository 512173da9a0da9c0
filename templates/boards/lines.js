// Which words can give all of some lines, and how likely each is to be the answer.
//
// For one line, a letter at its places in the guess allows some answers: a set of bits. A guess
// gives the line against the answers that all its letters allow. So one pass over the guesses finds
// the summed weight of the guesses that give the line, for every answer at once.
class Lines {
  constructor(lexicon, weights) {
    Object.assign(this, { lexicon, weights, known: new Map() });
    this.n = lexicon.words.length;
    // Where each letter stands in each word.
    this.inWord = new Map();
    lexicon.own.forEach((part, at) => {
      const [letter, places] = lexicon.parts[part];
      if (!this.inWord.has(letter)) this.inWord.set(letter, new Uint8Array(this.n));
      if (part) this.inWord.get(letter)[Math.floor(at / lexicon.length)] = places;
    });
    // How common each line is, from a few answers: rare lines are asked first.
    this.common = new Float64Array(3 ** lexicon.length);
    for (let step = 0; step < 40; step++) {
      for (const code of lexicon.patterns(lexicon.words[Math.floor(step * this.n / 40)])) this.common[code]++;
    }
  }

  // Look at the commonest lines while nobody asks, so that their first use is quick.
  warm(many = 24) {
    const codes = [...this.common.keys()].sort((a, b) => this.common[b] - this.common[a]).slice(0, many);
    const next = () => {
      if (!codes.length) return;
      this.weightOf(codes.shift());
      setTimeout(next);
    };
    setTimeout(next);
  }

  // For each word as the answer, the summed weight of the guesses that give this line.
  weightOf(code) {
    if (this.known.has(code)) return this.known.get(code);
    const { lexicon: { length, parts, own, table }, n } = this, size = 1 << length;
    const digits = Array.from({ length }, (_, place) => Math.floor(code / 3 ** (length - 1 - place)) % 3);
    const blocks = Math.ceil(n / 32), sets = [], numbers = new Map();
    // For each part, the number of the set of answers that it allows; -1 if there are none.
    const allows = parts.map(([letter, inGuess]) => {
      let wanted = 0;
      digits.forEach((digit, place) => { wanted = 3 * wanted + (inGuess >> place & 1) * digit; });
      const fits = Uint8Array.from({ length: size }, (_, inAnswer) => table[inGuess * size + inAnswer] === wanted);
      const key = letter + fits.join("");
      if (!numbers.has(key)) {
        const bits = new Int32Array(blocks), inWord = this.inWord.get(letter);
        let count = 0;
        for (let word = 0; word < n; word++) {
          if (fits[inWord[word]]) count++, bits[word >> 5] |= 1 << (word & 31);
        }
        numbers.set(key, count ? sets.push({ bits, count }) - 1 : -1);
      }
      return numbers.get(key);
    });
    // Guesses that allow the same answers go together: words of the same letters, often.
    const alike = new Map();
    for (let guess = 0; guess < n; guess++) {
      const chosen = [];
      for (let k = 0; k < length; k++) if (own[guess * length + k]) chosen.push(allows[own[guess * length + k]]);
      if (chosen.includes(-1)) continue;
      const key = String.fromCharCode(...chosen.sort((a, b) => a - b));
      alike.set(key, (alike.get(key) || 0) + this.weights[guess]);
    }
    const found = new Float64Array(n);
    for (const [key, weight] of alike) {
      const chosen = Array.from(key, (one) => sets[one.charCodeAt(0)]).sort((a, b) => a.count - b.count);
      const bits = chosen.map((set) => set.bits), few = bits[0];
      for (let block = 0; block < blocks; block++) {
        let left = few[block];
        for (let k = 1; left && k < bits.length; k++) left &= bits[k][block];
        for (; left; left &= left - 1) found[32 * block + 31 - Math.clz32(left & -left)] += weight;
      }
    }
    this.known.set(code, found);
    return found;
  }

  // Places of the words that can give every line, and the logarithm of each one's likelihood. The
  // line of all greens, with which everybody ends, says nothing.
  candidates(codes) {
    const { lexicon, n, weights } = this, solved = 3 ** lexicon.length - 1;
    const asked = [...new Set(codes)].filter((code) => code !== solved);
    asked.sort((a, b) => this.known.has(b) - this.known.has(a) || this.common[a] - this.common[b]);
    let places = Array.from({ length: n }, (_, place) => place), logs = places.map(() => 0), passes = 0;
    while (asked.length) {
      const fresh = asked.filter((code) => !this.known.has(code)).length;
      // A pass for a line takes as long as a look at some 400 words with all guesses.
      if (places.length < 400 * fresh && (places.length < 800 || ++passes > 10)) {
        const sums = new Float64Array(3 ** lexicon.length);
        logs = logs.map((log, i) => {
          sums.fill(0);
          const codes = lexicon.patterns(lexicon.words[places[i]]);
          for (let guess = 0; guess < n; guess++) sums[codes[guess]] += weights[guess];
          return asked.reduce((sum, code) => sum + Math.log(sums[code]), log);
        });
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
