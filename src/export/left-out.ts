/** Lists the parts of records that the code lacks, and the reasons: the language cannot declare them, or the project declares them already. */
import { textLiteral } from "./quoted";

/** A record, or a token, as people call it. */
export interface Named {
  readonly noun: "account" | "user" | "token";
  /** Name, login, or `login/name`. */
  readonly name: string;
}

/** A record that cannot be exported. */
export interface LeftOut extends Named {
  readonly id: string;
  /** One sentence or more. */
  readonly reason: string;
}

/** State of a record in a project: it is declared by this stack, or by another one of the given name, or is to be deleted. */
export type ProjectsWord = "declared" | "removed" | { readonly elsewhere: string };

/** Begins every exported file, and distinguishes it from files of people. */
export const EXPORT_MARKER = "Written by `tenancy export`.";

export const NEVER_SHOWN =
  "No service shows passwords, tokens, secrets of second factors and templates, so they are not in it.";

/** A record that is not in the code, and why. */
export function leftOutSentence({ noun, name, id, reason }: LeftOut): string {
  return `Not here: the ${noun} ${textLiteral(name)} (${textLiteral(id).slice(1, -1)}). ${reason}`;
}

/** Most names that are listed of each kind. */
const MOST_EXAMPLES = 10;

/** Records that the project declares already, a sentence for each kind. */
export function declaredSentences(declaredRecords: readonly Named[]): readonly string[] {
  return (["account", "user", "token"] as const).flatMap((noun) => {
    const names = declaredRecords.filter((one) => one.noun === noun).map(({ name }) => textLiteral(name));
    if (names.length === 0) return [];
    const more = names.length - MOST_EXAMPLES;
    const listing = [...names.slice(0, MOST_EXAMPLES), ...(more > 0 ? [`${more} more`] : [])].join(", ");
    return [
      `Declared already, so not exported again: the ${names.length === 1 ? noun : `${noun}s`} ${listing}.`,
    ];
  });
}
