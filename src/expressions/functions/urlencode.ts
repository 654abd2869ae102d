import { define } from "./definition";
import { text } from "./parameter";

/** As in a query: a space becomes `+`. */
export const urlencode = define("urlencode", [text("str")], ([str]) =>
  encodeURIComponent(str)
    .replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
    .replace(/%20/g, "+"),
);
