/** Things that a run must not leave behind, however it ended, unless it was killed. */
import { declaredUsers } from "../model/declaration";
import type { Invariant } from "./invariant";
import { isPasswordSetByRun } from "./writes";

/** While another run of ours goes on, the lock may be that one's. If it is left, the next run does not get it. */
export const abandonedLocks: Invariant = {
  title: "a run that was not killed has let go of the state",
  violations: ({ outcome, state }) =>
    outcome.end !== "killed" && state.isLocked && state.isShared !== true
      ? ["the state is locked, and nobody works with it"]
      : [],
};

/** A user without a password may get one so that a token can be created, and loses it in the same run. */
export const temporaryPasswords: Invariant = {
  title: "a password that was set for a moment is gone after the run, or the run says that it is left",
  violations: (witness) => {
    const { outcome, exchanges, declaration, after } = witness;
    if (outcome.end === "killed") return [];
    // A wrong answer, or a session that ends, may keep the run from taking the password away. Then the run must say so.
    const isHindered = exchanges.some(
      ({ strike, status }) => strike !== undefined && (strike.kind !== "rival" || status === 401),
    );
    const isReported = (login: string) =>
      outcome.isUnread === true ||
      outcome.printed.some((text) => text.includes("TENANCY_PASSWORD_LEFT") && text.includes(login));
    return declaredUsers(declaration).flatMap(({ login, user }) => {
      if (user.password !== undefined || (isHindered && isReported(login))) return [];
      const profile = [...after.profiles.values()].find((one) => one.login === login);
      return profile !== undefined && isPasswordSetByRun(profile, witness)
        ? [`${login} is left with a password that nobody declares`]
        : [];
    });
  },
};

/** A run that reports to programs always prints something, so a full disk is always noticed. */
export const unheardRuns: Invariant = {
  title: "a run that could tell nobody what it does ends with an error",
  violations: ({ reader, outcome, verb }) =>
    reader?.kind === "full disk" && outcome.isUnread === true && verb !== "plan" && outcome.end === "ok"
      ? ["nothing of its output was written, and it ended well"]
      : [],
};
