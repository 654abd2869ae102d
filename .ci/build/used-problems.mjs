/**
 * Leaves the problems that a program does not use out of its bundle. Each is made by a call (`problem({ … })`), which esbuild would keep
 * for whatever else it may do: here it is told that the call does nothing else.
 */
import { readFile } from "node:fs/promises";

const DEFINITION = /^(export const \w+ = )(?=(?:new )?\w+[<(])/gm;

/** A plugin for esbuild. */
export const usedProblems = {
  name: "used-problems",
  setup({ onLoad }) {
    onLoad({ filter: /[/\\]src[/\\]problems[/\\][a-z-]+\.ts$/ }, async ({ path }) => ({
      contents: (await readFile(path, "utf8")).replace(DEFINITION, "$1/* @__PURE__ */ "),
      loader: "ts",
    }));
  },
};
