import type { UserProfile } from "../../../src/lib/simulator";
import type { Exchange } from "../world/exchange";
import { isLogIn } from "../world/exchange";
import type { Witness } from "./invariant";

/** A request that changed something. */
export type Write = Exchange;

/** The changes of a run, in the order of time. A log-in opens a session, which is no record of anybody's. */
export function writesOf({ exchanges }: Pick<Witness, "exchanges">): readonly Write[] {
  return exchanges.filter((exchange) => exchange.commits.length > 0 && !isLogIn(exchange));
}

/** True if it deletes a record outright, tokens left aside: those are revoked in rotations, too. */
export function isDeletion({ method, path }: Write): boolean {
  return method === "DELETE" && !path.startsWith("/api/authorization/");
}

/** The record's id or serial in a path. */
export function referenceIn(path: string): string {
  return decodeURIComponent(path.split("/").at(-1) ?? "");
}

/** True if the state notes that creating a token has left a password: every plan warns of it, and every apply takes it away or sends a declared one. */
export function hasLeftPassword(userId: string, { state }: Pick<Witness, "state">): boolean {
  return state.before?.temporaryPasswords.some(({ user_id: user }) => user === userId) === true;
}

/** True if a write takes away a password that creating a token has left. */
export function takesAwayLeftPassword(
  { path, method, sent }: Write,
  witness: Pick<Witness, "state">,
): boolean {
  return method === "PATCH" && sent === '{"password":null}' && hasLeftPassword(referenceIn(path), witness);
}

/** True if the run itself has set the password that a user has. */
export function isPasswordSetByRun(
  { id, password }: UserProfile,
  witness: Pick<Witness, "exchanges">,
): boolean {
  return (
    password !== null &&
    writesOf(witness).some(({ commits }) =>
      commits.some(
        ({ kind, before, after }) =>
          kind === "profile" &&
          after?.id === id &&
          after.password === password &&
          before?.password !== password,
      ),
    )
  );
}
