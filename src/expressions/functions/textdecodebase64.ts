import { decodeText } from "./support/character-encoding";
import { define } from "./definition";
import { text } from "./parameter";

export const textdecodebase64 = define(
  "textdecodebase64",
  [text("source"), text("encoding")],
  ([source, encoding]) => decodeText(Buffer.from(source, "base64"), encoding),
);
