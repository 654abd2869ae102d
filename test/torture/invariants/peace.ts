/** Peace: faults and rivals have stopped. */
import { declaredUsers, entriesOf } from "../model/declaration";
import { accountNamed, profileWithLogin, tokenWith, type Snapshot } from "../world/snapshot";
import { rightsOf } from "./approved";
import type { Failure, Witness } from "./invariant";
import { accountIn, hasTwin, isOurProfile, seesEveryAccount, userIn } from "./whose";
import { writesOf } from "./writes";

/** Decisions that an apply may ask of its user. It has to settle everything else by itself. */
const DECISIONS: ReadonlySet<string> = new Set([
  "TENANCY_NOT_VERIFIED",
  "TENANCY_ACCOUNT_DELETION",
  "TENANCY_ACCOUNT_NOT_EMPTY",
  "TENANCY_ALREADY_LIVE",
  "TENANCY_UNMANAGED",
  "TENANCY_NOTHING_MANAGED",
  "TENANCY_IMPORT_MISMATCH",
  "TENANCY_IMPORT_REPLACED",
  "TENANCY_NO_SUCH_OBJECT",
  "TENANCY_OTHER_UUID",
  "TENANCY_REMOVED_AND_DECLARED",
  "TENANCY_DELETION_UNMANAGED",
  "TENANCY_RETIRES_EARLY",
  "TENANCY_SELF_CHANGE",
  "TENANCY_STATE_ABSENT",
  "TENANCY_TOKEN_WITHOUT_USER",
  "TENANCY_TOO_MANY_DELETES",
  "TENANCY_TWIN_RECORDS",
]);

/** @returns what is wrong with how an apply in peace ended */
export function unsettled(witness: Witness, canLogIn: (login: string) => boolean): readonly string[] {
  const { outcome } = witness;
  switch (outcome.end) {
    case "ok":
      return [...notAsDeclared(witness), ...notPruned(witness), ...lostTokens(witness)];
    case "refused":
      return undecidable(outcome.codes, witness);
    default:
      return [
        ...outcome.failures
          .filter((failure) => !isExplained(failure, witness, canLogIn) && !isAsked(failure, witness))
          .map(
            ({ address, operation, codes }) => `the ${operation} of ${address} failed: ${codes.join(", ")}`,
          ),
        ...undecidable(codesBesides(witness), witness),
      ];
  }
}

function undecidable(codes: readonly string[], witness: Witness): readonly string[] {
  return codes
    .filter((code) => !DECISIONS.has(code) && !isDecisionHere(code, witness))
    .map((code) => `the apply asks to decide about ${code}`);
}

/** Some codes ask for a decision only in one situation. */
function isDecisionHere(code: string, witness: Witness): boolean {
  switch (code) {
    case "TENANCY_TOKEN_CREATION_IMPOSSIBLE":
      return hasSuspendedUser(witness) || hasUnsentPassword(witness);
    default:
      return false;
  }
}

function hasSuspendedUser({ declaration, after }: Witness): boolean {
  return declaredUsers(declaration).some(
    ({ login, user }) => Object.keys(user.tokens).length > 0 && isSuspended(login, after),
  );
}

/** A lost state does not tell that a declared password was never sent, and only a decision sends it. */
function hasUnsentPassword({ declaration, after }: Witness): boolean {
  return declaredUsers(declaration).some(
    ({ login, user }) =>
      user.password !== undefined &&
      Object.keys(user.tokens).length > 0 &&
      (profileWithLogin(after, login)?.password ?? null) === null,
  );
}

/** Terraform asks while it applies, object by object: what else fails meanwhile has reasons of its own. */
function isAsked({ codes }: Failure, witness: Witness): boolean {
  return witness.engine === "terraform" && codes.length > 0 && undecidable(codes, witness).length === 0;
}

/** Codes of no failure: Terraform may refuse what it plans anew while it applies before it tries it. */
function codesBesides({ engine, outcome }: Witness): readonly string[] {
  if (engine === "embedded") return [];
  const failureCodes = new Set(outcome.failures.flatMap(({ codes }) => codes));
  return outcome.codes.filter((code) => !failureCodes.has(code));
}

/** A second apply, right after one that succeeded. */
export function restless(witness: Witness): readonly string[] {
  const { outcome, state } = witness;
  const active = outcome.planned.filter(({ action }) => action !== "none");
  return [
    ...(outcome.end === "ok" ? [] : [`the second run ended as ${outcome.end}: ${outcome.codes.join(", ")}`]),
    ...active.map(({ action, address, shown }) => `the second plan wants to ${action} ${address}: ${shown}`),
    ...writesOf(witness).map(({ method, path }) => `the second apply sent ${method} ${path}`),
    ...(state.before?.text === state.after?.text ? [] : ["the second apply wrote to the state"]),
  ];
}

/**
 * True if the apply could not have succeeded. A token cannot be created with a password that somebody has changed, nor revoked at a service
 * without such a call. An account cannot be deleted at a service that wants the account to be empty, while it holds somebody else's user.
 */
function isExplained(
  { address, operation, codes }: Failure,
  witness: Witness,
  canLogIn: (login: string) => boolean,
): boolean {
  const { declaration, service, after, uuids } = witness;
  // Whoever may not manage accounts may neither touch them nor grant rights that reach beyond one.
  const isForbidden = !seesEveryAccount(witness) && codes.includes("TENANCY_API_FORBIDDEN");
  const isBeyondAccount =
    address.startsWith("tenancy_account.") ||
    declaredUsers(declaration).some(
      ({ account, username, user }) =>
        address === `tenancy_user_profile.${account}_${username}` &&
        user.rights?.some((right) => right.startsWith("realm.")) === true,
    );
  if (isForbidden && isBeyondAccount) return true;
  const isRefused = service.accountDelete === "refuse" && operation === "delete";
  if (isRefused && address.startsWith("tenancy_account.")) return true;
  // The service gives no uuid twice, and a declared uuid has no next generation.
  if (!service.reuseUuids && uuids !== "none" && operation === "create") return true;
  // The service gives no uuid twice, and a caller who may not see every record cannot prove that the earlier object is gone.
  if (!service.reuseUuids && !service.describeCaller.permissions && operation === "create") return true;
  // The service ends tokens with the password: a password set to create a token ends the new token, a declared one ends the earlier tokens.
  if (service.passwordEndsTokens && address.startsWith("tenancy_authorization.")) return true;
  if ((!service.revocation || service.revokes !== "as asked") && address.startsWith("tenancy_authorization."))
    return true;
  return declaredUsers(declaration).some(
    ({ account, username, login, user }) =>
      address.startsWith(`tenancy_authorization.${account}_${username}_`) &&
      (isSuspended(login, after) || (user.password !== undefined && !canLogIn(login))),
  );
}

/** A suspended user cannot create tokens either. */
function isSuspended(login: string, live: Snapshot): boolean {
  const profile = profileWithLogin(live, login);
  if (profile === undefined) return false;
  return (
    !profile.activated || !profile.access.api || live.accounts.get(profile.account_id)?.disabled === true
  );
}

function notAsDeclared({ declaration, after, service, altered }: Witness): readonly string[] {
  const findings: string[] = [];
  const expect = (what: string, live: unknown, declared: unknown): void => {
    if (declared !== undefined && JSON.stringify(live) !== JSON.stringify(declared))
      findings.push(`${what} is ${JSON.stringify(live)}, not ${JSON.stringify(declared)} as declared`);
  };
  for (const [name, declared] of entriesOf(declaration.accounts)) {
    const account = accountNamed(after, name);
    if (account === undefined) {
      findings.push(`the account ${name} is not there`);
      continue;
    }
    // If the service hides contacts, a run sends a declared one once, and cannot see that others change it later.
    if (service.contacts === "full" || !altered.has(account.serial))
      expect(`${name}'s company`, account.primary_contact.company, declared.company);
    expect(`${name}'s vss_num`, account.limits.vss_num, declared.vssNum);
    expect(`${name}'s level`, after.profiles.get(account.admin_profile_id)?.level, declared.level);
  }
  for (const { login, user } of declaredUsers(declaration)) {
    const profile = profileWithLogin(after, login);
    if (profile === undefined) {
      findings.push(`the user ${login} is not there`);
      continue;
    }
    expect(`${login}'s email`, profile.email, user.email);
    expect(`${login}'s level`, profile.level, user.level);
    expect(`${login}'s rights`, rightsOf(profile), user.rights && [...user.rights].sort());
  }
  return findings;
}

/**
 * Users of ours are gone where they are not declared; accounts stay, with all that is in them. Terraform knows only of what is in
 * its state.
 */
function notPruned(witness: Witness): readonly string[] {
  const { engine, declaration, after, state } = witness;
  if (engine === "terraform") return [];
  return (
    [...after.profiles.values()]
      .filter((profile) => !profile.account_admin && isOurProfile(profile, witness))
      // Of a user whom a lost state knew, no run can know.
      .filter(
        ({ login, serial }) => state.before?.objects[`user_profile:${login}`]?.record?.serial === serial,
      )
      .filter((profile) => !hasTwin(profile, after))
      .filter(({ login, account_id: id }) => {
        const account = after.accounts.get(id)?.name ?? "";
        return accountIn(declaration, account) !== undefined && userIn(declaration, login) === undefined;
      })
      .map(({ login }) => `the user ${login} is ours and not declared, and still there`)
  );
}

function lostTokens(witness: Witness): readonly string[] {
  const { declaration, state } = witness;
  const absent = declaredUsers(declaration).flatMap(({ login, user }) =>
    Object.keys(user.tokens)
      .filter((name) => !state.after?.tokens.some((token) => token.login === login && token.name === name))
      .map((name) => `the token ${login}/${name} is not in the state`),
  );
  const unusable = refusedTokens(witness)
    .filter((key) => !isToldToEnd(key, witness))
    .map((key) => `the token ${key} of the state is refused`);
  return [...absent, ...unusable];
}

/** Declared tokens of the state that the service refuses. A suspended user's token may work again later, so nothing is known of it. */
function refusedTokens({ declaration, after, state }: Witness): readonly string[] {
  return declaredUsers(declaration)
    .filter(({ login }) => !isSuspended(login, after))
    .flatMap(({ login, user }) =>
      (state.after?.tokens ?? [])
        .filter(
          (token) =>
            token.login === login &&
            token.name in user.tokens &&
            tokenWith(token.record.serial, after) === undefined,
        )
        .map(({ name }) => `${login}/${name}`),
    );
}

/** True if a token ended as its plan had told: then there is something to do for the next one. */
export function hasEndedAsTold(witness: Witness): boolean {
  return refusedTokens(witness).some((key) => isToldToEnd(key, witness));
}

/** Terraform asks nobody of a token that a plan keeps; so the plan tells that the service may end it with the password that it changes. */
function isToldToEnd(key: string, { engine, service, outcome }: Witness): boolean {
  return (
    engine === "terraform" &&
    service.passwordEndsTokens &&
    outcome.printed.some((text) => text.includes(`${key}\\" may end with the password of`))
  );
}
