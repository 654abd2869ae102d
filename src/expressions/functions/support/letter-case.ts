/** Case of letters, one by one: what would become several letters stays as it is, as in Terraform. */

export function toUpper(text: string): string {
  return mapLetters(text, (letter) => (oneLetter(letter.toUpperCase()) ? letter.toUpperCase() : letter));
}

export function toLower(text: string): string {
  return mapLetters(text, (letter) => String.fromCodePoint(letter.toLowerCase().codePointAt(0) ?? 0));
}

function mapLetters(text: string, change: (letter: string) => string): string {
  return Array.from(text, change).join("");
}

function oneLetter(text: string): boolean {
  return [...text].length === 1;
}
