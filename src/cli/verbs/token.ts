/** `tenancy token`: the tokens that the credential store keeps, apart from an apply. */
import {
  apply,
  close,
  findToken,
  listTokens as keptTokens,
  planRotation,
  revokeToken as revoke,
  type Plan,
  type TokenRevocation,
} from "../../engine";
import { ConfirmationNeeded, NoProject, StackUnnamed } from "../../errors";
import { jsonText } from "../../render/json";
import { tokensText } from "../../render/text";
import { isList, isObject, plainText } from "../../values";
import { EXIT, type ExitCode } from "../exit-code";
import type { RevokeTokenFlags, RotateTokenFlags, TokenFlags, TokenListFlags } from "../flags";
import { stackOptions } from "../plan-options";
import type { Project } from "../project/project";
import { stacksFor, type ChosenStack } from "../project/stacks";
import { canAsk, confirm } from "../terminal/confirmation";
import { interruptible } from "../terminal/interruption";
import { typedCommand } from "../typed";
import { reporterForPeople } from "./reporter";
import type { Call, Surroundings, Verb } from "./verb";

export const listTokens: Verb<TokenListFlags> = ({ flags }, surroundings) =>
  interruptible(surroundings, async (signal) => {
    const { io, screen } = surroundings;
    const { project, stacks } = await projectOf(flags, surroundings, signal, "all");
    const lists = await keptTokens(stacks, stackOptions(flags, project, io));
    screen.print(
      flags.json === true
        ? jsonText(lists, 2)
        : lists.map((list) => tokensText(list, screen.data)).join("\n\n"),
    );
    return EXIT.ok;
  });

export const rotateToken: Verb<RotateTokenFlags> = (call, surroundings) =>
  interruptible(surroundings, async (signal) => {
    const { io, screen } = surroundings;
    const { flags, operands, argv } = call;
    requireSomebodyToAsk(call, surroundings);
    const reporter = reporterForPeople(surroundings);
    const { project, stacks } = await stacksFor(patternsOf(flags), flags, surroundings, signal);
    const compromised = flags.compromised === true;
    const made = await planRotation(onlyOne(stacks), operands[0] ?? "", {
      ...stackOptions(flags, project, io),
      allowSelfChange: flags.allowSelfChange === true,
      compromised,
      signal,
      onProgress: reporter.progress,
    });
    reporter.planned(made);
    const old = compromised ? serialsBefore(made) : [];
    if (flags.yes !== true && !(await confirm(rotationQuestion(made, old), io, signal))) {
      await close(made);
      return declined(surroundings);
    }
    const result = await apply(made, { signal, onEvent: reporter.event });
    reporter.applied(result, false, typedCommand(argv));
    if (!result.ok) return EXIT.failed;
    if (compromised) screen.tell(provenText(old));
    return EXIT.ok;
  });

export const revokeToken: Verb<RevokeTokenFlags> = (call, surroundings) =>
  interruptible(surroundings, async (signal) => {
    const { io, screen } = surroundings;
    const { flags, operands } = call;
    const name = operands[0] ?? "";
    requireSomebodyToAsk(call, surroundings);
    const { project, stacks } = await projectOf(flags, surroundings, signal, patternsOf(flags));
    const stack = stacks.length === 0 ? undefined : onlyOne(stacks);
    const options = {
      ...stackOptions(flags, project, io),
      allowSelfChange: flags.allowSelfChange === true,
      signal,
    };
    const found = await findToken(stack, name, options);
    tellBefore(found, surroundings);
    if (flags.yes !== true && !(await confirm(revocationQuestion(found), io, signal)))
      return declined(surroundings);
    const done = await revoke(stack, name, options);
    if (done.serials.length > 0) screen.tell(provenText(done.serials));
    for (const { login, name: token, startedAt } of done.intents)
      screen.tell(plainText(`Forgotten: the minting of ${login}/${token} at ${startedAt}.`));
    return EXIT.ok;
  });

/** Outside a project the environment alone says where the service is. */
async function projectOf(
  flags: TokenFlags,
  surroundings: Surroundings,
  signal: AbortSignal,
  patterns: readonly string[] | "all",
): Promise<{ readonly project: Project; readonly stacks: readonly ChosenStack[] }> {
  try {
    const named = flags.stack === undefined ? patterns : [flags.stack];
    return await stacksFor(named, flags, surroundings, signal);
  } catch (error) {
    if (!(error instanceof NoProject) || flags.stack !== undefined) throw error;
    return {
      project: { folder: surroundings.io.folder, app: "", output: "", context: undefined },
      stacks: [],
    };
  }
}

function patternsOf({ stack }: TokenFlags): readonly string[] {
  return stack === undefined ? [] : [stack];
}

function onlyOne(stacks: readonly ChosenStack[]): ChosenStack {
  const [stack, ...others] = stacks;
  if (stack === undefined || others.length > 0) throw new StackUnnamed(stacks.map(({ name }) => name));
  return stack;
}

function requireSomebodyToAsk({ verb, flags }: Call<RevokeTokenFlags>, { io }: Surroundings): void {
  if (flags.yes !== true && !canAsk(io)) throw new ConfirmationNeeded(verb);
}

function declined({ screen }: Surroundings): ExitCode {
  screen.tell("Nothing was done.");
  return EXIT.failed;
}

function tellBefore({ key, declaredAt, intents }: TokenRevocation, { screen }: Surroundings): void {
  for (const { login, name, startedAt } of intents) {
    screen.tell(
      plainText(
        `A token "${name}" of ${login} may have been minted at ${startedAt} without being kept. This only forgets the note: first check ` +
          `in the service whether ${login} has an authorization from that time that \`tenancy token list\` does not show, and revoke it there.`,
      ),
    );
  }
  if (declaredAt === undefined) return;
  screen.tell(
    screen.talk.warned(
      plainText(`${key} is still declared (${declaredAt}): the next apply mints a new one.`),
    ),
  );
}

function rotationQuestion({ changes }: Plan, old: readonly string[]): string {
  const key = changes[0]?.key ?? "";
  const end = old.length === 0 ? "" : `, and revoke ${old.join(", ")} at once`;
  return plainText(`Rotate ${key}${end}?`);
}

function revocationQuestion({ key, serials }: TokenRevocation): string {
  return plainText(
    serials.length === 0
      ? `Forget the interrupted minting of ${key}?`
      : `Revoke ${key} (${serials.join(", ")})?`,
  );
}

function provenText(serials: readonly string[]): string {
  return plainText(`Revoked, and refused by the service: ${serials.join(", ")}.`);
}

/** Serial numbers of the token that is replaced, and of those before it. */
function serialsBefore({ changes }: Plan): readonly string[] {
  const before = changes[0]?.before ?? {};
  const previous = isList(before["previous"]) ? before["previous"].filter(isObject) : [];
  return [before, ...previous].map(({ serial }) => serial).filter((serial) => typeof serial === "string");
}
