import type { Action } from "../../plan";
import type { Paint, Painter } from "./paint";

/** The symbols of actions, as Terraform's users know them. */
export const SYMBOLS: Readonly<Record<Action, string>> = {
  create: "+",
  update: "~",
  replace: "-/+",
  delete: "-",
  none: "=",
};

export function painterOf(action: Action, paint: Paint): Painter {
  switch (action) {
    case "create":
      return paint.added;
    case "update":
      return paint.changed;
    case "replace":
    case "delete":
      return paint.removed;
    case "none":
      return paint.faint;
  }
}
