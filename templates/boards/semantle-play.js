// Semantle: guess a hidden word by the score of each guess, and see how few words fit the scores.
// `game` answers: in a page from vectors that travel with it, in JupyterLab from the kernel.
function playSemantle(el, game, first) {
  const guess = field("Guess", { "data-try-input": "guess", size: 16 });
  const score = h("b", { "data-try-output": "score" }), remaining = h("b", { "data-try-output": "remaining" });
  const sentence = h("p", { class: "try-result" });
  const last = h("span"), left = h("p", { class: "try-result" }, last, score, h("span"), remaining, h("span"));
  const table = h("table", { class: "try-guesses" }), after = h("div", { class: "try-after" });
  const act = inTurn();
  el.append(
    h("form", { class: "try-row", onsubmit: (event) => { event.preventDefault(); submit(); } },
      guess.row, h("button", { type: "submit" }, "Guess"),
      button("Hint", () => act(hint)), button("Show the word", () => act(giveUp)),
      button("New word", () => act(() => begin(undefined, true)))),
    h("div", { role: "status" }, sentence, left), table, after);

  let rows = [], over = false, all = 0, sent = -1e9;
  const tell = (...parts) => sentence.replaceChildren(...parts);
  const scored = ([word, near]) => `${word} ${near.toFixed(2)}`;

  async function begin(target, fresh) {
    if (fresh) guess.input.value = "";
    const answer = await game.start(target, fresh);
    all = answer.words;
    rows = answer.rows || [];
    over = false;
    guess.complain("");
    after.replaceChildren();
    tell("A word is hidden. Guess any word to start.");
    show(rows.at(-1) || { remaining: all });
    draw();
    if (answer.over) await end(...(rows.some((row) => row.solved) ? ["It is found."] : []));
  }

  // The last guess, its score, and the words that fit.
  function show(row) {
    last.textContent = row.word ? `${row.word}: ` : "";
    score.textContent = row.word ? row.score.toFixed(2) : "";
    if (row.word) score.dataset.value = row.score;
    else delete score.dataset.value;
    score.nextSibling.textContent = row.word ? ". " : "";
    remaining.textContent = number(row.remaining);
    remaining.dataset.value = row.remaining;
    left.lastChild.textContent = !row.word ? " words can be the hidden one."
      : row.remaining === 1 ? " word fits every score." : ` words fit every score, of ${number(all)}.`;
  }

  // The field is emptied at once: the next word can be typed while the answer is on its way.
  function submit() {
    const text = guess.input.value.trim(), doubled = performance.now() - sent < 600;
    if (over) return tell("The game is over: take a new word.");
    if (!text) return doubled || guess.complain("Type a word to guess.");
    guess.input.value = "";
    sent = performance.now();
    return act(() => enter(text));
  }

  async function enter(text) {
    if (over) return;
    const late = setTimeout(() => { guess.input.value ||= text; }, LATE); // nothing typed is lost
    const answer = text.length > 60 ? { problem: "This is too long for a word." } : await game.guess(text);
    clearTimeout(late);
    guess.complain(answer.problem || "");
    if (answer.problem) {
      guess.input.value ||= text;
      return;
    }
    show({ remaining: rows.length ? rows.at(-1).remaining : all, ...answer });
    tell(answer.again ? "You guessed that before." : "");
    if (answer.again) return;
    rows.push(answer);
    draw(answer.word);
    if (answer.solved) await end(`${answer.word} is the word, found in ${plural(rows.length, "guess", "guesses")}.`);
  }

  async function hint() {
    if (over) return tell("The game is over: take a new word.");
    const answer = await game.hint();
    if (!answer.word) return tell("Any word will do as a first guess, even a random one.");
    tell(h("b", {}, answer.word), answer.remaining === 1 ? " is the only word that fits." : ` is the most frequent of the ${number(answer.remaining)} words that fit.`);
    guess.input.value = answer.word;
    return guess.input.focus();
  }

  async function giveUp() {
    if (!over) await end();
  }

  // The game is won, with words to say so, or given up.
  async function end(...won) {
    over = true;
    const answer = await game.reveal();
    tell(...(won.length ? won : ["The hidden word is ", h("b", {}, answer.word), "."]));
    const counts = [all, ...rows.map((row) => row.remaining)].map(number).join(" → ");
    after.replaceChildren(
      h("p", {}, `Nearest to it: ${answer.nearest.map(scored).join(", ")}.`),
      ...(answer.machine ? [h("p", {}, `The solver needs ${answer.machine.length}: ${answer.machine.map(scored).join(", ")}.`)] : []),
      ...(won.length ? [shareText(`Semantle in ${plural(rows.length, "guess", "guesses")}\n${counts} words fit`)] : []));
  }

  // The last guess first, then the warmest.
  function draw(newest) {
    const warmest = [...rows].sort((a, b) => (b.word === newest) - (a.word === newest) || b.score - a.score);
    table.hidden = !rows.length;
    table.replaceChildren(h("caption", {}, "Your guesses: the last, then the warmest"),
      h("thead", {}, h("tr", {}, ["guess", "score", "rank", "words left"].map((name) => h("th", { scope: "col" }, name)))),
      h("tbody", {}, warmest.map((row) => h("tr", { class: row.word === newest ? "try-here" : "" },
        h("th", { scope: "row" }, `${rows.indexOf(row) + 1}. ${row.word}`),
        h("td", { class: "try-number" }, row.score.toFixed(2)),
        h("td", { class: "try-number" }, row.rank ? number(row.rank) : "far"),
        h("td", { class: "try-bar" }, h("i", { style: `width: ${(60 * Math.log1p(row.remaining) / Math.log1p(all)).toFixed(1)}%` }), ` ${number(row.remaining)}`)))));
  }

  act(() => begin(first && first.target));
  for (const word of first ? first.guesses : []) act(() => enter(word));
}
