// needs: shared.js
// What the best play after a first guess costs, over all possible answers.

function render({ model, el }) {
  prepare(el, "opener");
  const data = model.get("data"), words = unpackWords(data.words), lexicon = new Lexicon(words);
  const totals = unpackNumbers(data.totals, data.width), exact = marked(words, data.exact);
  const least = Math.min(...totals), sorted = [...totals].sort((a, b) => a - b);
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
      const own = totals[place(one)], better = sorted.findIndex((value) => value >= own);
      total.textContent = number(own);
      total.dataset.value = own;
      rank.textContent = number(better + 1);
      rank.dataset.value = better + 1;
      const most = exact.has(one);
      // Words whose bound is lower may need more in truth, and then stand behind this one.
      const settled = words.every((other, at) => totals[at] >= own || exact.has(other));
      status.replaceChildren(`From ${one.toUpperCase()}, the best play needs ${most ? "" : "at least "}`, total,
        ` guesses for ${number(data.answers)} answers, ${mean(own)} a game. `,
        own === least ? "No first guess needs fewer" : `That is ${most ? "" : "at least "}${number(own - least)} more than the best`,
        most ? ": rank " : ". By this bound its rank is ", rank, most && !settled ? " or better" : "", ` of ${number(words.length)}.`);
    }
    const rows = [...new Set([...data.examples, ...(problem ? [] : [one])])].sort((a, b) => totals[place(a)] - totals[place(b)] || (a < b ? -1 : 1));
    const worst = Math.max(1, ...rows.map((name) => totals[place(name)] - least));
    ladder.replaceChildren(h("caption", {}, "Guesses beyond the best, over all answers"),
      h("tbody", {}, rows.map((name) => {
        const lost = totals[place(name)] - least;
        return h("tr", { class: name === one ? "try-here" : "" }, h("th", { scope: "row" }, name),
          h("td", { class: "try-number" }, `${exact.has(name) ? "" : "≥ "}${number(lost)}`),
          h("td", { class: "try-bar" }, h("i", { style: `width: ${(100 * lost / worst).toFixed(1)}%` })));
      })));
  }

  word.input.addEventListener("input", show);
  show();
}

export default { render };
