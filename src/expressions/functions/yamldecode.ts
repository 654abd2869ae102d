import { readYaml } from "./support/read-yaml";
import { define } from "./definition";
import { text } from "./parameter";

export const yamldecode = define("yamldecode", [text("src")], ([src]) => readYaml(src));
