import { textFromBytes } from "./support/bytes";
import { readBytes } from "./support/files";
import { define } from "./definition";
import { text } from "./parameter";

export const file = define("file", [text("path")], ([path], { scope }) =>
  textFromBytes(readBytes(path, scope)),
);
