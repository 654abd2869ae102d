import { textFromBytes } from "./support/bytes";
import { readBytes } from "./support/files";
import { renderTemplate } from "./support/render-template";
import { define } from "./definition";
import { mapping, text } from "./parameter";

/** The file's text with its template sequences evaluated; it sees the given variables and nothing else. */
export const templatefile = define(
  "templatefile",
  [text("path"), mapping("vars")],
  ([path, vars], environment) =>
    renderTemplate(textFromBytes(readBytes(path, environment.scope)), vars, environment),
);
