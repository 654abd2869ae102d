// Reads pages from stdin, as a JSON list of texts, and prints what a browser's parser makes of them, with the errors that it finds.
import { parse } from "parse5";

let input = "";
for await (const chunk of process.stdin) input += chunk;

const nodeOf = ({ nodeName, value, attrs, childNodes = [] }) => ({
  name: nodeName,
  ...(value !== undefined && { value }),
  ...(attrs !== undefined && {
    attributes: Object.fromEntries(attrs.map(({ name, value }) => [name, value])),
  }),
  children: childNodes.map(nodeOf),
});

process.stdout.write(
  JSON.stringify(
    JSON.parse(input).map((text) => {
      const errors = [];
      const root = parse(text, { onParseError: ({ code }) => errors.push(code) });
      return { ...nodeOf(root), errors };
    }),
  ),
);
