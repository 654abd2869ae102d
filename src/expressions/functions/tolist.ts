import { convert } from "../conversions/convert";
import { defineStructural } from "./definition";
import { anything } from "./parameter";

export const tolist = defineStructural("tolist", [anything("v")], ([v]) =>
  convert(v, { kind: "list", element: "any" }),
);
