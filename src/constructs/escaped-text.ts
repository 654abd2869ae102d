/** User text on its way into a synthesized stack, where every string is a template. */
import { Token } from "cdktf";
import { InvalidValue } from "../errors";

/** How tokens stand inside strings; what is inside the brackets is the library's affair. */
const TOKEN = String.raw`\$\{TfToken\[`;
const DOLLARS_BEFORE_TOKEN = new RegExp(String.raw`\$+(?=${TOKEN})`, "g");
const TEMPLATE = new RegExp(String.raw`\$\{(?!TfToken\[|"\$+"\})`, "g");

/**
 * The text so that Terraform reads it back letter by letter: `${` and `%{` are escaped. Tokens in it stay tokens.
 *
 * @throws InvalidValue where a number token was put into the text: the library cannot find it there again
 */
export function escapedText(text: string): string {
  assertNoNumberToken(text);
  if (!/[$%]\{/.test(text)) return text;
  return (
    text
      // A dollar sign just before a token would turn it into an escape.
      .replace(DOLLARS_BEFORE_TOKEN, (dollars) => `\${"${dollars}"}`)
      .replace(TEMPLATE, "$$${")
      .replaceAll("%{", "%%{")
  );
}

function assertNoNumberToken(text: string): void {
  const numbers = text.match(/-\d(?:\.\d+)?e\+\d+/g) ?? [];
  if (!numbers.some((number) => Token.isUnresolved(Number(number)))) return;
  throw new InvalidValue("a number that is known only after apply was put into a string", {
    advice: "Wrap it first: `${Token.asString(count)}`.",
  });
}
