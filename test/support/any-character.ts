import fc from "fast-check";

/**
 * Any character that Unicode has room for. fast-check's own ("binary") draws the same ones, and spends a second on tables before the
 * first of them.
 */
export const anyCharacter = fc
  .nat(0x10ffff - 0x800)
  .map((code) => String.fromCodePoint(code < 0xd800 ? code : code + 0x800));
