import { convert } from "../conversions/convert";
import { defineStructural } from "./definition";
import { anything } from "./parameter";

export const tonumber = defineStructural("tonumber", [anything("v")], ([v]) => convert(v, "number"));
