// needs: shared.js kernel.js semantle-play.js
// Semantle in JupyterLab: the kernel hides a word, or advises on a game that is played elsewhere.

function render({ model, el }) {
  prepare(el, "semantle");
  const late = h("p", { class: "try-problem", role: "alert" });
  const question = kernelOf(model, late);
  const here = h("div"), elsewhere = h("div", { hidden: true }), group = newId();
  el.append(h("fieldset", { class: "try-choice" }, h("legend", {}, "The hidden word"),
    [["is hidden here", here], ["is hidden in a game elsewhere", elsewhere]].map(([label, part], at) =>
      h("label", {}, h("input", { type: "radio", name: group, checked: !at, onchange: () => { here.hidden = part !== here; elsewhere.hidden = part !== elsewhere; } }), ` ${label}`))),
    late, here, elsewhere);
  playSemantle(here, {
    start: (number, fresh) => question("start", { fresh }),
    guess: (word) => question("guess", { word }),
    hint: () => question("hint"),
    reveal: () => question("reveal"),
  });
  advise(elsewhere, question, model);
}

// Guesses and scores of a game elsewhere: what fits, what to guess next, which score looks wrong.
function advise(el, question, model) {
  const turn = inTurn();
  const guess = field("Guess", { "data-try-input": "typed-guess", size: 14, maxlength: 60 });
  const score = field("Score shown", { "data-try-input": "typed-score", size: 8, maxlength: 20, placeholder: "27.55" });
  const status = h("p", { class: "try-result", role: "status" });
  const most = h("p", { role: "status" });
  const list = h("ul", { class: "try-lines", "aria-label": "guesses and scores" });
  el.append(h("form", { class: "try-row", onsubmit: (event) => {
    event.preventDefault();
    const [word, shown] = [guess.input.value.trim(), score.input.value.trim()];
    if (!word) return guess.complain("Type the word that you guessed.");
    if (!shown) return score.complain("Type the score that the game showed.");
    turn(() => send("add", { word, shown }));
  } }, guess.row, score.row, h("button", { type: "submit" }, "Add"), button("Start again", () => turn(() => send("forget", {})))), status, most, list);

  async function send(name, details) {
    const answer = await question(name, details);
    guess.complain(answer.unknown ? answer.problem : "");
    score.complain(answer.problem && !answer.unknown ? answer.problem : "");
    if (answer.problem) return;
    if (name === "add" && guess.input.value.trim() === details.word) {
      guess.input.value = score.input.value = "";
      guess.input.focus();
    }
  }

  function draw() {
    const { said, suspect, next, rows, remaining, likely } = model.get("advice");
    status.replaceChildren(h("span", { "data-try-output": "advice", "data-value": remaining }, said), ...(next ? [" ", button(`Guess ${next} next`, () => {
      guess.input.value = next;
      score.input.focus();
    })] : []));
    most.textContent = likely.length ? `If it has others, most likely: ${likely.map(([word, chance]) => `${word} ${(100 * chance).toFixed(1)} %`).join(", ")}.` : "";
    list.replaceChildren(...rows.map(([word, shown]) => h("li", { class: word === suspect ? "try-here" : "" }, `${word} ${shown} `, word === suspect ? h("b", {}, "looks wrong ") : "",
      button("Remove", () => turn(() => send("remove", { word })).then(() => guess.input.focus()), { "aria-label": `remove ${word}` }))));
  }
  model.on("change:advice", draw);
  draw();
}

export default { render };
