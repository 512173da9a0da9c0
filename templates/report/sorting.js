// The heads of the table of runs sort it: up, then down. Empty values stay last.
(() => {
  "use strict";
  const table = document.getElementById("runs");
  const body = table.tBodies[0], heads = [...table.tHead.rows[0].cells];
  heads.forEach((head, column) => {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      const sign = head.getAttribute("aria-sort") === "ascending" ? -1 : 1;
      const key = (row) => row.cells[column].dataset.key;
      const rows = [...body.rows];
      const numbers = rows.every((row) => key(row) === "" || !isNaN(key(row)));
      rows.sort((a, b) => {
        if (key(a) === "" || key(b) === "") return (key(a) === "") - (key(b) === "");
        return sign * (numbers ? key(a) - key(b) : key(a).localeCompare(key(b)));
      });
      body.append(...rows);
      for (const other of heads) other.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", sign > 0 ? "ascending" : "descending");
    });
  });
})();
