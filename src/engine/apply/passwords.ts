/**
 * Follows up changes of passwords: tries the user's tokens, since a service may end them with the password, and takes away a password that a
 * token creation has left.
 */
import type { ProfileRecord } from "../../api";
import type { TokenEntry } from "../../state";
import {
  type Finding,
  isError,
  keptTokensEnded,
  passwordLeft,
  placed,
  type Location,
  whereaboutsOf,
} from "../../problems";
import { type Outcome, removeTemporaryPassword, updatesPassword } from "../../resources";
import { normalForm } from "../../lib/values";
import { updatePasswordOf } from "../diff/passwords";
import { tokenKey } from "../tokens/identity";
import { tokenFamily } from "../families";
import type { PlannedRun } from "../plan";
import { type PlannedObject } from "../planned-object";
import { type Prune } from "../change";
import { type ReadTarget, type WriteTarget, type WriteTargets } from "../target";
import { noteEnded } from "../tokens/refusals";
import { stateOfToken } from "../tokens/entry";
import type { Progress } from "./progress";

/** A user whose password the run has changed. */
interface ChangedUser {
  readonly login: string;
  /** The login as it may be shown. */
  readonly title: string;
  /** The service that the user was written through. */
  readonly target: ReadTarget;
  readonly where: Location;
  /** True if the run had tried tokens, and created them, before that. */
  readonly isAfterAll: boolean;
}

/** The kept tokens that no object of the run tries: they are outside the selection, or not declared, or were not reached. */
export class StoredTokenCheck {
  readonly #changed = new Set<ChangedUser>();
  readonly #reached = new Set<string>();

  constructor(
    { prunes }: PlannedRun,
    private readonly writeTargets: WriteTargets,
    private readonly progress: Progress,
  ) {
    // A token that the run revokes is tried with that.
    prunes.forEach((prune) => this.noteReached(prune));
  }

  /** Notes an object whose task has begun: if it is a token, the run itself tries or creates it. */
  noteReached({ resource, target, change }: PlannedObject | Prune): void {
    if (resource.kind === "token") this.#reached.add(reachedKey(target, change.key));
  }

  /** Notes an object that was written: the password that it changes, if any, is the new one now. */
  noteWritten({ change, target, block, instance }: PlannedObject): void {
    if (!updatesPassword(change)) return;
    const where = whereaboutsOf(block, instance.address);
    this.#changed.add({ login: change.key, title: change.title, target, where, isAfterAll: false });
  }

  /** Notes a password that was taken away after everything else: it may have been one that tokens of this run depend on. */
  noteTakenAway(login: string, target: ReadTarget): void {
    this.#changed.add({ login, title: login, target, where: {}, isAfterAll: true });
  }

  /** Tries those of the users noted since the last time, and notes in the state which of them have ended. @returns whether any has */
  async tryThoseOfChangedUsers(): Promise<boolean> {
    const users = [...this.#changed];
    this.#changed.clear();
    const hasEnded = await Promise.all(users.map((user) => this.#tryTokensOf(user)));
    return hasEnded.includes(true);
  }

  async #tryTokensOf(user: ChangedUser): Promise<boolean> {
    const endedTokens: string[] = [];
    // Other owners of the service may have tokens of the user, too.
    const { origin } = user.target;
    for (const writeTarget of [...this.writeTargets.values()].filter(
      ({ target }) => target.origin === origin,
    ))
      for (const entry of this.#untried(writeTarget, user))
        if (await this.#hasEnded(entry, writeTarget, user))
          endedTokens.push(`${tokenKey(entry)} (${entry.record.serial})`);
    if (endedTokens.length === 0) return false;
    this.#tell([keptTokensEnded.at({ login: user.title, tokens: endedTokens })], user);
    return true;
  }

  /** A token that is known to have ended, or that is to be revoked, is no news. */
  #untried({ part, target }: WriteTarget, user: ChangedUser): readonly TokenEntry[] {
    const login = normalForm(user.login);
    const ending = new Set(part.failedRevocations.list().map(({ serial }) => serial));
    return part.tokens.list().filter((entry) => {
      const { serial } = entry.record;
      if (normalForm(entry.login) !== login) return false;
      if (!user.isAfterAll && this.#reached.has(reachedKey(target, tokenKey(entry)))) return false;
      if (ending.has(serial) || target.refused.has(serial)) return false;
      return entry.refused?.some((one) => one.serial === serial) !== true;
    });
  }

  /** Asks the service even if the run was stopped, since the password has changed by then. */
  async #hasEnded(entry: TokenEntry, { connection, part }: WriteTarget, user: ChangedUser): Promise<boolean> {
    const before = stateOfToken(entry, {});
    const client = connection.client.unstoppable();
    try {
      const outcome = await tokenFamily().read({ ...connection, client }, before);
      if (outcome?.state["serial"] !== entry.record.serial) {
        noteEnded(part, { before, left: outcome?.state }, connection.now());
        return true;
      }
      const detail = `Token ${tokenKey(entry)}.`;
      this.#tell(
        outcome.findings.map((one) => ({ ...one, detail })),
        user,
      );
    } catch (error) {
      this.progress.noteError(error, user.where);
    }
    return false;
  }

  #tell(findings: readonly Finding[], { where }: ChangedUser): void {
    for (const one of placed(findings, where)) this.progress.note(one);
  }
}

function reachedKey({ provider }: ReadTarget, key: string): string {
  return `${provider} ${normalForm(key)}`;
}

// Passwords that an earlier run has set to create a token.

/** After a write of an object: a sent password has replaced a temporary one of any run. */
export function forgetReplacedPassword(
  { change, target: { origin } }: PlannedObject,
  { findings }: Outcome,
  writeTargets: WriteTargets,
): void {
  if (!updatesPassword(change) || findings.some(isError)) return;
  for (const { part, target } of writeTargets.values())
    for (const password of target.origin === origin ? part.temporaryPasswords.list() : [])
      if (normalForm(password.login) === normalForm(change.key)) part.temporaryPasswords.remove(password);
}

/**
 * Removes the temporary passwords of earlier runs, and tests the tokens of their users, which a service may end with the password. This run's own temporary
 * passwords are reported already. If this run began to send another password, only the next run can determine the live one.
 * @returns the present records of the users whose password was removed
 */
export async function takeAwayTemporaryPasswords({
  planned: { objects },
  writeTargets,
  progress,
  storedTokens,
}: {
  readonly planned: Pick<PlannedRun, "objects">;
  readonly writeTargets: WriteTargets;
  readonly progress: Progress;
  readonly storedTokens: StoredTokenCheck;
}): Promise<readonly ProfileRecord[]> {
  const users: ProfileRecord[] = [];
  for (const { connection, part, target } of writeTargets.values())
    for (const password of target.part.temporaryPasswords.list()) {
      const { login, user_id } = password;
      if (part.temporaryPasswords.get(password)?.set_at !== password.set_at) continue;
      if (updatePasswordOf(login, target, objects)) continue;
      const result = await removeTemporaryPassword(connection, login, user_id);
      if (result !== undefined && "why" in result) {
        progress.note(passwordLeft.warning({ login, why: result.why, isNoted: true }));
        continue;
      }
      part.temporaryPasswords.remove(password);
      if (result === undefined) continue;
      users.push(result.user);
      storedTokens.noteTakenAway(login, target);
    }
  await storedTokens.tryThoseOfChangedUsers();
  return users;
}
