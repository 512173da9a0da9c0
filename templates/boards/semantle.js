// needs: shared.js
// Semantle: guess a hidden word by the score of each guess, and see how few words fit the scores.

// The game in the page itself, on vectors of small whole numbers.
function pageGame(data) {
  const words = data.vocabulary.split(" "), index = new Map(words.map((word, place) => [word, place]));
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
    words: words.length,
    async start(number) {
      target = number === undefined ? Math.floor(Math.random() * words.length) : number;
      fits = words.map((_, place) => place);
      guessed = new Set();
      return { remaining: fits.length };
    },
    async guess(text) {
      const place = index.get(text);
      if (place === undefined) return { problem: `“${shorten(text)}” is not one of the ${number(words.length)} words of this board.` };
      const score = shown(place, target), again = guessed.has(place), solved = place === target;
      guessed.add(place);
      if (!again) fits = fits.filter((one) => shown(one, place) === score && (solved || one !== place));
      return { word: text, score, again, solved, remaining: fits.length, rank: 1 + nearest().filter(([, other]) => other > score).length };
    },
    async hint() {
      return guessed.size ? { word: words[fits[0]], remaining: fits.length } : { problem: "Any word will do as a first guess, even a random one." };
    },
    async reveal() {
      return { word: words[target], nearest: nearest().slice(0, 10) };
    },
  };
}

function playSemantle(el, game, first) {
  const guess = field("Guess", { "data-try-input": "guess", size: 16 });
  const status = h("p", { class: "try-result", role: "status" });
  const score = h("b", { "data-try-output": "score" }), remaining = h("b", { "data-try-output": "remaining" });
  const table = h("table", { class: "try-guesses" });
  const after = h("div", { class: "try-after" });
  const form = h("form", { class: "try-row", onsubmit: (event) => { event.preventDefault(); act(enter); } },
    guess.row, h("button", { type: "submit" }, "Guess"),
    button("Hint", () => act(hint)), button("Show the word", () => act(giveUp)), button("New word", () => act(() => begin())));
  const sentence = h("span"), left = h("p", { class: "try-result" }, remaining, h("span"));
  el.append(form, status, left, table, after);
  status.append(sentence);

  let rows = [], over = false, all = 0, busy = Promise.resolve();
  // One thing after the other: quick typing and double clicks never overtake an answer.
  const act = (what) => (busy = busy.then(what).catch((error) => tell(error.message)));
  const tell = (...parts) => sentence.replaceChildren(...parts);

  async function begin(number) {
    all = (await game.start(number)).remaining;
    rows = [];
    over = false;
    guess.complain("");
    after.replaceChildren();
    tell(score, "A word is hidden. Guess any word to start.");
    score.textContent = "";
    delete score.dataset.value;
    count(all);
    draw();
  }

  function count(words) {
    remaining.textContent = number(words);
    remaining.dataset.value = words;
    left.lastChild.textContent = words === 1 ? " word fits every score." : rows.length ? ` words fit every score, of ${number(all)}.` : " words can be the hidden one.";
  }

  async function enter() {
    const text = guess.input.value.trim();
    if (over) return tell("The game is over: take a new word.");
    if (!text) return guess.complain("Type a word to guess.");
    const answer = await game.guess(text.toLowerCase());
    if (answer.problem) return guess.complain(answer.problem);
    guess.complain("");
    // What was typed meanwhile stays.
    if (guess.input.value.trim() === text) guess.input.value = "";
    score.textContent = answer.score.toFixed(2);
    score.dataset.value = answer.score;
    if (answer.again) return tell(`${answer.word} was guessed before: `, score, ".");
    rows.push(answer);
    count(answer.remaining);
    tell(`${answer.word}: `, score, ".");
    draw(answer.word);
    if (answer.solved) await end(`${answer.word} it is, in ${plural(rows.length, "guess", "guesses")}: `, true);
  }

  async function hint() {
    if (over) return tell("The game is over: take a new word.");
    const answer = await game.hint();
    if (answer.problem) return tell(answer.problem);
    tell(h("b", {}, answer.word), answer.remaining === 1 ? " is the only word that fits." : ` is the most frequent of the ${number(answer.remaining)} words that fit.`);
    guess.input.value = answer.word;
    guess.input.focus();
  }

  async function giveUp() {
    if (!over) await end("The hidden word is ", false);
  }

  async function end(start, won) {
    over = true;
    const answer = await game.reveal();
    tell(start, won ? score : h("b", {}, answer.word), ".");
    const text = [`Semantle in ${won ? plural(rows.length, "guess", "guesses") : `${rows.length} and given up`}`,
      [all, ...rows.map((row) => row.remaining)].map(number).join(" → ") + " words fit"].join("\n");
    const copied = h("span", { role: "status" });
    const share = h("textarea", { readonly: true, rows: 3, "aria-label": "text to share, without spoilers" });
    share.value = text;
    after.replaceChildren(
      h("p", {}, "Nearest to it: ", answer.nearest.map(([word, near]) => `${word} ${near.toFixed(2)}`).join(", "), "."),
      ...(won ? [share, button("Copy", async () => {
        share.select();
        try { await navigator.clipboard.writeText(text); } catch { document.execCommand("copy"); }
        copied.textContent = " Copied.";
      }), copied] : []));
  }

  // The last guess first, then the warmest.
  function draw(newest) {
    const warmest = [...rows].sort((a, b) => (b.word === newest) - (a.word === newest) || b.score - a.score);
    table.hidden = !rows.length;
    table.replaceChildren(h("caption", {}, "Your guesses: the last, then the warmest"),
      h("thead", {}, h("tr", {}, ["guess", "score", "nearness", "words that fit after it"].map((name) => h("th", { scope: "col" }, name)))),
      h("tbody", {}, warmest.map((row) => h("tr", { class: row.word === newest ? "try-here" : "" }, h("th", { scope: "row" }, `${rows.indexOf(row) + 1}. ${row.word}`),
        h("td", { class: "try-number" }, row.score.toFixed(2)), h("td", { class: "try-number" }, row.rank ? `${number(row.rank)}.` : "far"),
        h("td", { class: "try-bar" }, h("i", { style: `width: ${(60 * Math.log1p(row.remaining) / Math.log1p(all)).toFixed(1)}%` }), ` ${number(row.remaining)}`)))));
  }

  act(() => begin(first && first.target)).then(() => {
    if (first) for (const word of first.guesses) act(async () => { guess.input.value = word; await enter(); });
  });
}

function render({ model, el }) {
  prepare(el, "semantle");
  const data = model.get("data");
  playSemantle(el, pageGame(data), data.first);
}

export default { render };
