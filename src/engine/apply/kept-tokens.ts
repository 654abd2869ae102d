/** Tries the tokens of users whose passwords the run changes: a service may end a user's tokens with the user's password. */
import type { TokenEntry } from "../../credentials";
import { ownerAt } from "../../ownership";
import type { Change } from "../../plan";
import { type Finding, keptTokensEnded, placed, whereaboutsOf } from "../../problems";
import { changesPassword } from "../../resources";
import { normalForm, type ObjectValue } from "../../values";
import { tokenKey } from "../diff/token";
import { tokenFamily } from "../families";
import type { PlannedRun } from "../plan";
import {
  onePerPart,
  type PlannedObject,
  type Prune,
  type ReadTarget,
  type WriteTarget,
  writeTargetFor,
  type WriteTargets,
} from "../stages";
import { identityOf, noteEnded, stateOfToken } from "../store";
import type { Progress } from "./progress";

/** Whether the run changes the password of a token's user. */
export function isOfChangedPassword(
  token: ObjectValue,
  { origin }: ReadTarget,
  { objects }: PlannedRun,
): boolean {
  const login = normalForm(identityOf(token).login);
  return objects.some(
    ({ change, target }) =>
      target.origin === origin && updatesPassword(change) && normalForm(change.key) === login,
  );
}

/** The key of a user is the user's login, and that of an account is the login of its primary user. */
function updatesPassword(change: Change): boolean {
  // The attributes are computed when they are asked for.
  return change.action === "update" && changesPassword(change.attributes, change.before);
}

/** The kept tokens that no object of the run tries: they are outside the selection, or not declared, or were not reached. */
export class KeptTokensTrial {
  readonly #written = new Set<PlannedObject>();
  readonly #reached = new Set<string>();

  constructor(
    { prunes }: PlannedRun,
    private readonly writeTargets: WriteTargets,
    private readonly progress: Progress,
  ) {
    // A token that the run revokes is tried with that.
    prunes.forEach((prune) => this.noteReached(prune));
  }

  /** Notes an object whose task has begun: if it is a token, the run itself tries or mints it. */
  noteReached({ resource, target, change }: PlannedObject | Prune): void {
    if (resource.inventory === undefined) this.#reached.add(reachedKey(target, change.key));
  }

  /** Notes an object that was written: the password that it changes, if any, is the new one now. */
  noteWritten(object: PlannedObject): void {
    if (updatesPassword(object.change)) this.#written.add(object);
  }

  /** Tries them, and notes in the store which of them have ended. @returns whether any has */
  async tryAll(): Promise<boolean> {
    const ended = await Promise.all([...this.#written].map((object) => this.#tryTokensOf(object)));
    return ended.includes(true);
  }

  async #tryTokensOf(object: PlannedObject): Promise<boolean> {
    const ended: string[] = [];
    for (const writeTarget of this.#writeTargetsOf(object))
      for (const entry of this.#untried(writeTarget, object))
        if (await this.#hasEnded(entry, writeTarget, object))
          ended.push(`${tokenKey(entry)} (${entry.record.serial})`);
    if (ended.length === 0) return false;
    this.#tell([keptTokensEnded.at({ login: object.change.title, tokens: ended })], object);
    return true;
  }

  /** One for each part of the store in which the user may have tokens; of its own part the one that the user was written through. */
  #writeTargetsOf({ change: { provider }, target: { origin } }: PlannedObject): readonly WriteTarget[] {
    const own = writeTargetFor(this.writeTargets, provider);
    const all = [own, ...this.writeTargets.values()].filter(({ target }) => target.origin === origin);
    const chosen = new Set(onePerPart(all.map(({ target }) => target)));
    return [...new Set(all)].filter(({ target }) => chosen.has(target));
  }

  /** A token that is known to have ended, or that is to be revoked, is no news. */
  #untried({ ledger, target }: WriteTarget, { change }: PlannedObject): readonly TokenEntry[] {
    const login = normalForm(change.key);
    const ending = new Set(ledger.failedRevocations.list().map(({ serial }) => serial));
    return ledger.tokens.list().filter((entry) => {
      const { serial } = entry.record;
      if (normalForm(entry.login) !== login || this.#reached.has(reachedKey(target, tokenKey(entry))))
        return false;
      if (ending.has(serial) || target.refused.has(serial)) return false;
      return entry.refused?.some((one) => one.serial === serial) !== true;
    });
  }

  /** Asks even if the run was stopped: the password is the new one all the same. */
  async #hasEnded(
    entry: TokenEntry,
    { connection, ledger }: WriteTarget,
    object: PlannedObject,
  ): Promise<boolean> {
    const before = stateOfToken(entry, {});
    const client = connection.client.unstoppable();
    try {
      const outcome = await tokenFamily().read({ ...connection, client }, before);
      if (outcome?.state["serial"] !== entry.record.serial) {
        noteEnded(ledger, { before, left: outcome?.state }, connection.now());
        return true;
      }
      const detail = `Token ${tokenKey(entry)}.`;
      this.#tell(
        outcome.findings.map((one) => ({ ...one, detail })),
        object,
      );
    } catch (error) {
      this.progress.noteError(error, whereaboutsOf(object.block, object.instance.address));
    }
    return false;
  }

  #tell(findings: readonly Finding[], { block, instance }: PlannedObject): void {
    for (const one of placed(findings, whereaboutsOf(block, instance.address))) this.progress.note(one);
  }
}

function reachedKey({ origin, owners }: ReadTarget, key: string): string {
  return `${ownerAt(origin, owners)} ${normalForm(key)}`;
}
