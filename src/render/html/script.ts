/**
 * The page's only script: the search. It hides what does not match, box by box, so that a key costs little however many rows there are: of a box
 * without a match the rows are left as they are, and the box is hidden. It is a text, so that no build changes what the policy's hash is of.
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

  form.hidden = false;
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
    for (const details of closed) details.open = true;
  });
  addEventListener("afterprint", () => {
    for (const details of closed) details.open = false;
  });
})();
`;
