/** Notes the tokens that an apply is to create, all of them before its first write: one save, which for a state on a branch is one push. */
import { randomUUID } from "node:crypto";
import type { Intent, StatePart, TokenIdentity } from "../../state";
import { unprovenAbsenceOfUser } from "../../resources";
import { groupedBy, normalForm, textOf } from "../../lib/values";
import type { PlannedObject } from "../planned-object";
import { partsOfObjectKey } from "../families";
import { type ReadTarget, writeTargetFor, type WriteTargets } from "../target";
import { createsToken, tokenKey } from "./identity";
import { foreseenToken } from "./possibly-issued";

export class TokenIntents {
  /** Intents whose tokens the run has not begun to create. */
  readonly #unstarted = new Map<StatePart, Map<string, Intent>>();

  constructor(objects: readonly PlannedObject[], writeTargets: WriteTargets) {
    for (const object of objects) {
      // A login that is unknown before the apply is noted when it is known.
      const token = createsToken(object.change) ? foreseenToken(object) : undefined;
      if (token === undefined) continue;
      const { part, connection } = writeTargetFor(writeTargets, object.change.provider);
      const loginWith = textOf(object.config["login_with"]) ?? "password";
      const intent = intentOf(token, loginWith, connection.now());
      part.intents.put(intent);
      const own = this.#unstarted.get(part) ?? new Map<string, Intent>();
      this.#unstarted.set(part, own.set(identityText(token), intent));
    }
  }

  /** The durable intent of a token that is about to be created; undefined where the run has noted none that fits. */
  begin(part: StatePart, token: TokenIdentity, loginWith: string): Intent | undefined {
    const own = this.#unstarted.get(part);
    const intent = own?.get(identityText(token));
    if (intent?.login_with !== loginWith) return undefined;
    own?.delete(identityText(token));
    return intent;
  }

  /** Forgets the tokens that the run has not begun to create, because something before them failed. */
  endUnstarted(): void {
    for (const [part, own] of this.#unstarted) for (const intent of own.values()) part.intents.remove(intent);
    this.#unstarted.clear();
  }
}

export function intentOf({ login, name }: TokenIdentity, loginWith: string, now: Date): Intent {
  return { id: randomUUID(), login, name, login_with: loginWith, started_at: now.toISOString() };
}

/** Creations with an unknown result, one group for each user: a person looks once at the service for all tokens of a user. */
export function unknownTokens(intents: readonly Intent[]) {
  return [...groupedBy(intents, ({ login }) => normalForm(login)).values()].map((creations) => ({
    login: creations[0]?.login ?? "",
    creations,
  }));
}

/** True if the user of a creation is gone for certain: a token ends with its user. A renamed user keeps it. */
export function isUserGone({ login }: Intent, { snapshot, part }: ReadTarget): boolean {
  const isRenamed = part.objects.recordedObjects().some(({ key, record: { uuid } }) => {
    const { resource, key: recordedLogin } = partsOfObjectKey(key);
    if (normalForm(recordedLogin) !== normalForm(login) || resource.kind === "token") return false;
    return snapshot.listOf(resource.description.name).find("uuid", uuid) !== undefined;
  });
  return (
    !isRenamed &&
    snapshot.profileWithLogin(login) === undefined &&
    unprovenAbsenceOfUser(login, snapshot) === undefined
  );
}

/** Forgets creations for users who are gone. Of several attempts at one token the earliest stays: a look at the service begins there. */
export function forgetNeedless({ intents }: StatePart, target: ReadTarget): void {
  const names = new Set<string>();
  for (const intent of intents.list()) {
    const name = identityText(intent);
    if (names.has(name) || isUserGone(intent, target)) intents.remove(intent);
    names.add(name);
  }
}

function identityText(token: TokenIdentity): string {
  return normalForm(tokenKey(token));
}
