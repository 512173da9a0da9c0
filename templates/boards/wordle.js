// needs: shared.js kernel.js
// A Wordle adviser: enter what you guessed and what it showed, get the next guess and why.

function render({ model, el }) {
  prepare(el, "wordle");
  const { length, strategies, answers, allowed } = model.get("data"), turn = inTurn();
  const problem = h("p", { class: "try-problem", role: "alert" });
  const late = h("p", { class: "try-problem", role: "alert" }), ask = kernelOf(model, late);
  let shown = model.get("state"), touched = false, sent = null;
  let back = null, kept = false; // the guess that is taken back; whether a half-entered one stays

  const choices = (label, name, options) => {
    const id = newId();
    return h("div", { class: "try-field" }, h("label", { for: id }, label), h("select", {
      id, "data-setting": name, onchange: (event) => turn(() => send("change", { [name]: event.target.value })),
    }, options.map(([value, text]) => h("option", { value }, text))));
  };
  const hard = h("input", { type: "checkbox", "data-setting": "hard", onchange: () => turn(() => send("change", { hard: hard.checked })) });
  const guess = field("Your guess", { "data-try-input": "guess", size: 12, maxlength: 40 });
  const squares = cells(length, () => { touched = true; problem.textContent = ""; }, () => guess.input.value.trim());
  const status = h("p", { class: "try-result", role: "status" });
  const history = h("ol", { class: "try-lines", "aria-label": "guesses so far" });
  const words = h("p"), table = h("table"), after = h("div", { class: "try-after" });
  const form = h("form", { class: "try-row", onsubmit: (event) => { event.preventDefault(); enter(); } },
    guess.row, squares.row, h("button", { type: "submit" }, "Enter"),
    button("All grey", () => { squares.set(".".repeat(length)); touched = true; enter(); }));
  el.append(
    h("div", { class: "try-row" }, choices("Strategy", "strategy", strategies.map((name) => [name, name])),
      choices("The answer is", "pool", [
        ["answers", `one of the ${number(answers)} possible answers`], ["allowed", `any of the ${number(allowed)} allowed words`]]), h("label", { class: "try-check" }, hard, " hard mode")),
    history, status, form, problem, late,
    h("div", { class: "try-row" }, button("Undo", () => turn(() => send("undo"))), button("New game", () => turn(() => send("restart")))),
    words, table, after);

  // The table of the next guesses is empty when the game is won.
  const solved = () => !shown.table.length, next = () => solved() ? "" : shown.table[0][0];

  function enter() {
    if (solved()) { problem.textContent = "This game is over: take the last guess back, or start a new game."; return; }
    if (!touched) { problem.textContent = "Click the squares until they show what your game showed. If it showed no colour, press All grey."; return; }
    const details = { guess: guess.input.value, pattern: squares.text() };
    touched = false; // a second click sends nothing
    turn(() => send("enter", details)).then((taken) => { touched ||= !taken; });
  }

  // Whether the kernel took it.
  async function send(question, details) {
    sent = guess.input.value;
    back = question === "undo" ? shown.entries.at(-1) : null;
    kept = question === "change" && (touched || Boolean(sent.trim()) && sent.trim() !== next());
    const answer = await ask(question, details);
    back = kept = null;
    problem.textContent = answer.problem || "";
    if (answer.problem) draw(shown);
    return !answer.problem;
  }

  function draw(state, fresh = false) {
    shown = state;
    for (const one of el.querySelectorAll("select")) one.value = state[one.dataset.setting];
    hard.checked = state.hard;
    history.replaceChildren(...state.entries.map(([word, pattern]) => h("li", {}, tiles(pattern, word))));
    if (fresh && !kept) {
      // What was typed while the kernel was at work stays.
      if (sent === null || guess.input.value === sent) guess.input.value = back ? back[0] : next();
      squares.set(back ? back[1] : ".".repeat(length));
      touched = false;
    }
    squares.draw();
    status.replaceChildren(...(solved() ? [`Solved in ${plural(state.entries.length, "guess", "guesses")}.`]
      : [h("b", { "data-try-output": "remaining", "data-value": state.remaining }, number(state.remaining)), state.remaining === 1 ? " word is left. Next guess: " : " words are left. Next guess: ",
        h("b", { "data-try-output": "guess", "data-value": next() }, next().toUpperCase()), "."]));
    words.textContent = solved() || !state.entries.length ? "" : `Left: ${state.words.join(", ")}${state.remaining > state.words.length ? ", …" : ""}`;
    table.hidden = solved();
    table.replaceChildren(h("caption", {}, `The best guesses by ${state.strategy}`),
      h("thead", {}, h("tr", {}, ["guess", "words left on average", "chance to win now", "parts"].map((name) => h("th", { scope: "col" }, name)))),
      h("tbody", {}, state.table.map(([word, left, win, parts]) => h("tr", {}, h("th", { scope: "row" }, word),
        h("td", { class: "try-number" }, left.toFixed(2)), h("td", { class: "try-number" }, `${(100 * win).toFixed(1)} %`), h("td", { class: "try-number" }, number(parts))))));
    after.replaceChildren(...(solved() ? [shareText([`Wordle ${state.entries.length}/6`, "", ...state.entries.map(([, pattern]) =>
      [...pattern].map((cell) => ({ ".": "⬛", Y: "🟨", G: "🟩" })[cell]).join(""))].join("\n"))] : []));
  }

  guess.input.addEventListener("input", () => { squares.draw(); });
  model.on("change:state", () => draw(model.get("state"), true));
  draw(shown, true);
}

export default { render };
