// needs: shared.js lines.js posts.js
// Emojle: from posted lines to the words that can give them all.

const SHOWN = 40; // candidates named at first

function render({ model, el }) {
  prepare(el, "emojle");
  const data = model.get("data"), words = unpackWords(data.words);
  const answers = marked(words, data.answers);
  const weights = unpackNumbers(data.ranks, 3).map((rank, place) =>
    (data.offset + rank) ** -data.power * (answers.has(words[place]) ? data.factor : 1));
  const sum = weights.reduce((a, b) => a + b, 0);
  const ask = makeWorker([letterTable, lettersOf, placesOf, Lexicon, Lines], (request) => {
    if (request.words) {
      const lexicon = new Lexicon(request.words);
      globalThis.lines = new Lines(lexicon, request.weights);
      globalThis.lines.warm();
      return null;
    }
    return globalThis.lines.candidates(request);
  });
  ask({ words, weights: weights.map((weight) => weight / sum) });
  const lexicon = new Lexicon(words), { length } = lexicon; // while the worker makes its own

  const off = new Set(); // lines that the reader took out
  let readLong = null; // made when it is needed
  let listed = []; // places of the candidates among the words
  const chances = new Float64Array(words.length); // of the candidates, but for a factor
  let found = { patterns: [], problems: [] }, chosen = "", all = false, asked = null;
  let lines = null; // the lines that the candidates belong to

  // What stands on the board.
  const typed = field("Lines or posts", {
    "data-try-input": "lines", rows: 4, placeholder: "YG..G .G.YG, squares, or whole posts",
  }, "textarea");
  const squares = cells(length);
  const group = newId();
  const pool = h("fieldset", { class: "try-choice" }, h("legend", {}, "The answer is"),
    [["allowed", `any of the ${number(words.length)} allowed words`], ["answers", `one of the ${number(answers.size)} possible answers`]].map(
      ([value, label]) => h("label", {}, h("input", {
        type: "radio", name: group, value, checked: value === model.get("pool"),
        onchange: () => { model.set("pool", value); model.save_changes(); list(); },
      }), ` ${label}`)));
  const seen = h("ul", { class: "try-lines", "aria-label": "lines read" });
  const count = h("b", { "data-try-output": "count" });
  const status = h("p", { class: "try-result", role: "status" }, count, " Looking…");
  const listing = h("div", { class: "try-words", "data-try-output": "candidates", role: "group", "aria-label": "candidates" });
  const examples = h("div", { class: "try-examples", role: "status" });
  el.append(
    (data.examples || []).length ? h("p", { class: "try-row" }, "The essay’s examples: ", data.examples.map(([label, text]) =>
      button(label, () => replace(text)))) : "",
    h("div", { class: "try-row" }, squares.row, button("Add this line", () => {
      const text = squares.text();
      off.delete(text);
      // In front: under a post it would be one of its lines.
      if (found.patterns.includes(text)) share();
      else put(`${text}\n${typed.input.value}`.trim());
    }), button("Clear", () => { replace(""); typed.input.focus(); })),
    typed.row, seen, pool, status, listing, examples,
  );

  function put(text) {
    typed.input.value = text;
    read();
  }

  // Instead of everything, also of what is still being read: a newer request takes its place.
  function replace(text) {
    off.clear();
    readLong?.(["", length]);
    put(text);
  }

  function read() {
    found = readLines(typed.input.value, length);
    for (const text of off) if (!found.patterns.includes(text)) off.delete(text);
    share();
  }

  // The lines that count have changed.
  function share() {
    const active = found.patterns.filter((text) => !off.has(text));
    const wrong = active.find(isImpossible);
    const problems = [...new Set(found.problems)];
    typed.complain([
      wrong ? `${wrong} is impossible: with ${length - 1} letters in place, the last is green or grey.` : "",
      problems.length > 3 ? `${problems.slice(0, 2).join(" ")} And ${problems.length - 2} more like these.` : problems.join(" "),
    ].filter(Boolean).join(" "));
    const focused = document.activeElement && document.activeElement.dataset.line;
    seen.replaceChildren(...found.patterns.map((text) => {
      const out = off.has(text);
      return h("li", { class: out ? "try-out" : "" }, tiles(text), " ", button(out ? "Put back" : "Remove", () => {
        if (!off.delete(text)) off.add(text);
        share();
      }, { "data-line": text, "aria-label": `${out ? "put back" : "remove"} the line ${[...text].map((cell) => COLOURS[".YG".indexOf(cell)]).join(" ")}` }));
    }));
    if (focused) [...seen.querySelectorAll("button")].find((one) => one.dataset.line === focused)?.focus();
    model.set("patterns", active);
    model.save_changes();
    const key = active.join();
    if (key === asked) return list();
    asked = key;
    ask(active.map(patternCode)).then(({ places, logs }) => {
      const most = logs.reduce((a, b) => Math.max(a, b), -Infinity);
      listed = places;
      places.forEach((place, i) => { chances[place] = Math.exp(logs[i] - most); });
      all = false;
      lines = active;
      list();
    });
  }

  function list() {
    if (lines?.join() !== asked) return; // the answer is on its way
    const kept = model.get("pool") === "answers" ? listed.filter((place) => answers.has(words[place])) : listed;
    const names = [];
    let total = 0;
    for (let i = 0; i < kept.length; i++) {
      names.push(words[kept[i]]);
      total += chances[kept[i]];
    }
    count.textContent = number(kept.length);
    count.dataset.value = kept.length;
    if (!lines.length) status.replaceChildren("No line is read yet: ", count, " words may be the answer.");
    else {
      status.replaceChildren(count, kept.length === 1 ? " word can show " : " words can show ",
        ["", "this line", "both lines"][lines.length] || `all ${lines.length} lines`,
        found.posts > 1 ? ` of ${number(found.posts)} posts` : "",
        kept.length > 1 ? "; the likelier, if common words are guessed more often, come first." : ".");
    }
    listing.dataset.value = names.join(" ");
    const shown = lines.length ? likeliest(kept, all ? 1000 : SHOWN) : [], more = number(kept.length - shown.length);
    if (!names.includes(chosen)) chosen = shown.length ? words[shown[0]] : "";
    listing.replaceChildren(...shown.map((place) => {
      const word = words[place], chance = chances[place] / total;
      return button(word, () => choose(word), {
        "data-word": word, "data-chance": chance, "aria-pressed": String(word === chosen), title: percent(chance),
        style: `--chance: ${Math.round(100 * chances[place] / chances[shown[0]])}%`,
      });
    }), ...(shown.length && more !== "0" ? [all ? h("span", {}, ` and ${more} more`) : button(`Show more (${more})`, () => { all = true; list(); }, { class: "try-more" })] : []));
    explain();
  }

  // The first so many places by falling probability: sorting them all takes longer than the rest.
  function likeliest(places, many) {
    const best = [];
    for (let i = 0; i < places.length; i++) {
      const chance = chances[places[i]];
      let at = best.length;
      if (at === many && chance <= chances[best[at - 1]]) continue;
      while (at && chances[best[at - 1]] < chance) at--;
      best.splice(at, 0, places[i]);
      best.length = Math.min(best.length, many);
    }
    return best;
  }

  const percent = (chance) => chance >= 0.001 ? `${(100 * chance).toFixed(1)} %` : "under 0.1 %";

  function choose(word) {
    chosen = word;
    for (const one of listing.querySelectorAll("[data-word]")) one.setAttribute("aria-pressed", String(one.dataset.word === word));
    explain();
  }

  // For the chosen word: guesses that would have given each line, the commonest first.
  function explain() {
    if (!chosen || !lines.length) return examples.replaceChildren();
    const named = lines.slice(0, 12), guesses = new Map(named.map((text) => [patternCode(text), []]));
    lexicon.patterns(chosen).forEach((code, place) => guesses.get(code)?.push(place));
    const chance = +listing.querySelector(`[data-word="${chosen}"]`)?.dataset.chance;
    examples.replaceChildren(
      h("p", {}, "If the answer is ", h("b", {}, chosen.toUpperCase()), chance ? ` (probability ${percent(chance)})` : "", ", these guesses give the lines:"),
      h("ul", { class: "try-lines" }, named.map((text) => {
        const places = guesses.get(patternCode(text)).sort((a, b) => weights[b] - weights[a]);
        const some = places.slice(0, 5).map((place) => words[place]);
        return h("li", {}, tiles(text, some[0]), ` ${some.join(", ")}${places.length > 5 ? ` and ${number(places.length - 5)} more` : ""}`);
      }), lines.length > 12 ? h("li", {}, `and ${lines.length - 12} more lines`) : null));
  }

  let waiting = 0;
  typed.input.addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(read, typed.input.value.length > 20000 ? 150 : 0);
  });
  // A field takes seconds to draw a long text: of that it gets the different lines alone.
  typed.input.addEventListener("paste", async (event) => {
    const text = event.clipboardData.getData("text");
    if (text.length < 20000) return;
    event.preventDefault();
    typed.input.setRangeText(""); // what is selected goes at once, as with any paste
    readLong ||= makeWorker([number, plural, shorten, postReader], (asked) => postReader()(...asked));
    const { patterns, posts, problems } = await readLong([text, length]);
    const { selectionStart, selectionEnd } = typed.input;
    typed.input.setRangeText(`\n${patterns.join(" ")}\n`, selectionStart, selectionEnd, "end");
    put(typed.input.value.trim());
    Object.assign(found, { posts, problems });
    share();
  });
  model.on("change:patterns", () => {
    const wanted = model.get("patterns");
    if (wanted.join() === found.patterns.filter((text) => !off.has(text)).join()) return;
    replace(wanted.join(" "));
  });
  model.on("change:pool", () => {
    for (const radio of pool.querySelectorAll("input")) radio.checked = radio.value === model.get("pool");
    list();
  });
  put(model.get("patterns").join(" "));
}

export default { render };
