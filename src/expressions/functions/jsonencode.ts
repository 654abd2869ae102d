import { writeJson } from "./support/write-json";
import { define } from "./definition";
import { value } from "./parameter";

export const jsonencode = define("jsonencode", [value("val")], ([val]) => writeJson(val));
