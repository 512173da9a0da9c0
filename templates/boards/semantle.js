// needs: shared.js semantle-play.js
// Semantle in the page itself: the game, on vectors of small whole numbers.
function pageGame(data) {
  // A word is found as it is spelt, else in any case; of two the more frequent.
  const words = data.vocabulary.split("\n"), plain = (word) => word.normalize("NFC").toLowerCase();
  const index = new Map([...words.keys()].reverse().map((place) => [plain(words[place]), place]));
  const exact = new Map(words.map((word, place) => [word, place]));
  const vectors = new Int8Array(unpackBytes(data.vectors).buffer), width = vectors.length / words.length;
  const norms = words.map((_, place) => Math.sqrt(dot(place, place)));
  let target, fits, guessed;

  function dot(one, other) {
    let sum = 0;
    for (let k = 0, a = one * width, b = other * width; k < width; k++) sum += vectors[a++] * vectors[b++];
    return sum;
  }
  const shown = (one, other) => Math.round(10000 * dot(one, other) / (norms[one] * norms[other])) / 100 + 0;
  const nearest = () => words.map((_, place) => place).filter((place) => place !== target)
    .map((place) => [words[place], shown(place, target)]).sort((a, b) => b[1] - a[1]);

  return {
    async start(number) {
      target = number === undefined ? Math.floor(Math.random() * words.length) : number;
      fits = words.map((_, place) => place);
      guessed = new Set();
      return { words: words.length };
    },
    async guess(typed) {
      const own = target !== undefined && plain(typed) === plain(words[target]);
      const place = own ? target : exact.get(typed) ?? index.get(plain(typed));
      if (place === undefined) return { problem: `“${shorten(typed)}” is not one of the ${number(words.length)} words of this board.` };
      const score = shown(place, target), again = guessed.has(place), solved = place === target;
      guessed.add(place);
      if (!again) fits = fits.filter((one) => shown(one, place) === score && (solved || one !== place));
      return { word: words[place], score, again, solved, remaining: fits.length, rank: 1 + nearest().filter(([, other]) => other > score).length };
    },
    async hint() {
      return guessed.size ? { word: words[fits[0]], remaining: fits.length } : {};
    },
    async reveal() {
      return { word: words[target], nearest: nearest().slice(0, 10) };
    },
  };
}

function render({ model, el }) {
  prepare(el, "semantle");
  const data = model.get("data");
  playSemantle(el, pageGame(data), data.first);
}

export default { render };
