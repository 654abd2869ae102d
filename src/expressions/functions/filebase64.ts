import { readBytes } from "./support/files";
import { define } from "./definition";
import { text } from "./parameter";

export const filebase64 = define("filebase64", [text("path")], ([path], { scope }) =>
  readBytes(path, scope).toString("base64"),
);
