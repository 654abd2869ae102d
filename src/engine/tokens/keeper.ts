/** Keeps created tokens: an intent on disk before a token is created, the token on disk after it, and only then success is reported (design: Tokens). */
import type { TenancyState, StatePart, TokenIdentity, TokenEntry } from "../../state";
import type { TokenIntent, TokenKeeper } from "../../resources";
import type { Snapshot } from "../../service";
import { type Path, normalForm } from "../../lib/values";
import type { Rotation } from "../planned-object";
import { tokenOfState } from "./entry";
import { intentOf, type TokenIntents } from "./intents";
import { noteRefused } from "./refusals";
import { failedRevocationsOf } from "./revocations";

export function tokenKeeper(options: {
  readonly state: TenancyState;
  readonly part: StatePart;
  /** The tokens that the run has noted already. */
  readonly intents: TokenIntents;
  readonly now: () => Date;
  /** The service as the plan saw it. */
  readonly snapshot: Snapshot;
  /** Sensitive paths of the token's declaration. */
  readonly sensitive: readonly Path[];
  /** The rotation that was asked for. */
  readonly rotation?: Rotation | undefined;
  /** Called before anything is noted or sent. @throws TenancyError where the token must not be created */
  readonly demand: (token: TokenIdentity) => void;
}): TokenKeeper {
  const { state, part, intents, now, snapshot, sensitive, rotation, demand } = options;
  return {
    userIdOf: (login) => snapshot.profileWithLogin(login)?.id ?? undefined,
    keptFor(login) {
      const ending = new Set(part.failedRevocations.list().map(({ serial }) => serial));
      return (
        part.tokens
          .list()
          .filter((entry) => normalForm(entry.login) === normalForm(login))
          .flatMap(({ record, previous }) => [record, ...previous])
          .filter(({ serial }) => !ending.has(serial))
          // A sealed token cannot be tried here.
          .flatMap(({ serial, access_token }) => (access_token === null ? [] : [{ serial, access_token }]))
      );
    },
    temporaryPasswords: {
      has: (userId) => part.temporaryPasswords.get({ user_id: userId }) !== undefined,
      async note(login, userId) {
        part.temporaryPasswords.put({ login, user_id: userId, set_at: now().toISOString() });
        await state.save();
      },
      forget: (userId) => void part.temporaryPasswords.remove({ user_id: userId }),
    },
    noteUnrevoked(serial) {
      for (const entry of part.tokens.list())
        for (const one of failedRevocationsOf(entry, now()))
          if (one.serial === serial) part.failedRevocations.put(one);
    },
    async noteRefused(serials) {
      noteRefused(part, serials, now());
      await state.save();
    },
    async intend(login, name, loginWith): Promise<TokenIntent> {
      demand({ login, name });
      const earlierIntent = intents.begin(part, { login, name }, loginWith);
      const intent = earlierIntent ?? intentOf({ login, name }, loginWith, now());
      if (earlierIntent === undefined) {
        part.intents.put(intent);
        await state.save();
      }
      return {
        async keep(token) {
          const undo = putToken(part, tokenOfState(token, sensitive, rotation), now());
          part.intents.remove(intent);
          const possiblyIssued = part.possiblyIssued.get({ login, name });
          part.possiblyIssued.remove({ login, name });
          try {
            await state.save();
          } catch (error) {
            undo();
            part.intents.put(intent);
            if (possiblyIssued !== undefined) part.possiblyIssued.put(possiblyIssued);
            throw error;
          }
        },
        async drop() {
          part.intents.remove(intent);
          await state.save();
        },
      };
    },
  };
}

/**
 * Puts a token into the part. A replaced token that is not kept as a previous one is revoked until the service refuses it.
 * @returns the function that restores the part
 */
function putToken({ tokens, failedRevocations }: StatePart, token: TokenEntry, at: Date): () => void {
  const before = tokens.get(token);
  const serials = new Set([token.record, ...token.previous].map(({ serial }) => serial));
  const replacedTokens =
    before === undefined ? [] : failedRevocationsOf(before, at).filter(({ serial }) => !serials.has(serial));
  replacedTokens.forEach((one) => failedRevocations.put(one));
  const refusalNotes = (before?.refused ?? []).filter(({ serial }) => serials.has(serial));
  tokens.put({ ...token, ...(before?.refused !== undefined && { refused: refusalNotes }) });
  return () => {
    replacedTokens.forEach(({ serial }) => failedRevocations.remove({ serial }));
    tokens.remove(token);
    if (before !== undefined) tokens.put(before);
  };
}
