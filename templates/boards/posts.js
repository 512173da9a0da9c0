// From pasted text to lines: patterns such as YG..G, rows of squares, or whole posts.

// One function, so that its text can go to a worker.
function postReader() {
  const CELLS = {};
  for (const [cells, cell] of [[".-_0BbXxNn⬛⬜◼◻▪▫◾◽", "."], ["Yy1🟨🟦", "Y"], ["Gg2🟩🟧", "G"]]) {
    for (const one of cells) CELLS[one] = cell;
  }
  const NAMES = { black: "⬛", white: "⬜", yellow: "🟨", blue: "🟦", green: "🟩", orange: "🟧" };
  const SQUARE = /[\u25AA-\u25FE\u2B1B\u2B1C\u{1F7E0}-\u{1F7EB}\u{1F534}\u{1F535}\u26AA\u26AB]/u;
  const HEADER = /(?:^|[^\d/])([1-9Xx])\/(\d{1,2})(?![\d/])/;
  // A capitalised word in front of it belongs to another game's name; a sender's name ends in a sign.
  const WORDLE = /(?:^|[^\p{L}\s]|(?:^|\s)\p{Ll}+)\s*[Ww]ordle\P{L}*?#?\s*(\d[\d.,'’\s]*)(?:[^/\n]{0,25}?)[\s(]+[1-6xX]\/6/u;
  const OTHER_GAME = /(?<!\p{L})(?!wordle|hurdle|girdle|curdle)\p{L}*rdle(?!\p{L})/iu;
  const TITLE = /(?:^|: )\s*((?![Ww][Oo][Rr][Dd][Ll][Ee])\p{Lu}\p{L}+ ?#\d+)/u; // such as Spotle #700

  // The lines of some text: { patterns: different ones in order, posts, puzzles, problems }. Problems
  // are sentences; what has one is left out, the rest is read.
  return function readLines(text, length) {
    const patterns = new Set(), puzzles = new Set(), problems = [], strangers = [];
    let post = null, posts = 0;
    const known = new Map(); // lines that hold one row and nothing else: long chats repeat them
    const solved = ({ score }) => !/x/i.test(score), promised = (one) => solved(one) ? +one.score : 6;
    const finish = () => {
      if (!post) return;
      const { name, rows, wordle } = post, wins = rows.indexOf("G".repeat(length));
      const solves = solved(post), wanted = promised(post);
      if (!wordle && !post.seen) post = null; // a word about it, no post
      else if (!wordle) problems.push(`“${shorten(name, 30)}” is a post of another game: it is left out.`);
      else if (length !== 5) problems.push(`Posts have 5 squares in a row; these words have ${length} letters.`);
      else if (!rows.length) problems.push(...(post.refused ? [] : [`“${shorten(name, 30)}” has no squares.`]));
      else if (rows.length !== wanted) problems.push(`“${shorten(name, 30)}” has ${plural(rows.length, "row")} where its score says ${wanted}: it is left out.`);
      else if (wins !== (solves ? wanted - 1 : -1)) problems.push(`The squares of “${shorten(name, 30)}” do not end as its score says: it is left out.`);
      else {
        posts++;
        puzzles.add(post.puzzle);
        rows.forEach((row) => patterns.add(row));
      }
      post = null;
    };
    const plain = text.replace(/[\uFE0E\uFE0F\u200B-\u200F\u2060]/g, "").replace(/\u00A0/g, " ")
      .replace(/:(?:large_)?(black|white|yellow|blue|green|orange)_(?:large_)?square:/g, (_, name) => NAMES[name]);
    for (let line of plain.split(/\r\n?|\n|<br>|<\/?p>/)) {
      if (post && post.wordle && known.has(line)) {
        post.rows.push(known.get(line));
        continue;
      }
      const header = line.includes("/") && HEADER.exec(line);
      if (header) {
        finish();
        const wordle = WORDLE.exec(line);
        const name = line.slice(0, header.index + header[0].length).trim();
        post = { name, score: header[1], rows: [], wordle: Boolean(wordle), puzzle: wordle && wordle[1].replace(/\D/g, "") };
        line = line.slice(header.index + header[0].length);
      }
      const other = !header && (/rdle/i.test(line) && OTHER_GAME.exec(line) || line.includes("#") && TITLE.exec(line));
      if (other) {
        finish();
        post = { name: other.at(-1), rows: [], wordle: false };
      }
      if (SQUARE.test(line)) readSquares(line);
      else if (!header) readText(line);
    }
    finish();
    if (puzzles.size > 1) problems.push(`These posts are of ${puzzles.size} different puzzles: keep to one.`);
    // Words around the lines are no mistake; words without any line are.
    if (!patterns.size && !problems.length && strangers.length) problems.push(strangers[0]);
    return { patterns: [...patterns], posts, puzzles: puzzles.size, problems };

    function refuse(problem) {
      problems.push(problem);
      if (post) post.refused = true;
    }

    function readSquares(line) {
      if (post && !post.wordle) {
        post.seen = true;
        return;
      }
      for (const run of line.match(/(?:[\p{So}\u25AA-\u25FE] ?)+/gu) || []) {
        const cells = [...run.replaceAll(" ", "")];
        if (!cells.some((cell) => SQUARE.test(cell))) continue; // other emoji, next to the squares
        const odd = cells.find((cell) => !(cell in CELLS));
        if (odd) refuse(`${odd} is not a square that Wordle uses: its row is left out.`);
        else if (/[🟦🟧]/u.test(run) && /[🟨🟩]/u.test(run)) refuse("A row mixes two sets of colours: it is left out.");
        else if (cells.length % length || (cells.length > length && !post)) {
          refuse(`A row has ${plural(cells.length, "square")}; it needs ${length}.`);
        } else {
          if (cells.length === length && run === line) known.set(line, cells.map((cell) => CELLS[cell]).join(""));
          for (let at = 0; at < cells.length; at += length) {
            const row = cells.slice(at, at + length).map((cell) => CELLS[cell]).join("");
            if (post) post.rows.push(row);
            else patterns.add(row);
          }
        }
      }
    }

    function readText(line) {
      for (const token of line.split(/[\s,;|]+/).filter(Boolean)) {
        const cells = [...token];
        if (!cells.every((cell) => cell in CELLS)) {
          if (strangers.length < 1) strangers.push(`“${shorten(token)}” is not a line: type . for grey, Y for yellow, G for green, or paste squares.`);
        } else if (cells.length !== length) {
          if (!post && cells.length > 1) problems.push(`“${shorten(token)}” has ${plural(cells.length, "sign")}; a line has ${length}.`);
        } else {
          if (post?.wordle && post.rows.length === promised(post)) finish(); // a line of its own
          if (!post) patterns.add(cells.map((cell) => CELLS[cell]).join(""));
        }
      }
    }
  };
}

const readLines = postReader();
