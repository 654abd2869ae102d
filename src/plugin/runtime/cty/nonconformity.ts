import { formatPath, type Path } from "../../../values";

/** A value that its schema doesn't allow. The message tells of kinds only, never of contents: these may be secret. */
export class Nonconformity extends Error {
  readonly path: Path;

  constructor(path: Path, expected: string, found: string) {
    super(`${path.length === 0 ? "the value" : formatPath(path)} must be ${expected}, but is ${found}`);
    this.name = "Nonconformity";
    this.path = path;
  }
}
