/**
 * The page's only script: the search. It hides rows without a match, box by box, so a key costs little even with many rows: a box without a match is
 * hidden as a whole. The script is a text, so no build changes the input of the policy's hash.
 */
export const SCRIPT = `
"use strict";
(() => {
  const form = document.querySelector("form");
  const input = form.querySelector("input");
  const told = form.querySelector("output");
  const matrices = [...document.querySelectorAll("details.matrix")];
  const boxesOf = new Map();

  // Read when somebody first searches: a page that is only read pays nothing, nor does a matrix that nobody opens.
  const read = (root) => {
    const byBox = new Map();
    for (const element of root.querySelectorAll(root === document ? ".s" : "tbody tr")) {
      if (root === document && element.closest("details.matrix") !== null) continue;
      const box = element.closest(".box");
      const entries = byBox.get(box) ?? [];
      byBox.set(box, entries);
      const named = element.querySelector(":scope > .head > .who, :scope > th") ?? element;
      const names = element.querySelector("details.names");
      entries.push({ element, text: named.textContent.toLowerCase(), names });
    }
    return [...byBox].map(([box, entries]) => ({ box, entries, text: entries.map(({ text }) => text).join("\\n") }));
  };

  /** Hides what does not match below an element, and counts what does. */
  const filter = (root, wanted) => {
    if (!boxesOf.has(root)) boxesOf.set(root, read(root));
    let found = 0;
    for (const { box, entries, text } of boxesOf.get(root)) {
      const some = wanted === "" || text.includes(wanted);
      if (box.hidden === some) box.hidden = !some;
      if (!some) continue;
      for (const { element, text, names } of entries) {
        const hit = wanted === "" || text.includes(wanted);
        if (element.hidden === hit) element.hidden = !hit;
        if (names !== null) unfold(names, hit && wanted !== "");
        else if (hit) found++;
      }
    }
    return found;
  };

  const search = () => {
    const wanted = input.value.trim().toLowerCase();
    const found = filter(document, wanted);
    for (const matrix of matrices) if (matrix.open) filter(matrix, wanted);
    for (const fold of document.querySelectorAll(".fold"))
      unfold(fold, wanted !== "" && fold.querySelector(".box:not([hidden]) .s:not([hidden])") !== null);
    for (const section of document.querySelectorAll("section"))
      section.hidden = wanted !== "" && section.querySelector(".box:not([hidden])") === null;
    told.textContent = wanted === "" ? "" : found === 0 ? "Nothing found" : found + " found";
  };

  // What the reader has opened stays open when the search is over.
  const opened = new Set();
  const unfold = (details, wanted) => {
    if (wanted && !details.open) {
      details.open = true;
      opened.add(details);
    } else if (!wanted && opened.delete(details)) details.open = false;
  };

  // Of many people the page has the cells as letters, a letter for each column. What is opened is written then.
  const CELLS = { g: "+", d: "\u2295", l: "\u2212", h: "\u2022", u: "?" };
  const SHAPES = { destructive: "\u25b2", privileged: "\u25c6", "unknown right": "?" };
  const columnsOf = (matrix) => JSON.parse(matrix.dataset.columns);

  /** Rights behind their number, a line for each group, dangerous ones first. */
  const writeRights = (details) => {
    const { rights: letter, ordinary } = details.dataset;
    delete details.dataset.rights;
    const { cells } = details.closest(".card").dataset;
    const columns = columnsOf(details.closest("section").querySelector(".matrix"));
    const lines = new Map();
    columns.forEach(([group, name, ...marks], index) => {
      if (cells[index] !== letter || (ordinary !== undefined && marks.length > 0)) return;
      const text = marks.length === 0 ? name : marks.map((mark) => SHAPES[mark] ?? "").join("") + " " + name + " (" + marks.join(", ") + ")";
      lines.set(group, [...(lines.get(group) ?? []), { text, marks: marks.length }]);
    });
    for (const [group, rights] of lines) {
      const line = document.createElement("p");
      const label = document.createElement("b");
      label.textContent = group;
      line.append(label, " " + rights.sort((a, b) => b.marks - a.marks).map(({ text }) => text).join(", "));
      details.append(line);
    }
  };

  /** The table of one group of rights, in pieces of a hundred rows: the browser lays out those in sight alone. */
  const writeTable = (frame) => {
    const matrix = frame.closest(".matrix");
    const columns = columnsOf(matrix);
    const first = Number(frame.dataset.first);
    const [group] = columns[first];
    const places = columns.flatMap((column, index) => (column[0] === group ? [index] : []));
    frame.classList.remove("unwritten");
    let body;
    let count = 0;
    for (const card of matrix.closest("section").querySelectorAll(".card[data-cells]")) {
      const { cells } = card.dataset;
      if (places.every((index) => cells[index] === ".")) continue;
      if (count++ % 100 === 0) {
        const box = document.createElement("div");
        box.className = "box lazy";
        const table = frame.cloneNode(true);
        body = document.createElement("tbody");
        table.append(body);
        box.append(table);
        frame.before(box);
      }
      const row = body.insertRow();
      const head = document.createElement("th");
      head.scope = "row";
      head.append(card.querySelector(":scope > .head > .who").cloneNode(true));
      row.append(head);
      for (let index = 0; index < places.length;) {
        const cell = row.insertCell();
        const state = cells[places[index]];
        let end = index + 1;
        if (state === ".") {
          while (end < places.length && cells[places[end]] === ".") end++;
          cell.colSpan = end - index;
        } else {
          cell.className = state + (columns[places[index]].length > 2 && state !== "h" ? "x" : "");
          cell.textContent = CELLS[state];
        }
        index = end;
      }
    }
    frame.remove();
    boxesOf.delete(matrix);
  };

  const write = (details) => {
    if (details.dataset.rights !== undefined) writeRights(details);
    if (!details.matches(".group") || !details.closest(".matrix").open) return;
    for (const frame of details.querySelectorAll("table.unwritten")) writeTable(frame);
    if (input.value !== "") filter(details.closest(".matrix"), input.value.trim().toLowerCase());
  };
  document.addEventListener("toggle", ({ target }) => target.open && write(target), true);

  form.hidden = document.querySelector(".s") === null;
  form.addEventListener("submit", (event) => event.preventDefault());
  input.addEventListener("input", search);
  for (const matrix of matrices)
    matrix.addEventListener("toggle", () => {
      if (matrix.open && (input.value !== "" || boxesOf.has(matrix))) filter(matrix, input.value.trim().toLowerCase());
    });
  // Who comes back to the page may find the box filled in.
  if (input.value !== "") search();

  // On paper nothing can be opened. A matrix that nobody opened is left out: the cards say the same.
  let closed = [];
  addEventListener("beforeprint", () => {
    closed = [...document.querySelectorAll("details:not([open], .matrix)")].filter(
      (one) => one.closest("details.matrix:not([open])") === null,
    );
    for (const details of closed) {
      write(details);
      details.open = true;
    }
  });
  addEventListener("afterprint", () => {
    for (const details of closed) details.open = false;
  });
})();
`;
