// Reads documents from stdin, as a JSON list of texts, and prints their syntax trees as CommonMark with GitHub's extensions has them.
import { fromMarkdown } from "mdast-util-from-markdown";
import { gfmFromMarkdown } from "mdast-util-gfm";
import { gfm } from "micromark-extension-gfm";

let input = "";
for await (const chunk of process.stdin) input += chunk;
const options = process.argv.includes("--commonmark")
  ? {}
  : { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] };
process.stdout.write(
  JSON.stringify(
    JSON.parse(input).map((text) => fromMarkdown(text, options)),
    (key, value) => (key === "position" ? undefined : value),
  ),
);
