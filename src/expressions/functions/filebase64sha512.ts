import { readBytes } from "./support/files";
import { hash } from "./support/hash";
import { define } from "./definition";
import { text } from "./parameter";

export const filebase64sha512 = define("filebase64sha512", [text("path")], ([path], { scope }) =>
  hash("sha512", readBytes(path, scope), "base64"),
);
