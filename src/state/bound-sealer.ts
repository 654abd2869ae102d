/**
 * Seals documents together with their context: a project, a stack, a kind, and a place in the sequence of versions. A document that
 * replaces another one is so detected, although both open with one key.
 */
import { createHash } from "node:crypto";
import { stateKeyMissing, stateNotOurs, wrongStateKey } from "../problems";
import { type ObjectValue, shapes, stringifyJson } from "../lib/values";
import {
  corruptWhereMisshapen,
  FORMAT_VERSION,
  readHeader,
  refuseOtherProject,
  STATE_FORMAT,
} from "./document";
import { type Sealer } from "./sealer";

/** The project and stack of a document. */
export interface StateIdentity {
  /** `projectId` of cdktf.json; null if it is not known: then every project's documents count. */
  readonly project: string | null;
  /** The stack; null for a state that all stacks of the project share. */
  readonly stack: string | null;
}

/** `file`: a whole state. `head`, `secrets`, `objects`: the files of a state on a branch. */
export type SealedKind = "file" | "head" | "secrets" | "objects";

/** A version of a document. */
export interface Version {
  /** Each write raises it by one. */
  readonly sequence: number;
  /** SHA-256 of the text of the version before, in hex; null of the first one. */
  readonly previous: string | null;
}

/** Facts that are sealed with a document. */
export interface SealedFacts extends Version {
  /** ISO 8601. */
  readonly time: string;
  /** Id of the run that wrote it. */
  readonly run: string;
  /** The commit that was applied last; null if that is not known. */
  readonly commit: string | null;
}

const { text, nullable, integer, objectOf, anyObject } = shapes;

const sealedShape = objectOf({
  project: nullable(text),
  stack: nullable(text),
  kind: text,
  sequence: integer,
  previous: nullable(text),
  time: text,
  run: text,
  commit: nullable(text),
  payload: anyObject,
});

export class BoundSealer {
  readonly #sealer: Sealer | undefined;
  readonly #identity: StateIdentity;
  readonly #run: string;

  /** @param sealer undefined if there is no key: then nothing can be openedText */
  constructor(sealer: Sealer | undefined, identity: StateIdentity, run: string) {
    this.#sealer = sealer;
    this.#identity = identity;
    this.#run = run;
  }

  /** @throws stateKeyMissing */
  async seal(
    kind: SealedKind,
    payload: ObjectValue,
    { sequence, previous }: Version,
    commit: string | null,
    state: string,
  ): Promise<string> {
    if (this.#sealer === undefined) throw stateKeyMissing.error(state);
    const { project, stack } = this.#identity;
    const facts = { sequence, previous, time: new Date().toISOString(), run: this.#run, commit };
    const format = { format: STATE_FORMAT, version: FORMAT_VERSION };
    return this.#sealer.seal(stringifyJson({ ...format, project, stack, kind, ...facts, payload }));
  }

  /**
   * @param sealed a sealed document
   * @throws stateKeyMissing, wrongStateKey, stateNotOurs, corruptState, newerState
   */
  async open(
    kind: SealedKind,
    sealed: string,
    state: string,
  ): Promise<{ readonly facts: SealedFacts; readonly payload: ObjectValue }> {
    if (this.#sealer === undefined) throw stateKeyMissing.error(state);
    try {
      const openedText = await this.#sealer.open(sealed);
      if (openedText === undefined) throw wrongStateKey.error(state);
      const value = readHeader(openedText, state);
      const { project, stack, kind: actualKind, payload, ...facts } = sealedShape(value, "");
      const identity = this.#identity;
      const refuse = (member: string, own: string | null, actual: string | null) =>
        stateNotOurs.error({ state, member, own: own ?? "none", actual: actual ?? "none" });
      refuseOtherProject(state, identity.project, project);
      if (stack !== identity.stack) throw refuse("stack", identity.stack, stack);
      if (actualKind !== kind) throw refuse("kind", kind, actualKind);
      return { facts: { ...facts, sequence: Number(facts.sequence) }, payload };
    } catch (error) {
      throw corruptWhereMisshapen(error, state);
    }
  }
}

export function digestOfText(content: string): string {
  return createHash("sha256").update(content).digest("hex");
}
