(() => {
  "use strict";
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];

  // On a small screen a table that is too wide stands with a row below the other. What is no table
  // in the eyes of the browser any more stays one for those who listen to it.
  const ROLES = { TABLE: "table", THEAD: "rowgroup", TBODY: "rowgroup", TR: "row", TD: "cell" };
  const stack = (table) => {
    const names = all("thead th", table).map((head) => head.textContent);
    for (const part of [table, ...all("thead, tbody, tr, td", table)]) part.setAttribute("role", ROLES[part.tagName]);
    for (const head of all("th", table)) head.setAttribute("role", head.scope === "row" ? "rowheader" : "columnheader");
    for (const cell of all("tbody td", table)) cell.dataset.label = names[cell.cellIndex] || "";
    table.classList.add("stacked");
  };

  // A box that has nothing to scroll is no stop for the tab key, and no group of its own.
  const boxes = all(".scroll").map((box) => [box, box.getAttribute("aria-label")]);
  const fit = () => {
    for (const [box, label] of boxes) {
      const table = box.querySelector("table:not(.ledger):has(thead)");
      if (table) {
        table.classList.remove("stacked");
        if (innerWidth < 700 && box.scrollWidth > box.clientWidth + 1) stack(table);
      }
      if (box.scrollWidth > box.clientWidth + 1) {
        box.tabIndex = 0;
        box.setAttribute("role", "group");
        box.setAttribute("aria-label", label);
      } else {
        for (const name of ["tabindex", "role", "aria-label"]) box.removeAttribute(name);
      }
    }
  };
  addEventListener("resize", fit);
  addEventListener("load", fit);
  fit();

  const button = document.getElementById("show-code");
  if (button) {
    button.hidden = false;
    button.addEventListener("click", () => {
      const show = button.getAttribute("aria-pressed") !== "true";
      button.setAttribute("aria-pressed", show);
      for (const code of all("details.code")) code.open = show;
    });
  }

  // On a small screen the title comes first, and the contents wait to be opened.
  const contents = document.getElementById("contents");
  if (contents && !matchMedia("(min-width: 64rem)").matches) contents.open = false;

  // The contents follow along: the last heading above the middle third is where the reader is.
  const links = all(".contents a");
  const targets = links.map((link) => document.getElementById(decodeURIComponent(link.hash.slice(1))));
  let waiting = false;
  const follow = () => {
    waiting = false;
    let here = 0;
    targets.forEach((target, i) => {
      if (target && target.getBoundingClientRect().top < innerHeight / 3) here = i;
    });
    if (innerHeight + scrollY >= document.documentElement.scrollHeight - 2) here = links.length - 1;
    links.forEach((link, i) => {
      if (i === here) link.setAttribute("aria-current", "true");
      else link.removeAttribute("aria-current");
    });
  };
  if (links.length) {
    addEventListener("scroll", () => {
      if (!waiting) requestAnimationFrame(follow);
      waiting = true;
    }, { passive: true });
    follow();
  }

  // A link to what lies in a fold opens it.
  const reveal = () => {
    const target = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    const fold = target && target.closest("details");
    if (fold) fold.open = true;
    return target;
  };

  const filter = document.getElementById("filter");
  if (filter) {
    const rows = all("#ledger tbody tr");
    const plain = document.getElementById("plain");
    const count = document.getElementById("count");
    const apply = () => {
      const essay = new FormData(filter).get("essay"), verdict = new FormData(filter).get("verdict");
      let shown = 0;
      for (const row of rows) {
        row.hidden = (essay && row.dataset.essay !== essay) || (verdict && row.dataset.verdict !== verdict);
        shown += !row.hidden;
      }
      // One verdict lies on one side of the fold.
      if (verdict) plain.open = rows.some((row) => !row.hidden && plain.contains(row));
      const folded = rows.filter((row) => !row.hidden && plain.contains(row)).length;
      count.textContent = `${shown} of ${rows.length} rows` + (folded && !plain.open ? `, ${folded} of them folded` : "");
      fit();
    };
    filter.hidden = false;
    filter.addEventListener("change", apply);
    filter.addEventListener("reset", () => setTimeout(() => { plain.open = false; apply(); }));
    plain.addEventListener("toggle", apply);
    apply();
    for (const link of all(".tally a")) {
      link.addEventListener("click", () => {
        filter.elements.verdict.value = link.dataset.verdict;
        apply();
      });
    }
    // A link from a report to a statement shows it, whatever is filtered.
    const find = () => {
      const row = reveal();
      if (row && row.hidden) {
        filter.reset();
        setTimeout(() => { plain.open = plain.contains(row); row.scrollIntoView(); });
      } else if (row) {
        row.scrollIntoView();
      }
    };
    addEventListener("hashchange", find);
    if (location.hash) find();
  }
})();
