import { posix } from "node:path";
import { define } from "./definition";
import { text } from "./parameter";

export const dirname = define("dirname", [text("path")], ([path]) =>
  posix.join(path.replace(/[^/]*$/, ""), ".").replace(/(?<=.)\/$/, ""),
);
