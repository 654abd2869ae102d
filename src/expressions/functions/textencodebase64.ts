import { encodeText } from "./support/character-encoding";
import { define } from "./definition";
import { text } from "./parameter";

export const textencodebase64 = define(
  "textencodebase64",
  [text("string"), text("encoding")],
  ([str, encoding]) => encodeText(str, encoding).toString("base64"),
);
