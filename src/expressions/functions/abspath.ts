import { resolve } from "node:path";
import { define } from "./definition";
import { text } from "./parameter";

export const abspath = define("abspath", [text("path")], ([path], { scope }) => resolve(scope.folder, path));
