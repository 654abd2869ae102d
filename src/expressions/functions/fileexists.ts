import { isFile } from "./support/files";
import { define } from "./definition";
import { text } from "./parameter";

export const fileexists = define("fileexists", [text("path")], ([path], { scope }) => isFile(path, scope));
