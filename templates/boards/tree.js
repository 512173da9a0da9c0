// needs: shared.js
// Walk a tree of guesses: click the colours that the game shows, and see what comes next.

function render({ model, el }) {
  prepare(el, "tree");
  const data = model.get("data"), answers = unpackWords(data.answers), { length } = lettersOf(answers[0]);
  const guesses = data.guesses.split(" "); // in the order in which a walk through all branches meets them
  let step = 0;
  const root = grow(answers);
  let path = []; // [node, code] of each guess so far

  // A node: its guess, the answers that are left, and by pattern the node that follows.
  function grow(left) {
    const guess = left.length === 1 ? left[0] : guesses[step++];
    const parts = new Map();
    for (const answer of left) {
      const code = score(guess, answer);
      if (!parts.has(code)) parts.set(code, []);
      parts.get(code).push(answer);
    }
    const next = new Map(), solved = 3 ** length - 1;
    for (const code of [...parts.keys()].sort((a, b) => a - b)) {
      if (code !== solved) next.set(code, grow(parts.get(code)));
    }
    return { guess, left, parts, next };
  }

  const node = () => path.length ? path.at(-1)[0].next.get(path.at(-1)[1]) : root;
  let solved = false;
  const guess = h("b", { "data-try-output": "guess" });
  const remaining = h("b", { "data-try-output": "remaining" });
  const status = h("p", { class: "try-result", role: "status" });
  const problem = h("p", { class: "try-problem", role: "alert" });
  const squares = cells(length, () => { problem.textContent = ""; }, () => node().guess);
  const history = h("ol", { class: "try-lines", "aria-label": "guesses so far" });
  const words = h("p", { class: "try-left" });
  const branches = h("div", { class: "try-branches", role: "group", "aria-label": "what the game can show here" });
  const next = button("Next guess", go, { "data-try-input": "next" });
  const back = button("Back", () => { solved ? solved = false : path.pop(); draw(); }, { "data-try-input": "back" });
  const again = button("Start again", () => { path = []; solved = false; draw(); }, { "data-try-input": "restart" });
  el.append(history, status, h("div", { class: "try-row" }, squares.row, next, back, again), problem, words, branches);

  function go() {
    const code = patternCode(squares.text());
    if (solved) return;
    if (code === 3 ** length - 1 && node().parts.has(code)) {
      solved = true;
      draw();
    } else if (node().next.has(code)) {
      path.push([node(), code]);
      draw();
    } else {
      const text = squares.text();
      problem.textContent = isImpossible(text) ? "This is impossible: with the other letters in place, the last is green or grey."
        : code === 3 ** length - 1 ? `${node().guess.toUpperCase()} is not one of the words left: it only tells them apart.`
        : "None of the words left can give these colours. Look at them again.";
    }
  }

  function draw() {
    const here = node();
    problem.textContent = "";
    history.replaceChildren(...path.map(([one, code]) => h("li", {}, tiles(patternText(code, length), one.guess))),
      ...(solved ? [h("li", {}, tiles("G".repeat(length), here.guess))] : []));
    squares.set((solved ? "G" : ".").repeat(length));
    for (const square of squares.row.children) square.disabled = solved;
    guess.textContent = here.guess.toUpperCase();
    guess.dataset.value = here.guess;
    remaining.textContent = number(solved ? 1 : here.left.length);
    remaining.dataset.value = solved ? 1 : here.left.length;
    next.setAttribute("aria-disabled", String(solved));
    back.setAttribute("aria-disabled", String(!path.length && !solved));
    if (solved) status.replaceChildren("Solved in ", plural(path.length + 1, "guess", "guesses"), ": ", guess, ". ", h("span", { hidden: true }, remaining));
    else status.replaceChildren(`Guess ${path.length + 1}: `, guess, ". ", remaining, here.left.length === 1 ? " word is left." : " words are left.");
    words.textContent = solved || here.left.length > 24 || here.left.length < 2 ? "" : `They are ${here.left.join(", ")}.`;
    const ways = [...here.parts].sort((a, b) => b[1].length - a[1].length || b[0] - a[0]);
    branches.replaceChildren(...(solved ? [] : [h("p", {}, "What the game can show here, with the number of words behind it:"), ...ways.slice(0, 12).map(([code, part]) => {
      const text = patternText(code, length);
      return h("button", { type: "button", onclick: () => { squares.set(text); next.focus(); go(); } }, tiles(text), ` ${number(part.length)}`);
    }), ways.length > 12 ? h("span", {}, ` and ${ways.length - 12} more`) : null]));
  }
  draw();
}

export default { render };
