/** Runs the command, in a process or in a test. */
import type { CommanderError } from "commander";
import { engines } from "../../package.json";
import { oldNode } from "../problems";
import { paint } from "../render/text/paint";
import { isAtLeast } from "../lib/values";
import { prepareArguments } from "./arguments";
import { failureText } from "./failure";
import { EXIT, type ExitCode, type Io } from "./io";
import { refuseSingleDash, usageError } from "./mistyped";
import { type Flags, makeProgram, type VerbName } from "./program";
import type * as Verbs from "./verbs";

/** Loads the verbs when one is called: the help does not need them. */
export type LoadVerbs = (verb: VerbName) => typeof Verbs;

// eslint-disable-next-line @typescript-eslint/no-require-imports -- not before it is called
const fromModule: LoadVerbs = () => require("./verbs") as typeof Verbs;

/**
 * Runs the command. It throws nothing: errors are written to stderr.
 * @param argv the arguments after the command's name
 * @returns the exit code
 */
export async function main(argv: readonly string[], io: Io, loadVerbs = fromModule): Promise<ExitCode> {
  let code: ExitCode = EXIT.ok;
  const talk = paint(false, io.stderr.columns);
  const program = makeProgram(
    async (verb, operands, flags) => {
      code = await loadVerbs(verb).run(
        { verb, operands, flags: flags as Flags<VerbName>, argv, program },
        io,
      );
    },
    (text) => io.stdout.write(paint(false, io.stdout.columns).fit(text)),
  );
  if (argv.length === 0) {
    io.stderr.write(talk.fit(program.helpInformation()));
    return EXIT.failed;
  }
  try {
    refuseSingleDash(argv, program);
    await program.parseAsync(prepareArguments(argv), { from: "user" });
    return code;
  } catch (error) {
    // Help and version arrive as errors too, with exit code 0.
    if (isCommanderError(error) && error.exitCode === 0) return EXIT.ok;
    const problem = isCommanderError(error) ? usageError(error, argv, program) : error;
    io.stderr.write(`${talk.fit(failureText(problem, io, talk))}\n`);
    return EXIT.failed;
  }
}

function isCommanderError(error: unknown): error is CommanderError {
  return error instanceof Error && "code" in error && String(error.code).startsWith("commander.");
}

const OLDEST = engines.node.replace(">=", "");

/**
 * @param version without a `v`: `20.18.1`
 * @throws oldNode
 */
export function requireNode(version: string): void {
  if (!isAtLeast(version, OLDEST)) throw oldNode.error({ oldest: OLDEST, version });
}
