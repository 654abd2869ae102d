/** `tenancy state` and `tenancy key`: care of the state by hand. */
import {
  acceptState,
  copyState,
  initState,
  moveInState,
  newStateKey,
  rekeyState,
  retireStack,
  stateStatus,
  type StateStatus,
  unlockState,
} from "../../engine";
import { confirmationNeeded, holderText, TenancyError, usage } from "../../problems";
import { jsonText } from "../../render/json";
import { diagnosticsText } from "../../render/text";
import { counted, isCi, plainText } from "../../lib/values";
import { inFolder, type StackFlags, stackOptions } from "../flags";
import { EXIT, type ExitCode } from "../io";
import { stacksFor, stacksIfAny } from "../project/stacks";
import { canAsk, confirm, interruptible, type Terminal } from "../terminal";
import { onlyOne } from "./token";
import type { Verb } from "./verb";

/** `tenancy state status`: where each state is, who wrote it last, and whether the key at hand opens it. */
export const showState: Verb<"state status"> = ({ operands, flags }, terminal) =>
  interruptible(terminal, async (signal) => {
    const { screen } = terminal;
    const stacks = await stacksIfAny(operands, flags, terminal, signal, { orAll: true });
    const statuses = new Map<string, StateStatus>();
    let code: ExitCode = EXIT.ok;
    for (const stack of stacks.length === 0 ? [undefined] : stacks) {
      try {
        const status = await stateStatus(stack, stateVerbOptions(flags, terminal));
        statuses.set(status.place, status);
      } catch (error) {
        // A state that does not open is no reason to hide the others.
        if (stacks.length <= 1 || !(error instanceof TenancyError)) throw error;
        screen.tell(`${diagnosticsText(error.toDiagnostics(), screen.talk)}\n`);
        code = EXIT.failed;
      }
    }
    screen.print(
      flags.json === true
        ? jsonText([...statuses.values()], 2)
        : [...statuses.values()].map(stateStatusText).join("\n\n"),
    );
    return code;
  });

function stateStatusText({
  place,
  exists,
  isSealed,
  tokens,
  exposed,
  holder,
  ...status
}: StateStatus): string {
  const rows: readonly (readonly [string, string | undefined])[] = [
    ["state", place],
    ["state", exists === null ? "kept by a helper" : exists ? undefined : "empty: nothing is kept yet"],
    [
      "key",
      isSealed === true
        ? "opens it"
        : isSealed === false && exists === true
          ? "none: it is plain"
          : undefined,
    ],
    [
      "version",
      status.version === null
        ? undefined
        : `${status.version}, written ${status.writtenAt ?? ""} by run ${status.run ?? ""}`,
    ],
    ["commit", status.commit === null ? undefined : `${status.commit} was applied last`],
    [
      "history",
      status.historySize === null
        ? undefined
        : `${(status.historySize / 2 ** 20).toFixed(1)} MB on the branch`,
    ],
    ["held", holder === null ? undefined : `by ${holderText(holder)}`],
    ["tokens", tokens === null ? undefined : String(tokens)],
    ...exposed.map((token) => ["exposed", exposedText(token)] as const),
  ];
  return rows
    .flatMap(([name, value]) => (value === undefined ? [] : [`${name.padEnd(9)}${plainText(value)}`]))
    .join("\n");
}

function exposedText({ login, name, serial }: StateStatus["exposed"][number]): string {
  return `${login}/${name} (${serial})`;
}

/** `tenancy state init`: makes the branches of the stacks' states. */
export const makeStateBranches: Verb<"state init"> = ({ operands, flags }, terminal) =>
  interruptible(terminal, async (signal) => {
    const { io, screen } = terminal;
    if (isCi(io.environment))
      throw usage.error({
        problem: "`state init` is not for pipelines: a state that is missing there may have been deleted",
        advice: "Run it at a terminal, once.",
      });
    for (const stack of await stacksFor(operands, flags, terminal, signal, { orAll: true })) {
      const { place, isNew } = await initState(stack, stateVerbOptions(flags, terminal));
      screen.tell(plainText(isNew ? `Made ${place}.` : `${place} exists already, and the key opens it.`));
    }
    return EXIT.ok;
  });

/** `tenancy state accept`: an earlier version of the state, by a person who restored it. */
export const acceptVersion: Verb<"state accept"> = ({ operands, flags }, terminal) =>
  interruptible(terminal, async (signal) => {
    const { screen } = terminal;
    const stack = onlyOne(await stacksFor(operands, flags, terminal, signal));
    const asking = {
      ...{ verb: "state accept", isForPeople: true },
      warning:
        "Tokens that were created since that version are unknown afterwards, and stay valid at the service. Accept only a version that your team restored.",
      question: `Accept the state of ${stack.name} as it is now?`,
    };
    if (!(await isAgreed(asking, terminal, signal))) return EXIT.failed;
    const { place, accepted, sequence } = await acceptState(stack, stateVerbOptions(flags, terminal));
    screen.tell(plainText(`Accepted version ${accepted} of ${place}, which is version ${sequence} now.`));
    return EXIT.ok;
  });

/** `tenancy state rekey`: a new key for the states of the stacks. */
export const changeStateKey: Verb<"state rekey"> = ({ operands, flags }, terminal) =>
  interruptible(terminal, async (signal) => {
    const { screen } = terminal;
    const stacks = await stacksIfAny(operands, flags, terminal, signal, { orAll: true });
    const places = new Set<string>();
    let areExposed = false;
    for (const stack of stacks.length === 0 ? [undefined] : stacks) {
      const options = stateVerbOptions(flags, terminal);
      // Stacks that share a file share its key: the file is sealed with the new key once.
      const isFile = options.state?.path?.startsWith("git:") !== true;
      if (isFile && places.size > 0) continue;
      const { place, exposed } = await rekeyState(stack, options);
      places.add(place);
      areExposed ||= exposed.length > 0;
      screen.tell(
        plainText(`Sealed ${place} with the new key. ${counted(exposed.length, "token")} exposed.`),
      );
      if (exposed.length > 0) screen.print(exposed.map((token) => plainText(exposedText(token))).join("\n"));
    }
    if (areExposed)
      screen.tell(
        "The earlier key still opens earlier versions of the state, with these tokens. Replace them: tenancy token rotate --exposed",
      );
    return EXIT.ok;
  });

/** `tenancy state unlock`: ends a run that died. */
export const endStateRun: Verb<"state unlock"> = ({ operands, flags }, terminal) =>
  interruptible(terminal, async (signal) => {
    const { screen } = terminal;
    if (operands.length > 2)
      throw usage.error({ problem: "too many arguments", advice: "Name one run, and before it its stack." });
    const run = operands.at(-1) ?? "";
    const stack = onlyOne(await stacksFor(operands.slice(0, -1), flags, terminal, signal));
    const warning = "If that run is still under way, it and the next one get in each other\u2019s way.";
    const asking = { verb: "state unlock", warning, question: `Has ${run} ended?` };
    if (flags.yes !== true && !(await isAgreed(asking, terminal, signal))) return EXIT.failed;
    const holder = await unlockState(stack, run, stateVerbOptions(flags, terminal));
    screen.tell(
      plainText(`Ended: ${holderText(holder)}. The next plan says which tokens it may have created.`),
    );
    return EXIT.ok;
  });

/** `tenancy state rm`: the objects of a retired stack are not protected any more. */
export const removeStack: Verb<"state rm"> = ({ operands, flags }, terminal) =>
  interruptible(terminal, async (signal) => {
    const { screen } = terminal;
    const { stack } = flags;
    const stacks = await stacksFor(operands, flags, terminal, signal, { orAll: true });
    const warning = "Other stacks may delete its objects afterwards.";
    const asking = { verb: "state rm", warning, question: `Is the stack ${stack} retired?` };
    if (flags.yes !== true && !(await isAgreed(asking, terminal, signal))) return EXIT.failed;
    for (const place of await retireStack(stacks, stack, stateVerbOptions(flags, terminal)))
      screen.tell(plainText(`Took the stack ${stack} out of ${place}.`));
    return EXIT.ok;
  });

/** `tenancy state mv`: entries of objects follow their declarations to another stack. */
export const moveBetweenStacks: Verb<"state mv"> = ({ operands: names, flags }, terminal) =>
  interruptible(terminal, async (signal) => {
    const { screen } = terminal;
    const { from, to } = flags;
    const source = onlyOne(await stacksFor([to], flags, terminal, signal));
    const question = `Move the entries of ${names.join(", ")} from the stack ${from} to ${to}?`;
    if (flags.yes !== true && !(await isAgreed({ verb: "state mv", question }, terminal, signal)))
      return EXIT.failed;
    const movedNames = await moveInState(source, { from, names }, stateVerbOptions(flags, terminal));
    screen.tell(plainText(`Moved to ${to}: ${movedNames.join(", ")}.`));
    return EXIT.ok;
  });

/** `tenancy state copy`: to another place. */
export const copyTheState: Verb<"state copy"> = ({ operands, flags }, terminal) =>
  interruptible(terminal, async (signal) => {
    const { io, screen } = terminal;
    const [from, to] = operands.map((place) => inFolder(place, io));
    if (from === undefined || to === undefined || operands.length > 2)
      throw usage.error({ problem: "a copy has two places", advice: "tenancy state copy FROM TO" });
    const stacks = await stacksFor([], flags, terminal, signal, { orAll: true });
    for (const place of await copyState(stacks, { from, to }, stateVerbOptions(flags, terminal)))
      screen.tell(plainText(`Copied ${place}.`));
    screen.tell(
      plainText(
        `The first state stays as it is. To use the copy, set \`state\` in cdktf.json to ${JSON.stringify(operands[1])}.`,
      ),
    );
    return EXIT.ok;
  });

/** `tenancy key new`: a random key. */
export const newKey: Verb<"key new"> = async (_call, { io, screen }) => {
  screen.print(newStateKey());
  if (canAsk(io))
    screen.tell(
      "Keep it in the team\u2019s password manager first, then hand it to the host of your pipelines. A lost key cannot be recovered.",
    );
  return EXIT.ok;
};

/** Asks a person, and says so where the answer is no. @throws confirmationNeeded without a terminal */
async function isAgreed(
  {
    question,
    warning,
    ...facts
  }: { readonly question: string; readonly warning?: string } & Parameters<
    typeof confirmationNeeded.error
  >[0],
  { io, screen }: Terminal,
  signal: AbortSignal,
): Promise<boolean> {
  if (!canAsk(io)) throw confirmationNeeded.error(facts);
  if (warning !== undefined) screen.tell(warning);
  const isYes = await confirm(plainText(question), io, signal);
  if (!isYes) screen.tell("Nothing was done.");
  return isYes;
}

function stateVerbOptions(flags: StackFlags, { io, screen }: Terminal) {
  return { ...stackOptions(flags, io), onProgress: (message: string) => screen.progress(message) };
}
