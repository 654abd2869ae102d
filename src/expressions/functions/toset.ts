import { convert } from "../conversions/convert";
import { defineStructural } from "./definition";
import { anything } from "./parameter";

export const toset = defineStructural("toset", [anything("v")], ([v]) =>
  convert(v, { kind: "set", element: "any" }),
);
