// needs: shared.js
// What the best play after a first guess costs, over all possible answers.

function render({ model, el }) {
  prepare(el, "opener");
  const data = model.get("data"), words = unpackWords(data.words), lexicon = new Lexicon(words);
  const totals = unpackNumbers(data.totals, data.width), exact = marked(words, data.exact);
  const best = Math.min(...totals);
  const word = field("First guess", { "data-try-input": "word", value: data.examples[0], size: 12 });
  const total = h("b", { "data-try-output": "total" }), rank = h("b", { "data-try-output": "rank" });
  const status = h("p", { class: "try-result", role: "status" });
  const ladder = h("table", { class: "try-ladder" });
  el.append(h("div", { class: "try-row" }, word.row, data.examples.map((one) => button(one.toUpperCase(), () => {
    word.input.value = one;
    show();
  }))), status, ladder);

  const place = (one) => lexicon.index.get(one);
  const mean = (guesses) => (guesses / data.answers).toFixed(3);

  function show() {
    const one = typedWord(word.input), problem = wordProblem(one, lexicon);
    word.complain(one && problem);
    if (problem) {
      for (const output of [total, rank]) {
        delete output.dataset.value;
        output.textContent = "";
      }
      status.replaceChildren(total, rank, one ? "" : "Type a word.");
    } else {
      const own = totals[place(one)], known = exact.has(one), least = known ? "" : "at least ";
      // Words with a bound may need more in truth, and then stand further back.
      const before = words.filter((other, at) => totals[at] < own && (known || exact.has(other)));
      const open = !known ? ", or worse" : before.every((other) => exact.has(other)) ? "" : ", or better";
      total.textContent = number(own);
      total.dataset.value = own;
      rank.textContent = number(before.length + 1);
      rank.dataset.value = before.length + 1;
      status.replaceChildren(`From ${one.toUpperCase()}, the best play needs ${least}`, total,
        ` guesses for ${number(data.answers)} answers, ${least}${mean(own)} a game. `,
        known && own === best ? "No first guess needs fewer: rank " : `That is ${least}${number(own - best)} more than the best: rank `,
        rank, ` of ${number(words.length)}${open}.`);
    }
    const rows = [...new Set([...data.examples, ...(problem ? [] : [one])])].sort((a, b) => totals[place(a)] - totals[place(b)] || (a < b ? -1 : 1));
    const worst = Math.max(1, ...rows.map((name) => totals[place(name)] - best));
    ladder.replaceChildren(h("caption", {}, "Guesses beyond the best, over all answers"),
      h("tbody", {}, rows.map((name) => {
        const lost = totals[place(name)] - best;
        return h("tr", { class: name === one ? "try-here" : "" }, h("th", { scope: "row" }, name),
          h("td", { class: "try-number" }, `${exact.has(name) ? "" : "≥ "}${number(lost)}`),
          h("td", { class: "try-bar" }, h("i", { style: `width: ${(100 * lost / worst).toFixed(1)}%` })));
      })));
  }

  word.input.addEventListener("input", show);
  show();
}

export default { render };
