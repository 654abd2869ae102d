/** The description language: attributes, validation, diff and wire forms. No I/O. */
export * from "./attribute";
export * from "./conform";
export * from "./description";
export * from "./diff";
export * from "./duration";
export * from "./located";
export * from "./mask";
export * from "./propose";
export * from "./read";
export * from "./same";
export * from "./terraform";
export * from "./settled";
export * from "./validate";
export * from "./version";
export * from "./words";
export * from "./write";
