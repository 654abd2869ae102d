import { expandHome } from "./support/files";
import { define } from "./definition";
import { text } from "./parameter";

export const pathexpand = define("pathexpand", [text("path")], ([path]) => expandHome(path));
