// needs: shared.js
// Two words: the pattern each way, why it is not the same, and behind whom the answer hides.

function render({ model, el }) {
  prepare(el, "pair");
  const data = model.get("data"), words = unpackWords(data.words), lexicon = new Lexicon(words);
  const hidden = unpackCovers(data.covers);
  const guess = field("Guess", { "data-try-input": "guess", value: data.guess, size: 12 });
  const answer = field("Answer", { "data-try-input": "answer", value: data.answer, size: 12 });
  const there = h("p", { class: "try-result", "data-try-output": "pattern" });
  const back = h("p", { class: "try-result", "data-try-output": "reverse" });
  const why = h("div"), covers = h("div", { "data-try-output": "covers" });
  const result = h("div", { role: "status" }, there, back, why, covers);
  el.append(h("div", { class: "try-row" }, guess.row, answer.row, button("Swap", () => {
    [guess.input.value, answer.input.value] = [answer.input.value, guess.input.value];
    show();
  })), result);

  // Numbers of two bytes: for each word how many words cover it, then the first few of these.
  function unpackCovers(text) {
    const numbers = unpackNumbers(text, data.width), all = new Map();
    for (let at = 0, word = 0; at < numbers.length; word++) {
      const count = numbers[at++], named = Math.min(count, data.named);
      all.set(words[word], [count, Array.from(numbers.slice(at, at += named), (place) => words[place])]);
    }
    return all;
  }

  function show() {
    const one = typedWord(guess.input), other = typedWord(answer.input);
    guess.complain(one && wordProblem(one, lexicon));
    answer.complain(other && wordProblem(other, lexicon));
    if ([one, other].some((word) => lettersOf(word).length !== lexicon.length)) {
      for (const output of [there, back, covers]) delete output.dataset.value;
      for (const output of [there, back, why, covers]) output.replaceChildren();
      return;
    }
    const pattern = patternText(score(one, other), lexicon.length);
    const reverse = patternText(score(other, one), lexicon.length);
    there.dataset.value = pattern;
    back.dataset.value = reverse;
    there.replaceChildren(tiles(pattern, one), ` ${one.toUpperCase()} as the guess, if the answer is ${other.toUpperCase()}`);
    back.replaceChildren(tiles(reverse, other), ` ${other.toUpperCase()} as the guess, if the answer is ${one.toUpperCase()}`);
    why.replaceChildren(h("p", {}, explain(one, other, pattern, reverse)));
    const [count, named] = hidden.get(other) || [0, []];
    covers.dataset.value = named.join(" ");
    covers.replaceChildren(h("p", {}, !hidden.has(other) ? "" : count
      ? `${other.toUpperCase()} hides behind ${plural(count, "word")}: whatever is posted when it is the answer, ${count === 1 ? "that word" : "each of them"} could have been posted about too. ${count > named.length ? "Some are " : count === 1 ? "It is " : "They are "}${named.map((word) => word.toUpperCase()).join(", ")}.`
      : `${other.toUpperCase()} hides behind no word: each other word is ruled out by some line.`));
  }

  function explain(one, other, pattern, reverse) {
    const greens = [...pattern].filter((cell) => cell === "G").length, yellows = [...pattern].filter((cell) => cell === "Y").length;
    if (one === other) return "The same word: all green.";
    if (!greens && !yellows) return "They share no letter, so both ways are all grey.";
    const colours = `Both ways show ${plural(greens, "green")} and ${plural(yellows, "yellow")}.`;
    const stays = greens ? " A green letter stands at the same place in both words, so it is green both ways." : "";
    if (!yellows) return colours + stays;
    const moved = [...new Set(lettersOf(one))].filter((letter) => [...lettersOf(one)].some((c, place) => c === letter && pattern[place] === "Y"))
      .map((letter) => {
        const places = (word, shown) => [...lettersOf(word)].flatMap((c, place) => c === letter && shown[place] === "Y" ? [ORDINALS[place]] : []).join(" and ");
        return `${letter.toUpperCase()} ${places(one, pattern)} in ${one.toUpperCase()}, ${places(other, reverse)} in ${other.toUpperCase()}`;
      });
    return `${colours}${stays} A yellow letter stands elsewhere in the other word, so its square moves: ${moved.join("; ")}.`
      + (pattern === reverse ? " Here the yellow squares happen to fall on the same places." : "");
  }

  for (const { input } of [guess, answer]) input.addEventListener("input", show);
  show();
}

const ORDINALS = ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth"];

export default { render };
