import { convert } from "../conversions/convert";
import { defineStructural } from "./definition";
import { anything } from "./parameter";

export const tobool = defineStructural("tobool", [anything("v")], ([v]) => convert(v, "bool"));
