import { renderTemplate } from "./support/render-template";
import { define } from "./definition";
import { mapping, text } from "./parameter";

/** A text with its template sequences evaluated; it sees the given variables and nothing else. */
export const templatestring = define(
  "templatestring",
  [text("template"), mapping("vars")],
  ([template, vars], environment) => renderTemplate(template, vars, environment),
);
