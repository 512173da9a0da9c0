// needs: shared.js
// All patterns as a map: those that a word can give when it is the answer light up.

function render({ model, el }) {
  prepare(el, "word-map");
  const data = model.get("data"), words = unpackWords(data.words), lexicon = new Lexicon(words);
  const { length } = lexicon, left = Math.floor(length / 2), across = 3 ** (length - left), all = 3 ** length;
  const word = field("Answer", { "data-try-input": "word", value: data.examples[0], size: 12 });
  const count = h("b", { "data-try-output": "count" });
  const status = h("p", { class: "try-result", role: "status" });
  const about = h("p", { class: "try-about", role: "status" });
  const squares = Array.from({ length: all }, (_, code) =>
    h("div", { id: newId(), role: "option", "data-code": code }));
  const map = h("div", {
    class: "try-map", role: "listbox", tabindex: "0", "aria-label": "map of all patterns",
    style: `--columns: ${across}`,
  }, squares);
  // In front of each row its first squares, above each column its last ones.
  const strip = (text, kind) => h("span", { class: `try-strip ${kind}`, "aria-hidden": "true" },
    [...text].map((cell) => h("i", { class: `try-${COLOURS[".YG".indexOf(cell)]}` })));
  const frame = h("div", { class: "try-map-frame", style: `--columns: ${across}` },
    h("div", { class: "try-heads" }, Array.from({ length: across }, (_, code) => strip(patternText(code, length - left), "down"))),
    h("div", { class: "try-sides" }, Array.from({ length: all / across }, (_, code) => strip(patternText(code, left), "along"))),
    map);
  el.append(
    h("div", { class: "try-row" }, word.row, data.examples.map((one) => button(one.toUpperCase(), () => {
      word.input.value = one;
      show();
    }))),
    status, frame, about);

  let guesses = [], chosen = 0, held = 0; // held: what was clicked, while the mouse is elsewhere

  function show() {
    const typed = typedWord(word.input), problem = wordProblem(typed, lexicon);
    word.complain(typed && problem);
    guesses = Array.from({ length: all }, () => []);
    if (problem) {
      delete count.dataset.value;
      count.textContent = "";
      status.replaceChildren(count, typed ? "" : "Type a word.");
    } else {
      lexicon.patterns(typed).forEach((code, place) => guesses[code].push(words[place]));
      count.dataset.value = count.textContent = guesses.filter((some) => some.length).length;
      status.replaceChildren(`As the answer, ${typed.toUpperCase()} can show `, count, ` of the ${number(all)} patterns. The stronger the blue, the more guesses give it.`);
    }
    const most = Math.max(1, ...guesses.map((some) => some.length));
    squares.forEach((square, code) => {
      const some = guesses[code].length;
      square.className = some ? "try-lit" : "";
      square.style.setProperty("--much", some ? (25 + 75 * Math.log(some) / Math.log(most + 1)).toFixed(0) + "%" : "0%");
      square.setAttribute("aria-label", `${[...patternText(code, length)].map((c) => COLOURS[".YG".indexOf(c)]).join(" ")}: ${plural(some, "guess", "guesses")}`);
    });
    choose(chosen);
  }

  function choose(code) {
    chosen = code;
    squares.forEach((square, one) => square.setAttribute("aria-selected", String(one === code)));
    map.setAttribute("aria-activedescendant", squares[code].id);
    const text = patternText(code, length), some = guesses[code];
    about.replaceChildren(tiles(text), isImpossible(text) ? " No guess gives this against any answer."
      : !some.length ? " No allowed guess gives this." : ` ${plural(some.length, "guess gives", "guesses give")} this: ${some.slice(0, 6).join(", ")}${some.length > 6 ? ", …" : ""}`);
  }

  map.addEventListener("click", (event) => {
    if (event.target.dataset.code) choose(held = +event.target.dataset.code);
  });
  map.addEventListener("mouseleave", () => choose(held));
  map.addEventListener("mouseover", (event) => {
    if (event.target.dataset.code) choose(+event.target.dataset.code);
  });
  map.addEventListener("keydown", (event) => {
    const step = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -across, ArrowDown: across, Home: -all, End: all }[event.key];
    if (!step) return;
    event.preventDefault();
    const next = chosen + step;
    choose(held = Math.abs(step) === across && (next < 0 || next >= all) ? chosen : Math.min(all - 1, Math.max(0, next)));
  });
  word.input.addEventListener("input", show);
  show();
}

export default { render };
