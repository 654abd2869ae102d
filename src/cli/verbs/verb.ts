/** What every verb is given, and what it gives back. */
import type { ExitCode } from "../exit-code";
import type { CommonFlags } from "../flags";
import type { Io } from "../io";
import type { VerbName } from "../program";
import type { Screen } from "../terminal/screen";

/** The command line, taken apart. */
export interface Call<Flags extends CommonFlags = CommonFlags> {
  readonly verb: VerbName;
  readonly operands: readonly string[];
  readonly flags: Flags;
  /** As it was typed. */
  readonly argv: readonly string[];
}

export interface Surroundings {
  readonly io: Io;
  readonly screen: Screen;
}

/** Errors that it throws are told to the user. */
export type Verb<Flags extends CommonFlags> = (
  call: Call<Flags>,
  surroundings: Surroundings,
) => Promise<ExitCode>;
