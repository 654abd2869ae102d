import { readBytes } from "./support/files";
import { hash } from "./support/hash";
import { define } from "./definition";
import { text } from "./parameter";

export const filesha256 = define("filesha256", [text("path")], ([path], { scope }) =>
  hash("sha256", readBytes(path, scope), "hex"),
);
