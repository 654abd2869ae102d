import { posix } from "node:path";
import { define } from "./definition";
import { text } from "./parameter";

export const basename = define("basename", [text("path")], ([path]) =>
  path === "" ? "." : posix.basename(path) || "/",
);
