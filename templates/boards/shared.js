// What all boards share. Python puts this file in front of a board's own file and the whole into
// the page, or hands it to anywidget: one text serves both. No build step, no library.

// --- the evaluator ---------------------------------------------------------------------------

// A pattern is a number in base 3, the first letter most significant: 0 grey, 1 yellow, 2 green.
// What the cells of one letter show depends only on the letter's places in the guess and in the
// answer. Places are sets of bits; bit 0 is the first letter. This table is the whole rule:
// greens first, then yellows from left to right while copies of the letter are left.
const letterTables = {};
function letterTable(length) {
  if (letterTables[length]) return letterTables[length];
  const size = 1 << length, table = new Uint16Array(size * size);
  for (let inGuess = 0; inGuess < size; inGuess++) {
    for (let inAnswer = 0; inAnswer < size; inAnswer++) {
      let copies = 0, code = 0;
      for (let place = 0; place < length; place++) copies += (inAnswer & ~inGuess) >> place & 1;
      for (let place = 0; place < length; place++) {
        code *= 3;
        if (!(inGuess >> place & 1)) continue;
        if (inAnswer >> place & 1) code += 2;
        else if (copies-- > 0) code += 1;
      }
      table[inGuess * size + inAnswer] = code;
    }
  }
  return (letterTables[length] = table);
}

// The letters of a word, each with its marks, as the package takes them apart.
function lettersOf(word) {
  if (/^[a-z]*$/.test(word)) return word;
  return Array.from(new Intl.Segmenter("en").segment(word), (one) => one.segment);
}

// The places of a letter among those of a word.
function placesOf(letter, letters) {
  let places = 0;
  for (let place = 0; place < letters.length; place++) if (letters[place] === letter) places |= 1 << place;
  return places;
}

// The pattern that a guess gives; both words have the same number of letters.
function score(guess, answer) {
  [guess, answer] = [lettersOf(guess), lettersOf(answer)];
  const size = 1 << guess.length, table = letterTable(guess.length);
  let code = 0;
  for (const letter of new Set(guess)) {
    code += table[placesOf(letter, guess) * size + placesOf(letter, answer)];
  }
  return code;
}

// The same for a whole list of guesses against one answer, fast: what a letter at some places shows
// is looked up once for all guesses that have it there.
class Lexicon {
  constructor(words) {
    this.words = words;
    this.length = lettersOf(words[0]).length;
    this.index = new Map(words.map((word, place) => [word, place]));
    this.table = letterTable(this.length);
    // The different (letter, places) of all words, and which of them each word has; 0 is none.
    this.parts = [["", 0]];
    this.own = new Uint16Array(words.length * this.length);
    const numbers = new Map();
    words.map(lettersOf).forEach((word, row) => {
      for (let place = 0; place < this.length; place++) {
        const letter = word[place];
        if (word.indexOf(letter) < place) continue;
        if (!numbers.has(letter)) numbers.set(letter, new Uint16Array(1 << this.length));
        const places = placesOf(letter, word), known = numbers.get(letter);
        this.own[row * this.length + place] = known[places] ||= this.parts.push([letter, places]) - 1;
      }
    });
  }

  // The pattern of every word of the list, as the guess, against this answer.
  patterns(answer) {
    const { length, own, table } = this, size = 1 << length;
    answer = lettersOf(answer);
    const shown = Uint16Array.from(this.parts, ([letter, places]) => table[places * size + placesOf(letter, answer)]);
    const codes = new Uint16Array(this.words.length);
    for (let row = 0, at = 0; row < codes.length; row++) {
      let code = 0;
      for (const end = at + length; at < end; at++) code += shown[own[at]];
      codes[row] = code;
    }
    return codes;
  }
}

function patternText(code, length) {
  let text = "";
  for (let place = 0; place < length; place++, code = Math.floor(code / 3)) {
    text = ".YG"[code % 3] + text;
  }
  return text;
}

function patternCode(text) {
  let code = 0;
  for (const cell of text) code = 3 * code + ".YG".indexOf(cell);
  return code;
}

// With every other letter in its place, the last one cannot stand elsewhere.
const isImpossible = (text) => /^G*YG*$/.test(text);

// --- data that travels -----------------------------------------------------------------------

// Sorted words, each as the number of letters that it shares with the one before, and the rest.
function unpackWords(text) {
  const words = [];
  let before = "";
  for (const [, shared, rest] of text.matchAll(/(\d)(\D*)/g)) {
    before = before.slice(0, +shared) + rest;
    words.push(before);
  }
  return words;
}

const unpackBytes = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));

// Whole numbers of so many bytes each, the least byte first.
function unpackNumbers(text, width) {
  const bytes = unpackBytes(text), numbers = new Float64Array(bytes.length / width);
  bytes.forEach((byte, at) => { numbers[Math.floor(at / width)] += byte * 256 ** (at % width); });
  return numbers;
}

// The words that a field of bits marks.
function marked(words, text) {
  const bytes = unpackBytes(text);
  return new Set(words.filter((_, place) => bytes[place >> 3] >> (place & 7) & 1));
}

// --- work beside the page --------------------------------------------------------------------

// A worker made of functions' own text, so that it works from a file too. `answer` is called with
// each request in the worker; ask(request) gives a promise of its result. A newer request takes an
// older one's place: the older promise never ends.
function makeWorker(needed, answer) {
  const source = [
    "const letterTables = {};",
    ...needed.map(String),
    `const answer = ${answer};`,
    "onmessage = ({ data: [id, request] }) => postMessage([id, answer(request)]);",
  ].join("\n");
  const worker = new Worker(`data:text/javascript;charset=utf-8,${encodeURIComponent(source)}`);
  let last = 0, done = null;
  worker.onmessage = ({ data: [id, result] }) => { if (id === last) done(result); };
  return (request) => new Promise((resolve) => {
    done = resolve;
    worker.postMessage([++last, request]);
  });
}

// --- elements --------------------------------------------------------------------------------

// h("p", { class: "note", onclick: act }, "text", child): an element. Text is never read as HTML.
function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name in element && typeof value !== "string") element[name] = value;
    else if (value !== false) element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return element;
}

const COLOURS = ["grey", "yellow", "green"];
// Functions, not constants: their text goes to a worker too.
function number(value) { return value.toLocaleString("en"); }
function plural(count, one, many = `${one}s`) { return `${number(count)} ${count === 1 ? one : many}`; }
function shorten(text, most = 20) { return text.length > most ? `${text.slice(0, most)}…` : text; }
let ids = 0;
const newId = () => `try-id-${++ids}-${Math.random().toString(36).slice(2, 7)}`;

// A pattern as squares, with the letters of a word on them if there is one.
function tiles(text, word = "") {
  const letters = lettersOf(word);
  const spoken = [...text].map((cell) => COLOURS[".YG".indexOf(cell)]).join(" ");
  return h("span", { class: "try-tiles", role: "img", "aria-label": word ? `${word}: ${spoken}` : spoken },
    [...text].map((cell, place) =>
      h("i", { class: `try-${COLOURS[".YG".indexOf(cell)]}`, "aria-hidden": "true" }, word ? letters[place].toUpperCase() : "")));
}

// A labelled text field with a place for what is wrong with it: { row, input, complain(sentence) }.
function field(label, attributes, tag = "input") {
  const id = newId();
  const input = h(tag, {
    id, autocomplete: "off", autocapitalize: "none", spellcheck: "false",
    "aria-describedby": `${id}-problem`, ...attributes,
  });
  const problem = h("p", { class: "try-problem", id: `${id}-problem`, role: "alert" });
  const complain = (sentence) => {
    if (problem.textContent !== sentence) problem.textContent = sentence;
    if (sentence) input.setAttribute("aria-invalid", "true");
    else input.removeAttribute("aria-invalid");
  };
  return { row: h("div", { class: "try-field" }, h("label", { for: id }, label), input, problem), input, complain };
}

const button = (text, act, attributes = {}) =>
  h("button", { type: "button", onclick: act, ...attributes }, text);

// A row of squares to click: { row, text(), set(text) }. Each click, or Enter or Space, turns a
// square grey, yellow, green and grey again; . Y and G set it and go on to the next.
function cells(length, change = () => {}, word = () => "") {
  const states = Array(length).fill(0);
  const draw = () => {
    const letters = lettersOf(word());
    squares.forEach((square, place) => {
      square.className = `try-cell try-${COLOURS[states[place]]}`;
      square.textContent = (letters[place] || "").toUpperCase();
      square.setAttribute("aria-label", `letter ${place + 1}${letters[place] ? `, ${letters[place]}` : ""}: ${COLOURS[states[place]]}`);
    });
  };
  const turn = (place, state) => {
    states[place] = state;
    draw();
    change();
  };
  const squares = states.map((_, place) => button("", () => turn(place, (states[place] + 1) % 3), {
    "data-try-input": `cell-${place + 1}`,
    onkeydown: (event) => {
      const state = { ".": 0, y: 1, g: 2 }[event.key.toLowerCase()];
      if (state !== undefined && !event.ctrlKey && !event.metaKey) turn(place, state);
      const step = event.key === "ArrowLeft" ? -1 : state !== undefined || event.key === "ArrowRight" ? 1 : 0;
      if (step) squares[Math.min(length - 1, Math.max(0, place + step))].focus();
    },
  }));
  draw();
  return {
    row: h("div", { class: "try-cells", role: "group", "aria-label": "colours of the letters" }, squares),
    text: () => states.map((state) => ".YG"[state]).join(""),
    set: (text) => {
      [...text].forEach((cell, place) => { states[place] = ".YG".indexOf(cell); });
      draw();
    },
    draw,
  };
}

// A text to copy.
function shareText(text) {
  const copied = h("span", { role: "status" });
  const area = h("textarea", { readonly: true, rows: text.split("\n").length, "aria-label": "text to share, without spoilers" });
  area.value = text;
  return h("div", {}, area, button("Copy", async () => {
    area.select();
    try { await navigator.clipboard.writeText(text); } catch { document.execCommand("copy"); }
    copied.textContent = " Copied.";
  }), copied);
}

const LATE = 4000; // milliseconds after which a kernel's answer is late

// One after the other: quick typing and double clicks never overtake an answer.
function inTurn() {
  let last = Promise.resolve();
  return (act) => (last = last.then(act));
}

// What a typed word should be, as a sentence if it is not that.
function wordProblem(word, lexicon) {
  const { length } = lettersOf(word);
  if (length !== lexicon.length) {
    return `“${shorten(word)}” has ${plural(length, "letter")}; the words here have ${lexicon.length}.`;
  }
  return lexicon.index.has(word) ? "" : `“${word}” is not an allowed word.`;
}

const typedWord = (input) => input.value.trim().toLowerCase().normalize("NFC").replaceAll("ς", "σ");

// JupyterLab has shortcuts on plain letters: what is typed on a board stays there, save for saving.
function prepare(el, name) {
  el.replaceChildren();
  el.classList.add("try");
  if (!el.closest("[data-try]")) el.dataset.try = name;
  el.setAttribute("data-lm-suppress-shortcuts", "true");
  el.addEventListener("keydown", (event) => {
    event.stopPropagation();
    const notebook = el.closest(".jp-Notebook");
    if (!notebook || !(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== "s") return;
    event.preventDefault();
    notebook.dispatchEvent(new KeyboardEvent("keydown", event));
  });
}

// In a page: the state stands in the section, and there is no other side.
function start(name, render) {
  for (const section of document.querySelectorAll(`section[data-try="${name}"]`)) {
    const state = JSON.parse(section.querySelector("script").textContent);
    const nothing = () => {};
    render({
      model: { get: (key) => state[key], set: (key, value) => { state[key] = value; }, on: nothing, off: nothing, save_changes: nothing },
      el: section.querySelector(".try"),
    });
  }
}
