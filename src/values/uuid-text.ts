const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Whether a text has the form of a uuid, in either case. */
export function isUuidText(text: string): boolean {
  return UUID.test(text);
}
