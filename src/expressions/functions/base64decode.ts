import { ExpressionFailed } from "../../errors";
import { textFromBytes } from "./support/bytes";
import { define } from "./definition";
import { text } from "./parameter";

export const base64decode = define("base64decode", [text("str")], ([encoded]) => {
  const str = encoded.replace(/[\r\n]/g, "");
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(str) || str.length % 4 !== 0)
    throw new ExpressionFailed("this is not base64");
  return textFromBytes(Buffer.from(str, "base64"));
});
