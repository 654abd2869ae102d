import { define } from "./definition";
import { text } from "./parameter";

export const base64encode = define("base64encode", [text("str")], ([str]) =>
  Buffer.from(str).toString("base64"),
);
