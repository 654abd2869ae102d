import { readBytes } from "./support/files";
import { hash } from "./support/hash";
import { define } from "./definition";
import { text } from "./parameter";

export const filebase64sha256 = define("filebase64sha256", [text("path")], ([path], { scope }) =>
  hash("sha256", readBytes(path, scope), "base64"),
);
