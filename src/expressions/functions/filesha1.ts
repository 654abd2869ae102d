import { readBytes } from "./support/files";
import { hash } from "./support/hash";
import { define } from "./definition";
import { text } from "./parameter";

export const filesha1 = define("filesha1", [text("path")], ([path], { scope }) =>
  hash("sha1", readBytes(path, scope), "hex"),
);
