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
  let boxes;

  // Read when somebody first searches: a page that is only read pays nothing.
  const read = () => {
    const byBox = new Map();
    for (const element of document.querySelectorAll(".s")) {
      const box = element.closest(".box");
      const entries = byBox.get(box) ?? [];
      byBox.set(box, entries);
      const text = (element.matches("tr") ? element.cells[0] : element).textContent.toLowerCase();
      entries.push({ element, text, group: element.querySelector("details .s") && element.querySelector("details") });
    }
    return [...byBox].map(([box, entries]) => ({ box, entries, text: entries.map(({ text }) => text).join("\\n") }));
  };

  const search = () => {
    boxes ??= read();
    const wanted = input.value.trim().toLowerCase();
    let found = 0;
    for (const { box, entries, text } of boxes) {
      const some = wanted === "" || text.includes(wanted);
      if (box.hidden === some) box.hidden = !some;
      if (!some) continue;
      for (const { element, text, group } of entries) {
        const hit = wanted === "" || text.includes(wanted);
        if (element.hidden === hit) element.hidden = !hit;
        if (group !== null) unfold(group, hit && wanted !== "");
        else if (hit) found++;
      }
    }
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
  // Who comes back to the page may find the box filled in.
  if (input.value !== "") search();

  // On paper nothing can be opened.
  let closed = [];
  addEventListener("beforeprint", () => {
    closed = [...document.querySelectorAll("details:not([open])")];
    for (const details of closed) details.open = true;
  });
  addEventListener("afterprint", () => {
    for (const details of closed) details.open = false;
  });
})();
`;
