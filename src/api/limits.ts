/** How large an answer may be. */
import { constants } from "node:buffer";

/** A list may be as large as a string can be, about 500 MiB. */
export const MAX_LIST_BYTES = constants.MAX_STRING_LENGTH;

/** One record. */
export const MAX_RECORD_BYTES = 16 * 2 ** 20;
