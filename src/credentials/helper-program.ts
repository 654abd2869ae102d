/** One call of a credential helper: a verb as its last argument, JSON in, JSON out. */
import { execFile, type ExecFileException } from "node:child_process";
import { basename } from "node:path";
import { CredentialHelperFailed } from "../errors";
import {
  isObject,
  parseJson,
  stringifyJson,
  withoutCredentials,
  type Environment,
  type ObjectValue,
  type Value,
} from "../values";
import { commandWords } from "./command-words";

const PROTOCOL = 1;

export type HelperVerb = "get" | "store" | "erase" | "lock" | "unlock";

export interface HelperOptions {
  /** The program with its arguments. A shell is not involved: quotes work, variables don't. */
  readonly command: string;
  /** The helper's environment, from which the run's credentials are taken out. @default that of this process */
  readonly environment?: Environment;
  /** Milliseconds that one call may take. @default 60000 */
  readonly timeout?: number;
}

const DEFAULT_TIMEOUT = 60_000;
const LARGEST_ANSWER = 512 * 2 ** 20;

/** Shorter texts are no secrets, and to hide them would hide the sense of what a helper says. */
const SHORTEST_SECRET = 8;

export class HelperProgram {
  /** The program and the script that it runs, if any, without folders. The other arguments are nobody's business. */
  readonly name: string;
  readonly #words: [string, ...string[]];
  readonly #options: HelperOptions;

  /** @throws UnfitHelperCommand */
  constructor(options: HelperOptions) {
    this.#words = commandWords(options.command);
    this.#options = options;
    const [program, script = "-"] = this.#words;
    this.name = [program, ...(script.startsWith("-") ? [] : [script])]
      .map((word) => basename(word))
      .join(" ");
  }

  /** @throws CredentialHelperFailed */
  async call(verb: HelperVerb, request: ObjectValue): Promise<ObjectValue> {
    const { error, stdout, stderr } = await this.#run(
      verb,
      stringifyJson({ protocol: PROTOCOL, ...request }),
    );
    if (error !== null) {
      const words = withoutSecrets(stderr, [request.value, stdout]);
      throw new CredentialHelperFailed(this.name, verb, this.#faultOf(error), words);
    }
    const answer = stdout.trim() === "" ? {} : parsed(stdout);
    if (!isObject(answer))
      throw new CredentialHelperFailed(this.name, verb, "answered with something other than a JSON object");
    return answer;
  }

  #run(
    verb: HelperVerb,
    input: string,
  ): Promise<{ error: ExecFileException | null; stdout: string; stderr: string }> {
    const [program, ...args] = this.#words;
    const options = {
      env: withoutCredentials(this.#options.environment ?? process.env),
      timeout: this.#options.timeout ?? DEFAULT_TIMEOUT,
      killSignal: "SIGKILL",
      maxBuffer: LARGEST_ANSWER,
      windowsHide: true,
    } as const;
    return new Promise((resolve) => {
      const child = execFile(program, [...args, verb], options, (error, stdout, stderr) =>
        resolve({ error, stdout, stderr }),
      );
      // A helper need not read what it has no use for.
      child.stdin?.on("error", () => undefined);
      child.stdin?.end(input);
    });
  }

  #faultOf({ code, signal, killed }: ExecFileException): string {
    if (typeof code === "number") return `ended with status ${code}`;
    if (killed === true && typeof code !== "string")
      return `gave no answer within ${(this.#options.timeout ?? DEFAULT_TIMEOUT) / 1000} seconds`;
    return typeof code === "string" ? `could not be run (${code})` : `was ended by ${signal ?? "something"}`;
  }
}

function parsed(text: string): Value {
  try {
    return parseJson(text);
  } catch {
    return null;
  }
}

/** Takes out of a text every string that occurs in the JSON that was passed to or came from the helper. */
function withoutSecrets(text: string, sources: readonly (Value | undefined)[]): string {
  return (
    sources
      // The value is JSON in a JSON string: without the backslashes its strings are strings again.
      .flatMap((source) => (typeof source === "string" ? source.replaceAll("\\", "").split(/["\n]/) : []))
      .filter((secret) => secret.length >= SHORTEST_SECRET)
      .reduce((rest, secret) => rest.replaceAll(secret, "***"), text)
  );
}
