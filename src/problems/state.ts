/** Errors of the state. */
import { plainText, shellWord } from "../lib/values";
import { problem, warning } from "./problem";
import { sentences } from "./words";

/** Tokens are declared for users who exist already, and the state that would know the tokens is not there. */
export const absentState = problem<{
  /** The state, as in "platform/state.json" or "kept by vault-helper". */
  state: string;
  part: {
    readonly name: { readonly origin: string; readonly stack: string };
    /** True if it keeps anything for them. */
    readonly exists: boolean;
    /** True if there is a state at all. */
    readonly isStateThere: boolean;
  };
  /** The declared tokens with live users, as `name of login`. */
  tokens: readonly string[];
}>({
  code: "TENANCY_STATE_ABSENT",
  summary: ({ state, part, tokens }) => {
    const {
      name: { origin, stack },
      exists,
      isStateThere,
    } = part;
    const live = `users of declared tokens ${exists ? "were live already" : "are live"}: ${tokens.join(", ")}`;
    const nothing = `keeps nothing for ${origin} and the stack ${JSON.stringify(stack)}`;
    return exists
      ? `when the state ${state} was made, ${live}`
      : `the state ${state} ${isStateThere || isBranch(state) ? nothing : "does not exist"}, and ${live}`;
  },
  detail: "If these tokens were created before, creating them again would leave the earlier ones unwatched.",
  advice: (_, say) =>
    sentences(
      `Bring the state here (${say.flagWith("state", "PATH")}, or ${say.flag("credential_helper")}).`,
      `To plan without the state, plan from a snapshot (${say.flagWith("from_snapshot", "FILE")}).`,
      `Only where the state is lost, ${say.flag("init_state")} creates new tokens beside the earlier ones.`,
    ),
});

/** The file in the place of the state is no state, or is damaged. */
export const corruptState = problem<{
  /** The state, as in "platform/state.json" or "kept by vault-helper". */
  state: string;
  /** The fault, as in "is not JSON". */
  fault: string;
}>({
  code: "TENANCY_STATE_CORRUPT",
  summary: ({ state, fault }) => `the state ${state} is damaged: ${fault}`,
  detail: "It was left untouched.",
  advice: ({ state }, say) =>
    isBranch(state)
      ? "Restore an earlier version of the branch: `git log` shows its versions. " +
        (say.command(
          `Push one to the branch, and accept it with: ${`tenancy state accept ${stackOperand(state)}`.trim()}`,
        ) ?? "Push one to the branch, and call `acceptState`.")
      : "Restore it from a backup. If there is none, move it away and run again with " +
        `${say.flag("init_state")}; tokens that only it knew must then be revoked on the service.`,
});

/** A newer release wrote the state. */
export const newerState = problem<{ state: string; version: number | bigint; known: number }>({
  code: "TENANCY_STATE_NEWER",
  summary: ({ state, version, known }) =>
    `the state ${state} has format version ${version}; this release knows versions up to ${known}`,
  detail: "It was left untouched.",
  advice: "Update the package `tenancy` to the release that wrote it, or a later one.",
});

/** Others can read the plain state. */
export const stateExposed = problem<{
  path: string;
  /** Permission bits of the file. */
  mode: number;
}>({
  code: "TENANCY_STATE_EXPOSED",
  summary: ({ path, mode }) =>
    `others can read the state ${path} (mode ${mode.toString(8).padStart(4, "0")})`,
  advice: ({ path }) => `chmod 600 '${path}', and rotate its tokens if another user may have read it.`,
});

/** The state is encrypted, and no key was given. */
export const stateKeyMissing = problem<string>({
  code: "TENANCY_STATE_KEY_MISSING",
  summary: (state) => `the state ${state} is encrypted, and TENANCY_STATE_KEY is not set`,
  advice: "Set TENANCY_STATE_KEY to the key that it was encrypted with.",
});

/** The lock of the state went to another run while this one believed that it held it. */
export const stateLockLost = problem<string>({
  code: "TENANCY_STATE_LOCKED",
  summary: (state) => `this run has lost the lock of the state ${state}`,
  detail: "Nothing was written to it, to keep the changes of the other run.",
  advice: "Make sure that no other run is under way, then plan again.",
});

/** The holder of the lock of a state. Unknown facts are left out. */
export interface LockHolder {
  readonly pid?: number;
  readonly host?: string;
  /** ISO 8601. */
  readonly since?: string;
  /** The run, where the state names it. */
  readonly run?: string;
  /** The run of the pipeline that it belongs to, such as `github 123456`. */
  readonly pipeline?: string;
}

/** A branch exists before anything is kept on it. */
function isBranch(state: string): boolean {
  return state.startsWith("git:");
}

/** The stack of a state on a branch, as commands take it before other operands; empty for other states. */
function stackOperand(state: string): string {
  const stack = /^git:.*\/([^/]+)$/.exec(state)?.[1];
  return stack === undefined ? "" : `${stack} `;
}

/** Another run holds the lock of the state. */
export const stateLocked = problem<{
  state: string;
  holder: LockHolder;
  /** The file to remove when the holder is known to be gone; undefined if there is none. */
  lockFile?: string | undefined;
}>({
  code: "TENANCY_STATE_LOCKED",
  summary: ({ state, holder }) => `another run holds the lock of the state ${state}: ${holderText(holder)}`,
  advice: ({ state, lockFile, holder: { run } }, say) =>
    "Wait for it to finish and run again." +
    (lockFile === undefined ? "" : ` If you know that it is no longer running, remove '${lockFile}'.`) +
    (run === undefined
      ? ""
      : ` If you know that it is no longer running: ${say.command(`tenancy state unlock ${stackOperand(state)}${run}`) ?? `call \`unlockState\` with "${run}"`}.`),
});

/** The process that holds a lock, its host, and since when. */
export function holderText({ pid, host, since, run, pipeline }: LockHolder): string {
  const facts = [
    run !== undefined && `run ${plainText(run, 40)}`,
    pipeline !== undefined && `of ${plainText(pipeline, 80)}`,
    pid !== undefined && `process ${pid}`,
    host !== undefined && `on ${plainText(host, 255)}`,
    since !== undefined && `since ${plainText(since, 40)}`,
  ].filter((fact) => fact !== false);
  return facts.length === 0 ? "it did not say who it is" : facts.join(" ");
}

/** The state cannot be read or written. */
export const stateUnusable = problem<{
  state: string;
  /** The fault, as in "cannot be read (EACCES)". */
  fault: string;
}>({
  code: "TENANCY_STATE_UNUSABLE",
  summary: ({ state, fault }) => `the state ${state} ${fault}`,
  advice: (_, say) =>
    `Make it a regular file that you may read and write, in a folder that you may write, or name another one with ${say.flag("state")}.`,
});

/**
 * The command of a credential helper cannot be split into a program and its arguments. The fact: as in "it is empty"; the command itself may hold secrets.
 */
export const unfitHelperCommand = problem<string>({
  code: "TENANCY_INVALID_SETTING",
  summary: (problem) => `the command of the credential helper cannot be used: ${problem}`,
  advice: (_, say) =>
    `Write the program and its arguments: ${say.command("--credential-helper 'my-helper --profile ci'") ?? say.flagWith("credential_helper", "my-helper ci")}.`,
});

/** The key for the state is empty, or not one that Tenancy made. */
export const unfitStateKey = problem<"empty" | "foreign">({
  code: "TENANCY_INVALID_SETTING",
  summary: (fault) =>
    fault === "empty"
      ? "the key of the state is empty"
      : "the key of the state is mistyped, or not one that Tenancy made",
  advice: (fault, say) =>
    `Make a key with ${say.command("`tenancy key new`") ?? "`newStateKey`"}, and set TENANCY_STATE_KEY to it${
      fault === "empty" ? ", or leave the key out to keep the state unencrypted" : ""
    }. A state that is encrypted opens with its own key alone.`,
});

/** The key does not open the encrypted state. */
export const wrongStateKey = problem<string>({
  code: "TENANCY_STATE_KEY_WRONG",
  summary: (state) => `TENANCY_STATE_KEY does not open the state ${state}`,
  detail:
    "The key is not the right one, or the state was altered since it was written. It was left untouched.",
  advice:
    "Check TENANCY_STATE_KEY: it may be mistyped, or the state has a new key since a rekey. Ask a colleague whose key opens the state. " +
    "Only if no key opens it, restore the state from a backup or an earlier commit.",
});

/** The credential helper failed. */
export const credentialHelperFailed = problem<{
  /** Its program. */
  helper: string;
  /** The request to the helper, such as `state`. */
  verb: string;
  /** The fault, as in "ended with status 1". */
  fault: string;
  /** Standard error of the helper, free of secrets. */
  words?: string | undefined;
}>({
  code: "TENANCY_CREDENTIAL_HELPER",
  summary: ({ helper, verb, fault }) => `the credential helper ${helper}, asked to ${verb}, ${fault}`,
  detail: ({ words = "" }) => (words.trim() !== "" ? `It said: ${plainText(words, 500)}` : undefined),
  advice: "Fix the helper's settings, or try it by hand as docs/manual/reference/credential-helper.md shows.",
});

/** An earlier run was interrupted while it created a token: the token may exist, and its secret is lost. */
export const openIntent = problem<{
  readonly login: string;
  /** The tokens of this user that a run was about to create, earliest first. */
  readonly creations: readonly { readonly name: string; readonly started_at: string }[];
}>({
  code: "TENANCY_OPEN_INTENT",
  summary: ({ login, creations }) =>
    `the service may have ${creations.length === 1 ? "a token" : "tokens"} of ${login} that the state lacks: a run was about to create ${creations.map(({ name }) => JSON.stringify(name)).join(", ")} at ${creations[0]?.started_at ?? "an unknown time"}, and the result is not known`,
  detail:
    "The run was cut short, or the answer of the service was lost, or the run is still under way. A run records all its tokens before its first write, so " +
    "it may not have come to these. If a run holds the state now, wait for its end: it removes the records of its tokens.",
  advice: ({ login, creations }, say) =>
    `Look in the service for authorizations of ${login} from ${creations[0]?.started_at ?? "then"} or later that have no known holder, and revoke them. ` +
    (say.command("Then forget these records: tenancy token revoke --all-unknown") ??
      "Then forget these records: `forgetUnknownTokens`."),
});

/** A message names at most so many logins. */
const MOST_SHOWN = 5;

/** A warning: the state knows the same service for another stack alone, or the same logins under another address. */
export const stateElsewhere = warning<
  | { state: string; origin: string; stack: string; stacks: readonly string[] }
  | { state: string; origin: string; otherOrigin: string; logins: readonly string[] }
>({
  code: "TENANCY_STATE_ELSEWHERE",
  title: "The state belongs to another service or stack",
  summary: (facts) => {
    const { state, origin } = facts;
    if ("stacks" in facts) {
      const known = facts.stacks.map((name) => JSON.stringify(name)).join(", ");
      return `the state ${state} knows ${origin} for the stack ${known}, and not for ${JSON.stringify(facts.stack)}`;
    }
    const { otherOrigin, logins } = facts;
    const more = logins.length > MOST_SHOWN ? ` and ${logins.length - MOST_SHOWN} more` : "";
    return `the state ${state} keeps its records of ${logins.slice(0, MOST_SHOWN).join(", ")}${more} for ${otherOrigin}, and not for ${origin}`;
  },
  detail: (facts) =>
    "stacks" in facts
      ? "If the stack got another name, its earlier objects look unmanaged."
      : "If both are addresses of one service, tokens that exist already would be created again.",
  advice: (facts, say) =>
    "stacks" in facts
      ? `If the stack is new, there is nothing to do. If it was renamed, ${say.command(`run \`tenancy state rm --stack ${shellWord(facts.stacks[0] ?? "")}\``) ?? "call `retireStack` for its former name"}: the next apply moves its entries here. ${say.recover() ?? ""}`
      : `If both are one service, declare ${say.set("base_url", facts.otherOrigin)}. If they are two services, there is nothing to do.`,
});

/** The plan deletes the user of a token that the state keeps for another stack. */
export const endsAnothersToken = warning<{
  /** Key of the token. */
  token: string;
  stack: string;
  /** The deleted object: `the user profile "csi@acme"`, `the account "acme"`. */
  deletedObject: string;
}>({
  code: "TENANCY_ENDS_ANOTHERS_TOKEN",
  title: "A delete ends a token of another stack",
  summary: ({ token, stack, deletedObject }) =>
    `the token ${JSON.stringify(token)}, which the state keeps for the stack ${JSON.stringify(stack)}, would end with ${deletedObject}`,
  advice: ({ deletedObject }) =>
    `Make sure that the token is no longer used. Or keep ${deletedObject} until that stack no longer declares the token.`,
});

/** The state opens with the key, and belongs to another project, stack or purpose. */
export const stateNotOurs = problem<{
  state: string;
  /** The differing member: `project`, `stack` or `kind`. */
  member: string;
  own: string;
  actual: string;
}>({
  code: "TENANCY_STATE_NOT_OURS",
  summary: ({ state, member, own, actual }) =>
    `the state ${state} belongs to another ${member}: ${plainText(actual, 100)}, not ${plainText(own, 100)}`,
  detail: "It was left untouched.",
  advice: ({ member }, say) =>
    member === "project"
      ? `Check \`projectId\` in cdktf.json, and ${say.flag("state")}. The state of another project may have been put here.`
      : `Check ${say.flag("state")}. One state may have been replaced by another: restore the right version.`,
});

/** The state does not continue a version that was there before. */
export const stateReplayed = problem<{
  state: string;
  /** The sequence of the version that is there; undefined if the state is gone. */
  sequence: number | undefined;
  /** The highest sequence that is known. */
  highest: number;
  /** Who knows it: "this clone has seen", "the branch holds". */
  witness: string;
}>({
  code: "TENANCY_STATE_REPLAYED",
  summary: ({ state, sequence, highest, witness }) =>
    sequence === undefined
      ? `the state ${state} is gone, and ${witness} version ${highest}`
      : `the state ${state} is at version ${sequence}, which does not continue version ${highest}, which ${witness}`,
  detail:
    "An earlier version or a version of a conflict branch was put there, or the state was deleted. Tokens that only the other version holds would be lost.",
  advice: ({ state, sequence }, say) =>
    sequence === undefined
      ? "Push the branch again from a clone that has it, or from a backup of the repository."
      : "Restore the latest version of the branch. " +
        (say.command(
          `If the present version was put there on purpose, a person takes it over with: ${`tenancy state accept ${stackOperand(state)}`.trim()}`,
        ) ?? "If the present version was put there on purpose, take it over with `acceptState`."),
});

/** The branch of the state does not exist. */
export const stateBranchMissing = problem<{ state: string; branch: string; remote: string }>({
  code: "TENANCY_STATE_BRANCH_MISSING",
  summary: ({ state, branch, remote }) =>
    `the state ${state} does not exist: ${remote} has no branch ${branch}`,
  advice: ({ state }, say) =>
    say.command(`Check the name. For a new state: ${`tenancy state init ${stackOperand(state)}`.trim()}`) ??
    "Check the name. For a new state, call `initState`.",
});

/** The place of the state cannot be used as it is written. */
export const unfitStatePlace = problem<{ place: string; fault: string; source?: string | undefined }>({
  code: "TENANCY_INVALID_SETTING",
  summary: ({ place, fault, source }) =>
    `the place of the state ${JSON.stringify(plainText(place, 200))}${source === undefined ? "" : ` in ${source}`} cannot be used: ${fault}`,
  advice: "Write the path of a file, or git:REMOTE/BRANCH, such as git:origin/tenancy-state.",
});

/** git could not read or write the state. */
export const stateGitFailed = problem<{
  state: string;
  /** As in "push". */
  task: string;
  /** git's own, free of passwords. */
  words: string;
  /** The run that stays open on the branch. */
  run?: string;
}>({
  code: "TENANCY_STATE_GIT",
  summary: ({ state, task, words }) =>
    `git could not ${task} the state ${state}${words === "" ? "" : `: ${plainText(words, 500)}`}`,
  advice: ({ state, run }, say) =>
    sentences(
      "Make sure that you can fetch from the remote, and push to the branch of the state. Then run again.",
      run === undefined
        ? undefined
        : `Others wait for this run until it is ended by hand: ${say.command(`tenancy state unlock ${stackOperand(state)}${run}`) ?? `\`unlockState\` with "${run}"`}.`,
    ),
});

/** Another run has written the branch of the state while this one held it. */
export const stateMoved = problem<{
  state: string;
  run: string;
  /** The branch that has the version of this run; undefined if nothing was written to the service yet. */
  conflictBranch: string | undefined;
  branch: string;
  remote: string;
}>({
  code: "TENANCY_STATE_MOVED",
  summary: ({ state, conflictBranch }) =>
    `the branch of the state ${state} moved while this run held it` +
    (conflictBranch === undefined ? "" : `; the state of this run is on the branch ${conflictBranch}`),
  detail: ({ conflictBranch }) =>
    conflictBranch === undefined
      ? "This run stopped before it wrote anything."
      : "Nothing is lost: that branch holds every token that this run created.",
  advice: ({ state, conflictBranch, branch, remote }, say) =>
    conflictBranch === undefined
      ? "Make sure that no other run is under way, then run again."
      : (say.command(
          `Make that branch the state, and apply again, so that it records the other run's changes: git push ${remote} +${remote}/${conflictBranch}:refs/heads/${branch}, then ${`tenancy state accept ${stackOperand(state)}`.trim()}`,
        ) ?? `Make ${conflictBranch} the branch ${branch}, call \`acceptState\`, and apply again.`),
});

/** A plan that was made without the state. */
export const stateClosed = problem<{
  /** Why it could not be opened. */
  reason: string;
  /** Tokens that the state may know, as `login/name`. */
  tokens: readonly string[];
  /** Objects that are managed only if the state has recorded them. */
  unproven: readonly string[];
  /** True if the plan deletes something. */
  isDeleting: boolean;
}>({
  code: "TENANCY_STATE_CLOSED",
  summary: ({ reason }) => `planned without the state: ${reason}`,
  detail: ({ tokens, unproven, isDeleting }) =>
    sentences(
      `Not known without the state: hidden values${tokens.length === 0 ? "" : `, and the tokens ${listed(tokens)}`}.`,
      isDeleting ? "Nor is known whether another stack declares what this plan deletes." : undefined,
      unproven.length === 0 ? undefined : `Managed if the state has recorded it: ${listed(unproven)}.`,
    ),
  advice: (_, say) =>
    sentences(
      "This plan cannot be saved or applied. Bring the key that opens the state.",
      say.command("If there is a snapshot, plan from it: tenancy plan --from-snapshot FILE"),
    ),
});

/** A warning: a run deletes objects, and cannot read what a stack declares that this app does not make now. */
export const otherStateClosed = warning<{
  stack: string;
  /** Why its state does not open. */
  reason: string;
  /** The variable of the key of its state. */
  key: string;
}>({
  code: "TENANCY_OTHER_STATE_CLOSED",
  title: "A run that deletes cannot read what another stack declares",
  summary: ({ stack, reason }) =>
    `whether the stack ${JSON.stringify(stack)} declares what this run deletes is not known: ${reason}`,
  advice: ({ stack, key }, say) =>
    sentences(
      `Make sure that this stack declares none of the deleted objects, and nothing in a deleted account. Tenancy checks that where ${key} is set.`,
      say.command(`If the stack is retired: tenancy state rm --stack ${shellWord(stack)}`),
    ),
});

function listed(names: readonly string[]): string {
  const more = names.length - MOST_SHOWN;
  return names.slice(0, MOST_SHOWN).join(", ") + (more > 0 ? ` and ${more} more` : "");
}

/** The run that is to be ended does not hold the state. */
export const noSuchRun = problem<{ state: string; run: string; holder: string | undefined }>({
  code: "TENANCY_UNKNOWN_NAME",
  summary: ({ state, run, holder }) =>
    `run ${plainText(run, 40)} does not hold the state ${state}` +
    (holder === undefined ? ": no run does" : `; run ${plainText(holder, 40)} does`),
  advice: (_, say) => say.command("See which run does: tenancy state status"),
});

/** A copy would replace the records of the other state. */
export const stateKeepsAlready = problem<{ state: string; origin: string; stack: string }>({
  code: "TENANCY_STATE_KEEPS_ALREADY",
  summary: ({ state, origin, stack }) =>
    `the state ${state} keeps something for ${origin} and the stack ${JSON.stringify(stack)} already`,
  detail: "Nothing was copied: two states of one stack are not merged.",
  advice: "Copy to a new place.",
});

/** The token may be known to holders of an earlier key of the state. */
export const exposedToken = warning<{ login: string; name: string; serial: string; exposed_at: string }>({
  code: "TENANCY_TOKEN_EXPOSED",
  title: "A token was in a state that an earlier key opens",
  summary: ({ login, name, serial, exposed_at: at }) =>
    `the token "${name}" of ${login} (${serial}) was in the state when its key was changed, at ${at}`,
  detail: "Earlier versions of the state will always open with the earlier key.",
  advice: (_, say) =>
    say.command("Replace and revoke all such tokens: tenancy token rotate --exposed") ??
    "Rotate it as compromised: `planRotation` with `compromised`.",
});

/** There is a key for the state, and the state is not encrypted. */
export const statePlain = problem<string>({
  code: "TENANCY_STATE_PLAIN",
  summary: (state) => `TENANCY_STATE_KEY is set, and the state ${state} is not encrypted`,
  advice: (_, say) =>
    `If the key is new, ${say.command("encrypt the state with: tenancy apply --encrypt-state") ?? `have an apply encrypt the state: ${say.flagWith("encrypt_state", "true")}`}. ` +
    "If the state was encrypted before, it has been replaced: restore it from a backup.",
});
