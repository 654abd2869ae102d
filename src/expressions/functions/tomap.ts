import { convert } from "../conversions/convert";
import { defineStructural } from "./definition";
import { anything } from "./parameter";

export const tomap = defineStructural("tomap", [anything("v")], ([v]) =>
  convert(v, { kind: "map", element: "any" }),
);
