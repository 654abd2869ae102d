import { mark, SENSITIVE } from "../marks";
import { defineStructural } from "./definition";
import { anything } from "./parameter";

export const sensitive = defineStructural("sensitive", [anything("value")], ([value]) =>
  mark(value, SENSITIVE),
);
