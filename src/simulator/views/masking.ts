/** "4155554567" → "******4567": enough to recognise a number, too little to call it. */
export function maskNumber(number: string): string {
  const shown = number.length > 4 ? number.slice(-4) : "";
  return shown.padStart(number.length, "*");
}
