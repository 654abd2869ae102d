/** `tenancy token`: lists, rotates, revokes and delivers tokens. */
import {
  apply,
  close,
  findToken,
  forgetUnknownTokens,
  type PendingTokenCreation,
  type PlanOptions,
  listTokens as keptTokens,
  planRotation,
  readToken,
  revokeToken as revoke,
  stateStatus,
  type TokenRevocation,
  type TokenSecret,
} from "../../engine";
import type { Plan } from "../../plan";
import { ambiguousToken, confirmationNeeded, noSuchToken, stackUnnamed, usage } from "../../problems";
import { jsonText } from "../../render/json";
import { diagnosticsText, tokensText } from "../../render/text";
import { counted, groupedBy, isList, isObject, nearest, plainText } from "../../lib/values";
import { type Format, FORMATS, handover } from "../consumers/formats";
import { type Consumer, type Handover, RESTART_READERS, writeHandover } from "../consumers/handover";
import { filledTemplate } from "../consumers/template";
import { stackOptions } from "../flags";
import { EXIT, type ExitCode } from "../io";
import { readNamedFile } from "../named-files";
import { typedCommand } from "../arguments";
import { type ChosenStack, stacksFor, stacksIfAny } from "../project/stacks";
import type { Flags } from "../program";
import { canAsk, confirm, interruptible, type Terminal } from "../terminal";
import { lockedPlan } from "./locked-plan";
import { reporterForPeople } from "./reporter";
import type { VerbCall, Verb } from "./verb";

/** `tenancy token list`: the tokens that the state keeps. */
export const listTokens: Verb<"token list"> = ({ operands, flags }, terminal) =>
  interruptible(terminal, async (signal) => {
    const { io, screen } = terminal;
    const stacks = await stacksIfAny(operands, flags, terminal, signal, { orAll: true });
    const lists = await keptTokens(stacks, stackOptions(flags, io));
    const now = new Date();
    screen.print(
      flags.json === true
        ? jsonText(lists, 2)
        : lists.map((list) => tokensText(list, screen.data, now)).join("\n\n"),
    );
    return EXIT.ok;
  });

/** `tenancy token rotate`: a new token for a declared one, apart from an apply. */
export const rotateToken: Verb<"token rotate"> = (call, terminal) =>
  interruptible(terminal, async (signal) => {
    const { flags, operands } = call;
    if (flags.exposed === true) return rotateExposed(call, terminal, signal);
    const { patterns, name } = operandsOf(operands);
    if (name === "")
      throw usage.error({
        problem: "no token is named",
        advice: "Name one, or pass --exposed for all exposed ones.",
      });
    requireSomebodyToAsk(call, terminal);
    const stacks = await stacksFor(patterns, flags, terminal, signal, { orAll: true });
    const stack = (await stackWith(name, stacks, stackOptions(flags, terminal.io))) ?? onlyOne(stacks);
    return rotate({ stack, name, compromised: flags.compromised === true }, call, terminal, signal);
  });

/** Rotates the tokens that an earlier key of the state shows, one after the other. */
async function rotateExposed(
  call: VerbCall<"token rotate">,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<ExitCode> {
  const { flags, operands } = call;
  requireSomebodyToAsk(call, terminal);
  const stacks = await stacksFor(operands, flags, terminal, signal, { orAll: true });
  let isAny = false;
  for (const stack of stacks) {
    const options = stackOptions(flags, terminal.io);
    const lists = await keptTokens([stack], options);
    const own = new Set(lists.flatMap(({ tokens }) => tokens.map((token) => `${token.login}/${token.name}`)));
    const { exposed } = await stateStatus(stack, options);
    for (const name of new Set(exposed.map((token) => `${token.login}/${token.name}`))) {
      // Stacks that share a file each have tokens of their own in it.
      if (!own.has(name)) continue;
      isAny = true;
      const code = await rotate({ stack, name, compromised: true }, call, terminal, signal);
      if (code !== EXIT.ok) return code;
    }
  }
  if (!isAny) terminal.screen.tell("There is no exposed token.");
  return EXIT.ok;
}

async function rotate(
  {
    stack,
    name,
    compromised,
  }: { readonly stack: ChosenStack; readonly name: string; readonly compromised: boolean },
  { flags, argv }: VerbCall<"token rotate">,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<ExitCode> {
  const { io, screen } = terminal;
  const reporter = reporterForPeople(terminal);
  const oldSerials = (rotation: Plan) => (compromised ? serialsBefore(rotation) : []);
  const rotation = await lockedPlan(terminal, {
    asks: flags.yes !== true,
    makePlan: (lockState) =>
      planRotation(stack, name, {
        ...stackOptions(flags, io),
        allowSelfChange: flags.allowSelfChange === true,
        retireEarly: flags.retireEarly === true,
        compromised,
        signal,
        ...reporter.progress,
        lockState,
      }),
    show: reporter.planned,
    agree: (candidate) => confirm(rotateQuestion(candidate, oldSerials(candidate)), io, signal),
  });
  if (rotation === undefined) return tellDeclined(terminal);
  try {
    const old = oldSerials(rotation);
    const result = await apply(rotation, { signal, onEvent: reporter.event });
    reporter.applied({ result, destroy: false, next: typedCommand(argv) });
    if (!result.ok) return EXIT.failed;
    if (compromised) screen.tell(provenText(old));
    return EXIT.ok;
  } finally {
    await close(rotation);
  }
}

function rotateQuestion({ changes }: Plan, old: readonly string[]): string {
  const key = changes[0]?.key ?? "";
  const end = old.length === 0 ? "" : `, and revoke ${old.join(", ")} at once`;
  return plainText(`Rotate ${key}${end}?`);
}

/** Serial numbers of the token that is replaced, and of those before it. */
function serialsBefore({ changes }: Plan): readonly string[] {
  const before = changes[0]?.before ?? {};
  const previous = isList(before["previous"]) ? before["previous"].filter(isObject) : [];
  return [before, ...previous].map(({ serial }) => serial).filter((serial) => typeof serial === "string");
}

/** `tenancy token revoke`: ends a token and its replaced tokens without an apply. */
export const revokeToken: Verb<"token revoke"> = (call, terminal) =>
  interruptible(terminal, async (signal) => {
    const { io, screen } = terminal;
    const { flags, operands } = call;
    const { patterns, name } = operandsOf(operands);
    if (name === "" && flags.allUnknown !== true)
      throw usage.error({ problem: "no token is named", advice: "Name one token, or pass --all-unknown." });
    requireSomebodyToAsk(call, terminal);
    const { allUnknown: isForAllUnknown = false } = flags;
    const stackPatterns = isForAllUnknown ? operands : patterns;
    const stacks = await stacksIfAny(stackPatterns, flags, terminal, signal, { orAll: true });
    const options = {
      ...stackOptions(flags, io),
      allowSelfChange: flags.allowSelfChange === true,
      signal,
      onProgress: (message: string) => screen.progress(message),
    };
    if (isForAllUnknown) {
      for (const stack of stacks.length === 0 ? [undefined] : stacks) {
        const creations = await forgetUnknownTokens(stack, {
          ...options,
          agree: async (unknownCreations) => {
            tellUnknown(unknownCreations, terminal);
            const question = `Forget ${counted(unknownCreations.length, "interrupted token creation")}?`;
            return flags.yes === true || confirm(question, io, signal);
          },
        });
        if (creations === undefined) return tellDeclined(terminal);
        tellForgotten(creations, terminal);
      }
      return EXIT.ok;
    }
    const stack = await stackWith(name, stacks, stackOptions(flags, io));
    const revocation = await findToken(stack, name, options);
    tellBefore(revocation, terminal);
    if (flags.yes !== true && !(await confirm(revokeQuestion(revocation), io, signal)))
      return tellDeclined(terminal);
    const outcome = await revoke(stack, name, {
      ...options,
      // Another run may have replaced the token while the question was open.
      agree: async (now) =>
        flags.yes === true ||
        revokeQuestion(now) === revokeQuestion(revocation) ||
        confirm(revokeQuestion(now), io, signal),
    });
    if (outcome === undefined) return tellDeclined(terminal);
    if (outcome.serials.length > 0) screen.tell(provenText(outcome.serials));
    tellForgotten(outcome.intents, terminal);
    if (outcome.warnings !== undefined) screen.tell(diagnosticsText(outcome.warnings, screen.talk));
    return EXIT.ok;
  });

/** @param creations earliest first, for each user */
function tellUnknown(creations: readonly PendingTokenCreation[], { screen }: Terminal): void {
  for (const [login, own] of groupedBy(creations, (creation) => creation.login)) {
    const names = own.map(({ name }) => JSON.stringify(name)).join(", ");
    screen.tell(
      plainText(
        `The service may have tokens of ${login} that the state lacks: a run was about to create ${names} at ${own[0]?.startedAt}. This only forgets the record: first ` +
          `look in the service for an authorization of ${login} from then or later that \`tenancy token list\` does not show, and revoke it there.`,
      ),
    );
  }
}

function tellForgotten(creations: readonly PendingTokenCreation[], { screen }: Terminal): void {
  for (const { login, name, startedAt } of creations)
    screen.tell(plainText(`Forgotten: the creation of ${login}/${name} at ${startedAt}.`));
}

function tellBefore({ key, declaredAt, intents }: TokenRevocation, terminal: Terminal): void {
  const { screen } = terminal;
  tellUnknown(intents, terminal);
  if (declaredAt === undefined) return;
  screen.tell(
    screen.talk.warned(
      plainText(`${key} is still declared (${declaredAt}): the next apply creates a new one.`),
    ),
  );
}

function revokeQuestion({ key, serials }: TokenRevocation): string {
  return plainText(
    serials.length === 0
      ? `Forget the interrupted token creation of ${key}?`
      : `Revoke ${key} (${serials.join(", ")})?`,
  );
}

/** `tenancy token write`: a token for the program that works with it. */
export const writeToken: Verb<"token write"> = ({ operands, flags }, terminal) =>
  interruptible(terminal, async (signal) => {
    const { io, screen } = terminal;
    const { patterns, name } = operandsOf(operands);
    const format = formatOf(flags);
    const stacks = await stacksIfAny(patterns, flags, terminal, signal, { orAll: true });
    const stack = await stackWith(name, stacks, stackOptions(flags, io));
    const token = await readToken(stack, name, stackOptions(flags, io));
    const output = await handoverOf(format, token, flags, terminal);
    if (token.refusedAt !== null) screen.tell(screen.talk.warned(plainText(refusedText(token))));
    if (flags.to === undefined) {
      io.stdout.write(output.text);
      if (output.afterwards !== RESTART_READERS) screen.tell(plainText(output.afterwards));
      return EXIT.ok;
    }
    const isNew = await writeHandover(flags.to, output, io);
    screen.tell(
      isNew
        ? plainText(`Wrote ${flags.to}: ${token.login}/${token.name} (${token.serial}). ${output.afterwards}`)
        : plainText(`${flags.to} holds ${token.login}/${token.name} (${token.serial}) already.`),
    );
    return EXIT.ok;
  });

/** It is written nevertheless: the service may accept the token again, and who asks for it knows the consumer. */
function refusedText({ login, name, serial, refusedAt }: TokenSecret): string {
  return (
    `The service was found to refuse ${login}/${name} (${serial}) at ${refusedAt}: its consumer may not get in. Where the token is declared, ` +
    "the next apply creates a new one: write that one then."
  );
}

/** @returns undefined if a template was given. @throws usage */
function formatOf({ as, template }: Flags<"token write">): Format | undefined {
  if ((as === undefined) === (template === undefined))
    throw usage.error({
      problem: "a token is written in a format, or into a template",
      advice: `Pass --as ${FORMATS.join("|")}, or --template FILE.`,
    });
  const format = FORMATS.find((one) => one === as);
  if (as === undefined || format !== undefined) return format;
  const near = nearest(as, FORMATS);
  throw usage.error({
    problem: `there is no format ${JSON.stringify(as)}`,
    advice: near === undefined ? `There are ${FORMATS.join(", ")}.` : `Did you mean ${near}?`,
  });
}

async function handoverOf(
  format: Format | undefined,
  token: TokenSecret,
  flags: Flags<"token write">,
  { io }: Terminal,
): Promise<Handover> {
  const { name, namespace, driver, template = "" } = flags;
  const consumer: Consumer = { name, namespace, driver, verifiesPeer: flags.sslVerifyPeer !== false };
  if (format !== undefined) return handover(format, token, consumer);
  const text = await readNamedFile(template, io, "Name a file with placeholders such as {{ access_token }}.");
  return filledTemplate(template, text, token, consumer);
}

// Shared by the verbs that change a token of the state.

/** @throws confirmationNeeded */
function requireSomebodyToAsk(
  { verb, flags }: VerbCall<"token rotate" | "token revoke">,
  { io }: Terminal,
): void {
  if (flags.yes !== true && !canAsk(io)) throw confirmationNeeded.error({ verb });
}

/** The operands of the verb: the stack, if it is named, and the token. @throws usage */
function operandsOf(operands: readonly string[]): {
  readonly patterns: readonly string[];
  readonly name: string;
} {
  if (operands.length > 2)
    throw usage.error({ problem: "too many arguments", advice: "Name one token, and before it its stack." });
  return { patterns: operands.slice(0, -1), name: operands.at(-1) ?? "" };
}

/**
 * The stack whose state keeps the token. Messages and lists name tokens without their stacks, and such a name must work as an argument.
 * @returns undefined outside of a project
 * @throws stackUnnamed if several stacks have such a token; noSuchToken if none has
 */
async function stackWith(
  name: string,
  stacks: readonly ChosenStack[],
  options: PlanOptions,
): Promise<ChosenStack | undefined> {
  if (stacks.length <= 1) return stacks[0];
  const holders: ChosenStack[] = [];
  const failures: unknown[] = [];
  for (const stack of stacks)
    try {
      await findToken(stack, name, options);
      holders.push(stack);
    } catch (error) {
      if (ambiguousToken.is(error)) holders.push(stack);
      else failures.push(error);
    }
  if (holders.length === 1) return holders[0];
  if (holders.length > 1) throw stackUnnamed.error(holders.map((stack) => stack.name));
  throw failures.find((error) => !noSuchToken.is(error)) ?? failures[0];
}

/** @throws stackUnnamed */
export function onlyOne(stacks: readonly ChosenStack[]): ChosenStack {
  const [stack, ...others] = stacks;
  if (stack === undefined || others.length > 0) throw stackUnnamed.error(stacks.map(({ name }) => name));
  return stack;
}

function tellDeclined({ screen }: Terminal): ExitCode {
  screen.tell("Nothing was done.");
  return EXIT.failed;
}

function provenText(serials: readonly string[]): string {
  return plainText(`Revoked, and refused by the service: ${serials.join(", ")}.`);
}
