/** How a secret may be written down. It shares no code with the product. */

/** As it is, and as JSON, JSON in JSON, code, URLs, HTML and base64 hold it; each of these also as UTF-8 that is read byte by byte. */
export function spellings(secret: string): readonly string[] {
  const inner = JSON.stringify(secret).slice(1, -1);
  const texts = [
    secret,
    inner,
    JSON.stringify(inner).slice(1, -1),
    // Between single quotation marks.
    secret.replace(/[\\']/g, "\\$&"),
    encodeURIComponent(secret),
    encodeURIComponent(inner),
    new URLSearchParams({ secret }).toString().slice("secret=".length),
    asHtml(secret),
    ...[0, 1, 2].flatMap((before) => inBase64(Buffer.from(secret), before)),
  ];
  return [...new Set([...texts, ...texts.map((text) => Buffer.from(text).toString("latin1"))])];
}

export function holds(text: string, secret: string): boolean {
  return spellings(secret).some((spelling) => text.includes(spelling));
}

/** What stands around the first place where a text holds a secret. */
export function around(text: string, secret: string): string {
  const at = Math.max(...spellings(secret).map((spelling) => text.indexOf(spelling)));
  return text.slice(Math.max(0, at - 100), at + 200);
}

/** The part of the base64 that does not depend on the bytes before the secret, such as a user's name before the password. */
function inBase64(bytes: Buffer, before: number): readonly string[] {
  const end = bytes.length - ((before + bytes.length) % 3);
  const whole = bytes.subarray((3 - before) % 3, end);
  return [whole.toString("base64"), whole.toString("base64url")];
}

function asHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
