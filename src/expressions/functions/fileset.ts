import picomatch from "picomatch";
import { makeSet } from "../set";
import { filesBelow } from "./support/files";
import { define } from "./definition";
import { text } from "./parameter";

/** The files below a folder whose paths match, as a set of paths relative to it; `**` matches any depth. */
export const fileset = define("fileset", [text("path"), text("pattern")], ([path, pattern], { scope }) => {
  const matches = picomatch(pattern, { dot: true, nonegate: true, noextglob: true });
  return makeSet(
    "string",
    filesBelow(path, scope).filter((name) => matches(name)),
  );
});
