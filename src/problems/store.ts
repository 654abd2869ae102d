/** Errors of the credential store. */
import { plainText, shellWord } from "../lib/values";
import { problem, warning } from "./problem";
import { sentences } from "./words";

/** Tokens are declared for users who exist already, and the store that would know the tokens is not there. */
export const absentStore = problem<{
  /** The store, as in "platform/credentials.json" or "kept by vault-helper". */
  store: string;
  part: {
    readonly name: { readonly origin: string; readonly stack: string };
    /** True if it keeps anything for them. */
    readonly exists: boolean;
    /** True if there is a store at all. */
    readonly isStoreThere: boolean;
  };
  /** The declared tokens with live users, as `name of login`. */
  tokens: readonly string[];
}>({
  code: "TENANCY_STORE_ABSENT",
  summary: ({ store, part, tokens }) => {
    const {
      name: { origin, stack },
      exists,
      isStoreThere,
    } = part;
    const live = `users of declared tokens ${exists ? "were live already" : "are live"}: ${tokens.join(", ")}`;
    const nothing = `keeps nothing for ${origin} and the stack ${JSON.stringify(stack)}`;
    return exists
      ? `when the credential store ${store} was made, ${live}`
      : `the credential store ${store} ${isStoreThere || isBranch(store) ? nothing : "does not exist"}, and ${live}`;
  },
  detail: "If these tokens were created before, creating them again would leave the earlier ones unwatched.",
  advice: (_, say) =>
    sentences(
      `Bring the store here (${say.flagWith("store", "PATH")}, or ${say.flag("credential_helper")}).`,
      `To plan without the store, plan from a snapshot (${say.flagWith("from_snapshot", "FILE")}).`,
      `Only where the store is lost, ${say.flag("init_store")} creates new tokens beside the earlier ones.`,
    ),
});

/** The file in the place of the credential store is no credential store, or is damaged. */
export const corruptStore = problem<{
  /** The store, as in "platform/credentials.json" or "kept by vault-helper". */
  store: string;
  /** The fault, as in "is not JSON". */
  fault: string;
}>({
  code: "TENANCY_STORE_CORRUPT",
  summary: ({ store, fault }) => `the credential store ${store} is damaged: ${fault}`,
  detail: "It was left untouched.",
  advice: ({ store }, say) =>
    isBranch(store)
      ? "Restore an earlier version of the branch: `git log` shows its versions. " +
        (say.command(
          `Push one to the branch, and accept it with: ${`tenancy store accept ${stackOperand(store)}`.trim()}`,
        ) ?? "Push one to the branch, and call `acceptStore`.")
      : "Restore it from a backup. If there is none, move it away and run again with " +
        `${say.flag("init_store")}; tokens that only it knew must then be revoked on the service.`,
});

/** A newer release wrote the credential store. */
export const newerStore = problem<{ store: string; version: number | bigint; known: number }>({
  code: "TENANCY_STORE_NEWER",
  summary: ({ store, version, known }) =>
    `the credential store ${store} has format version ${version}; this release knows versions up to ${known}`,
  detail: "It was left untouched.",
  advice: "Update the package `tenancy` to the release that wrote it, or a later one.",
});

/** Others can read the plain credential store. */
export const storeExposed = problem<{
  path: string;
  /** Permission bits of the file. */
  mode: number;
}>({
  code: "TENANCY_STORE_EXPOSED",
  summary: ({ path, mode }) =>
    `others can read the credential store ${path} (mode ${mode.toString(8).padStart(4, "0")})`,
  advice: ({ path }) => `chmod 600 '${path}', and rotate its tokens if another user may have read it.`,
});

/** The credential store is encrypted, and no key was given. */
export const storeKeyMissing = problem<string>({
  code: "TENANCY_STORE_KEY_MISSING",
  summary: (store) => `the credential store ${store} is encrypted, and TENANCY_STORE_KEY is not set`,
  advice: "Set TENANCY_STORE_KEY to the key that it was encrypted with.",
});

/** The lock of the credential store went to another run while this one believed that it held it. */
export const storeLockLost = problem<string>({
  code: "TENANCY_STORE_LOCKED",
  summary: (store) => `this run has lost the lock of the credential store ${store}`,
  detail: "Nothing was written to it, to keep the changes of the other run.",
  advice: "Make sure that no other run is under way, then plan again.",
});

/** The holder of the lock of a credential store. Unknown facts are left out. */
export interface LockHolder {
  readonly pid?: number;
  readonly host?: string;
  /** ISO 8601. */
  readonly since?: string;
  /** The run, where the store names it. */
  readonly run?: string;
  /** The run of the pipeline that it belongs to, such as `github 123456`. */
  readonly pipeline?: string;
}

/** A branch exists before anything is kept on it. */
function isBranch(store: string): boolean {
  return store.startsWith("git:");
}

/** The stack of a store on a branch, as commands take it before other operands; empty for other stores. */
function stackOperand(store: string): string {
  const stack = /^git:.*\/([^/]+)$/.exec(store)?.[1];
  return stack === undefined ? "" : `${stack} `;
}

/** Another run holds the lock of the credential store. */
export const storeLocked = problem<{
  store: string;
  holder: LockHolder;
  /** The file to remove when the holder is known to be gone; undefined if there is none. */
  lockFile?: string | undefined;
}>({
  code: "TENANCY_STORE_LOCKED",
  summary: ({ store, holder }) =>
    `another run holds the lock of the credential store ${store}: ${holderText(holder)}`,
  advice: ({ store, lockFile, holder: { run } }, say) =>
    "Wait for it to finish and run again." +
    (lockFile === undefined ? "" : ` If you know that it is no longer running, remove '${lockFile}'.`) +
    (run === undefined
      ? ""
      : ` If you know that it is no longer running: ${say.command(`tenancy store unlock ${stackOperand(store)}${run}`) ?? `call \`unlockStore\` with "${run}"`}.`),
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

/** The credential store cannot be read or written. */
export const storeUnusable = problem<{
  store: string;
  /** The fault, as in "cannot be read (EACCES)". */
  fault: string;
}>({
  code: "TENANCY_STORE_UNUSABLE",
  summary: ({ store, fault }) => `the credential store ${store} ${fault}`,
  advice: (_, say) =>
    `Make it a regular file that you may read and write, in a folder that you may write, or name another one with ${say.flag("store")}.`,
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

/** The key for the credential store is empty, or not one that Tenancy made. */
export const unfitStoreKey = problem<"empty" | "foreign">({
  code: "TENANCY_INVALID_SETTING",
  summary: (fault) =>
    fault === "empty"
      ? "the key of the credential store is empty"
      : "the key of the credential store is mistyped, or not one that Tenancy made",
  advice: (fault, say) =>
    `Make a key with ${say.command("`tenancy key new`") ?? "`newStoreKey`"}, and set TENANCY_STORE_KEY to it${
      fault === "empty" ? ", or leave the key out to keep the store unencrypted" : ""
    }. A store that is encrypted opens with its own key alone.`,
});

/** The key does not open the encrypted credential store. */
export const wrongStoreKey = problem<string>({
  code: "TENANCY_STORE_KEY_WRONG",
  summary: (store) => `TENANCY_STORE_KEY does not open the credential store ${store}`,
  detail:
    "The key is not the right one, or the store was altered since it was written. It was left untouched.",
  advice:
    "Check TENANCY_STORE_KEY: it may be mistyped, or the store has a new key since a rekey. Ask a colleague whose key opens the store. " +
    "Only if no key opens it, restore the store from a backup or an earlier commit.",
});

/** The credential helper failed. */
export const credentialHelperFailed = problem<{
  /** Its program. */
  helper: string;
  /** The request to the helper, such as `store`. */
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
    `the service may have ${creations.length === 1 ? "a token" : "tokens"} of ${login} that the store lacks: a run was about to create ${creations.map(({ name }) => JSON.stringify(name)).join(", ")} at ${creations[0]?.started_at ?? "an unknown time"}, and the result is not known`,
  detail:
    "The run was cut short, or the answer of the service was lost, or the run is still under way. A run records all its tokens before its first write, so " +
    "it may not have come to these. If a run holds the store now, wait for its end: it removes the records of its tokens.",
  advice: ({ login, creations }, say) =>
    `Look in the service for authorizations of ${login} from ${creations[0]?.started_at ?? "then"} or later that have no known holder, and revoke them. ` +
    (say.command("Then forget these records: tenancy token revoke --all-unknown") ??
      "Then forget these records: `forgetUnknownTokens`."),
});

/** A message names at most so many logins. */
const MOST_SHOWN = 5;

/** A warning: the credential store knows the same service for another stack alone, or the same logins under another address. */
export const storeElsewhere = warning<
  | { store: string; origin: string; stack: string; stacks: readonly string[] }
  | { store: string; origin: string; otherOrigin: string; logins: readonly string[] }
>({
  code: "TENANCY_STORE_ELSEWHERE",
  title: "The credential store belongs to another service or stack",
  summary: (facts) => {
    const { store, origin } = facts;
    if ("stacks" in facts) {
      const known = facts.stacks.map((name) => JSON.stringify(name)).join(", ");
      return `the credential store ${store} knows ${origin} for the stack ${known}, and not for ${JSON.stringify(facts.stack)}`;
    }
    const { otherOrigin, logins } = facts;
    const more = logins.length > MOST_SHOWN ? ` and ${logins.length - MOST_SHOWN} more` : "";
    return `the credential store ${store} keeps its records of ${logins.slice(0, MOST_SHOWN).join(", ")}${more} for ${otherOrigin}, and not for ${origin}`;
  },
  detail: (facts) =>
    "stacks" in facts
      ? "If the stack got another name, its earlier objects look unmanaged."
      : "If both are addresses of one service, tokens that exist already would be created again.",
  advice: (facts, say) =>
    "stacks" in facts
      ? `If the stack is new, there is nothing to do. If it was renamed, ${say.command(`run \`tenancy store rm --stack ${shellWord(facts.stacks[0] ?? "")}\``) ?? "call `retireStack` for its former name"}: the next apply moves its entries here. ${say.recover() ?? ""}`
      : `If both are one service, declare ${say.set("base_url", facts.otherOrigin)}. If they are two services, there is nothing to do.`,
});

/** The plan deletes the user of a token that the store keeps for another stack. */
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
    `the token ${JSON.stringify(token)}, which the credential store keeps for the stack ${JSON.stringify(stack)}, would end with ${deletedObject}`,
  advice: ({ deletedObject }) =>
    `Make sure that the token is no longer used. Or keep ${deletedObject} until that stack no longer declares the token.`,
});

/** The credential store opens with the key, and belongs to another project, stack or purpose. */
export const storeNotOurs = problem<{
  store: string;
  /** The differing member: `project`, `stack` or `kind`. */
  member: string;
  own: string;
  actual: string;
}>({
  code: "TENANCY_STORE_NOT_OURS",
  summary: ({ store, member, own, actual }) =>
    `the credential store ${store} belongs to another ${member}: ${plainText(actual, 100)}, not ${plainText(own, 100)}`,
  detail: "It was left untouched.",
  advice: ({ member }, say) =>
    member === "project"
      ? `Check \`projectId\` in cdktf.json, and ${say.flag("store")}. The store of another project may have been put here.`
      : `Check ${say.flag("store")}. One store may have been replaced by another: restore the right version.`,
});

/** The credential store does not continue a version that was there before. */
export const storeReplayed = problem<{
  store: string;
  /** The sequence of the version that is there; undefined if the store is gone. */
  sequence: number | undefined;
  /** The highest sequence that is known. */
  highest: number;
  /** Who knows it: "this clone has seen", "the branch holds". */
  witness: string;
}>({
  code: "TENANCY_STORE_REPLAYED",
  summary: ({ store, sequence, highest, witness }) =>
    sequence === undefined
      ? `the credential store ${store} is gone, and ${witness} version ${highest}`
      : `the credential store ${store} is at version ${sequence}, which does not continue version ${highest}, which ${witness}`,
  detail:
    "An earlier version or a version of a conflict branch was put there, or the store was deleted. Tokens that only the other version holds would be lost.",
  advice: ({ store, sequence }, say) =>
    sequence === undefined
      ? "Push the branch again from a clone that has it, or from a backup of the repository."
      : "Restore the latest version of the branch. " +
        (say.command(
          `If the present version was put there on purpose, a person takes it over with: ${`tenancy store accept ${stackOperand(store)}`.trim()}`,
        ) ?? "If the present version was put there on purpose, take it over with `acceptStore`."),
});

/** The branch of the credential store does not exist. */
export const storeBranchMissing = problem<{ store: string; branch: string; remote: string }>({
  code: "TENANCY_STORE_BRANCH_MISSING",
  summary: ({ store, branch, remote }) =>
    `the credential store ${store} does not exist: ${remote} has no branch ${branch}`,
  advice: ({ store }, say) =>
    say.command(`Check the name. For a new store: ${`tenancy store init ${stackOperand(store)}`.trim()}`) ??
    "Check the name. For a new store, call `initStore`.",
});

/** The place of the credential store cannot be used as it is written. */
export const unfitStorePlace = problem<{ place: string; fault: string; source?: string | undefined }>({
  code: "TENANCY_INVALID_SETTING",
  summary: ({ place, fault, source }) =>
    `the place of the credential store ${JSON.stringify(plainText(place, 200))}${source === undefined ? "" : ` in ${source}`} cannot be used: ${fault}`,
  advice: "Write the path of a file, or git:REMOTE/BRANCH, such as git:origin/tenancy-store.",
});

/** git could not read or write the credential store. */
export const storeGitFailed = problem<{
  store: string;
  /** As in "push". */
  task: string;
  /** git's own, free of passwords. */
  words: string;
  /** The run that stays open on the branch. */
  run?: string;
}>({
  code: "TENANCY_STORE_GIT",
  summary: ({ store, task, words }) =>
    `git could not ${task} the credential store ${store}${words === "" ? "" : `: ${plainText(words, 500)}`}`,
  advice: ({ store, run }, say) =>
    sentences(
      "Make sure that you can fetch from the remote, and push to the branch of the store. Then run again.",
      run === undefined
        ? undefined
        : `Others wait for this run until it is ended by hand: ${say.command(`tenancy store unlock ${stackOperand(store)}${run}`) ?? `\`unlockStore\` with "${run}"`}.`,
    ),
});

/** Another run has written the branch of the credential store while this one held it. */
export const storeMoved = problem<{
  store: string;
  run: string;
  /** The branch that has the version of this run; undefined if nothing was written to the service yet. */
  conflictBranch: string | undefined;
  branch: string;
  remote: string;
}>({
  code: "TENANCY_STORE_MOVED",
  summary: ({ store, conflictBranch }) =>
    `the branch of the credential store ${store} moved while this run held it` +
    (conflictBranch === undefined ? "" : `; the store of this run is on the branch ${conflictBranch}`),
  detail: ({ conflictBranch }) =>
    conflictBranch === undefined
      ? "This run stopped before it wrote anything."
      : "Nothing is lost: that branch holds every token that this run created.",
  advice: ({ store, conflictBranch, branch, remote }, say) =>
    conflictBranch === undefined
      ? "Make sure that no other run is under way, then run again."
      : (say.command(
          `Make that branch the store, and apply again, so that it records the other run's changes: git push ${remote} +${remote}/${conflictBranch}:refs/heads/${branch}, then ${`tenancy store accept ${stackOperand(store)}`.trim()}`,
        ) ?? `Make ${conflictBranch} the branch ${branch}, call \`acceptStore\`, and apply again.`),
});

/** A plan that was made without the credential store. */
export const storeClosed = problem<{
  /** Why it could not be opened. */
  reason: string;
  /** Tokens that the store may know, as `login/name`. */
  tokens: readonly string[];
  /** Objects that are managed only if the store has recorded them. */
  unproven: readonly string[];
  /** True if the plan deletes something. */
  isDeleting: boolean;
}>({
  code: "TENANCY_STORE_CLOSED",
  summary: ({ reason }) => `planned without the credential store: ${reason}`,
  detail: ({ tokens, unproven, isDeleting }) =>
    sentences(
      `Not known without the store: hidden values${tokens.length === 0 ? "" : `, and the tokens ${listed(tokens)}`}.`,
      isDeleting ? "Nor is known whether another stack declares what this plan deletes." : undefined,
      unproven.length === 0 ? undefined : `Managed if the store has recorded it: ${listed(unproven)}.`,
    ),
  advice: (_, say) =>
    sentences(
      "This plan cannot be saved or applied. Bring the key that opens the store.",
      say.command("If there is a snapshot, plan from it: tenancy plan --from-snapshot FILE"),
    ),
});

/** A warning: a run deletes objects, and cannot read what a stack declares that this app does not make now. */
export const otherStoreClosed = warning<{
  stack: string;
  /** Why its store does not open. */
  reason: string;
  /** The variable of the key of its store. */
  key: string;
}>({
  code: "TENANCY_OTHER_STORE_CLOSED",
  title: "A run that deletes cannot read what another stack declares",
  summary: ({ stack, reason }) =>
    `whether the stack ${JSON.stringify(stack)} declares what this run deletes is not known: ${reason}`,
  advice: ({ stack, key }, say) =>
    sentences(
      `Make sure that this stack declares none of the deleted objects, and nothing in a deleted account. Tenancy checks that where ${key} is set.`,
      say.command(`If the stack is retired: tenancy store rm --stack ${shellWord(stack)}`),
    ),
});

function listed(names: readonly string[]): string {
  const more = names.length - MOST_SHOWN;
  return names.slice(0, MOST_SHOWN).join(", ") + (more > 0 ? ` and ${more} more` : "");
}

/** The run that is to be ended does not hold the credential store. */
export const noSuchRun = problem<{ store: string; run: string; holder: string | undefined }>({
  code: "TENANCY_UNKNOWN_NAME",
  summary: ({ store, run, holder }) =>
    `run ${plainText(run, 40)} does not hold the credential store ${store}` +
    (holder === undefined ? ": no run does" : `; run ${plainText(holder, 40)} does`),
  advice: (_, say) => say.command("See which run does: tenancy store status"),
});

/** A copy would replace the records of the other credential store. */
export const storeKeepsAlready = problem<{ store: string; origin: string; stack: string }>({
  code: "TENANCY_STORE_KEEPS_ALREADY",
  summary: ({ store, origin, stack }) =>
    `the credential store ${store} keeps something for ${origin} and the stack ${JSON.stringify(stack)} already`,
  detail: "Nothing was copied: two stores of one stack are not merged.",
  advice: "Copy to a new place.",
});

/** The token may be known to holders of an earlier key of the credential store. */
export const exposedToken = warning<{ login: string; name: string; serial: string; exposed_at: string }>({
  code: "TENANCY_TOKEN_EXPOSED",
  title: "A token was in a store that an earlier key opens",
  summary: ({ login, name, serial, exposed_at: at }) =>
    `the token "${name}" of ${login} (${serial}) was in the store when its key was changed, at ${at}`,
  detail: "Earlier versions of the store will always open with the earlier key.",
  advice: (_, say) =>
    say.command("Replace and revoke all such tokens: tenancy token rotate --exposed") ??
    "Rotate it as compromised: `planRotation` with `compromised`.",
});

/** There is a key for the credential store, and the store is not encrypted. */
export const storePlain = problem<string>({
  code: "TENANCY_STORE_PLAIN",
  summary: (store) => `TENANCY_STORE_KEY is set, and the credential store ${store} is not encrypted`,
  advice: (_, say) =>
    `If the key is new, ${say.command("encrypt the store with: tenancy apply --encrypt-store") ?? `have an apply encrypt the store: ${say.flagWith("encrypt_store", "true")}`}. ` +
    "If the store was encrypted before, it has been replaced: restore it from a backup.",
});
