import { readBytes } from "./support/files";
import { hash } from "./support/hash";
import { define } from "./definition";
import { text } from "./parameter";

export const filemd5 = define("filemd5", [text("path")], ([path], { scope }) =>
  hash("md5", readBytes(path, scope), "hex"),
);
