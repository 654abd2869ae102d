/** What may compose with its neighbour, or be composed differently: nothing below the combining marks is. */
const MAY_COMPOSE = /[\u0300-\uffff]/;

/**
 * A text in Unicode's normal form NFC, in which texts are compared: "é" is one text, however it was typed. Most texts are in it already, which
 * a look finds out in a fraction of the time that normalising takes.
 */
export function normalForm(text: string): string {
  return MAY_COMPOSE.test(text) ? text.normalize("NFC") : text;
}
