import { convert } from "../conversions/convert";
import { defineStructural } from "./definition";
import { anything } from "./parameter";

export const tostring = defineStructural("tostring", [anything("v")], ([v]) => convert(v, "string"));
