import { writeYaml } from "./support/write-yaml";
import { define } from "./definition";
import { value } from "./parameter";

export const yamlencode = define("yamlencode", [value("value")], ([val]) => writeYaml(val));
