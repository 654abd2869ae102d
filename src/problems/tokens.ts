/** Errors of authorizations and their secrets. */
import { didYouMean, type Finding, problem, type TenancyError, warning } from "./problem";
import { inWords, sentences, ways, type Words } from "./words";
import { shellWord } from "../lib/values";

/** A rotation would revoke a token that an earlier one has replaced, before its time is over. */
export const retiresEarly = problem<{
  key: string;
  /** The tokens that would be revoked, each with the time until which it must stay valid. */
  ends: readonly { readonly serial: string; readonly until: Date | undefined }[];
}>({
  code: "TENANCY_RETIRES_EARLY",
  attribute: ["retain_previous"],
  summary: ({ key, ends }) => {
    const tokens = ends.map(({ serial, until }) =>
      until === undefined ? serial : `${serial}, which must stay valid until ${until.toISOString()}`,
    );
    return `rotating ${JSON.stringify(key)} would revoke ${tokens.join("; ")}`;
  },
  advice: (_, say) =>
    ways(
      "wait until then",
      `set a higher ${say.name("retain_previous")} to keep the old token`,
      say.command("pass --retire-early") ??
        `declare a shorter ${say.name("retain_previous_for")}, which ends it now`,
    ),
});

/** A token is not created, since it could not be used yet. */
export const tokenWaits = warning<{ key: string }>({
  code: "TENANCY_TOKEN_WAITS",
  title: "A token waits until its user has access",
  summary: ({ key }) => `${JSON.stringify(key)} is neither created nor rotated while its user has no access`,
  detail: "The user is suspended, or the user's access has ended.",
  advice:
    "The next apply after the user has access creates it. If it is no longer needed, remove its declaration.",
});

/** A plan of Terraform rotates a token: the fate of the existing tokens. */
export const tokenRotates = warning<{
  key: string;
  /** As in "a new token; the old one stays valid for 7d". */
  reason: string;
}>({
  code: "TENANCY_TOKEN_ROTATES",
  title: "A token will be rotated",
  summary: ({ key, reason }) => `${JSON.stringify(key)} is rotated: ${reason}`,
  advice: "Hand the new token to its consumers before the old one ends.",
});

/** A plan would revoke tokens at a service that revokes none. */
export const tokensStay = warning<{ tokens: readonly string[] }>({
  code: "TENANCY_NOT_REVOKED",
  title: "Tokens stay valid",
  summary: ({ tokens }) => `the service revokes no tokens, so these stay valid: ${tokens.join(", ")}`,
  advice: "Revoke them with the service's own tools. They stay listed until the service refuses them.",
});

/** An apply of Terraform's has changed a password. The fact: login of the user. */
export const tokenMayEnd = warning<string>({
  code: "TENANCY_TOKENS_ENDED",
  title: "A new password may have ended the tokens of its user",
  summary: (login) =>
    `the password of ${JSON.stringify(login)} has changed, which may have ended the user's tokens`,
  detail:
    "Some services revoke a user's tokens with the user's password, and Terraform does not call the provider for a token that stays as it is.",
  advice:
    "If the user has tokens here, plan once more: its refresh tries them, and a token that has ended is created again.",
});

/** Ways to have a token created that could not be created as declared. */
export const WAYS_TO_CREATE_TOKENS = {
  login: (say: Words) => `set ${say.name("login")}`,
  "the user": (say: Words) => `check ${say.name("login")}, and declare its user first`,
  password: (say: Words) => `set ${say.name("password_wo")}`,
  "login and password": (say: Words) => `set ${say.name("login")} and ${say.name("password_wo")}`,
  "username and password": () => "set both, or neither for the provider's own",
  "no password": (say: Words) =>
    `on its user profile, ${say.unset("password_wo")}, which ends the present password`,
  "the provider's password": () => "configure the provider with a username and password",
  "API access": (say: Words) => `on its user, ${say.set("access_api", "true")}`,
  "another user": () => "create the token for a user without a second factor",
  "another way": (say: Words) => `choose another ${say.name("login_with")}`,
  "with the password": (say: Words) =>
    `choose ${say.set("login_with", "password")} with ${say.name("password_wo")}, the present password, which changes nothing for the user`,
  "a new password": (say: Words) =>
    `declare ${say.name("password_wo")} on its user${say.command(" and pass --reset-passwords") ?? `, with a higher ${say.version("password_wo")} once it is applied`}, which replaces the present password and may end the user's other tokens, and choose ${say.set("login_with", "password")} with it`,
  "a declared password": (say: Words) =>
    `declare ${say.name("password_wo")} on its user (if it is declared, ${say.command("pass --reset-passwords") ?? `raise ${say.version("password_wo")}`}), and the same one for the token`,
  "a temporary password": (say: Words) => `choose ${say.set("login_with", "temporary_password")}`,
  "an active user": () => "activate the user and the user's account with the service's own tools",
};

export type WayToCreateToken = keyof typeof WAYS_TO_CREATE_TOKENS;

/** A token cannot be created the way that is declared; nothing was sent that could have made one. */
export const tokenCreationImpossible = problem<{
  login?: string | undefined;
  /** The obstacle, as a clause. */
  why: string;
  /** Each would let the token be created. */
  instead: readonly WayToCreateToken[];
}>({
  code: "TENANCY_TOKEN_CREATION_IMPOSSIBLE",
  summary: ({ login, why }) =>
    `a token${login === undefined ? "" : ` for ${JSON.stringify(login)}`} cannot be created: ${why}`,
  advice: ({ instead }, say) => ways(...instead.map((way) => WAYS_TO_CREATE_TOKENS[way](say))),
});

/** A token created here would be lost with the machine. */
export const tokenCreationRefused = problem({
  code: "TENANCY_TOKEN_CREATION_REFUSED",
  summary: "tokens are not created without a state: nothing would keep them",
  advice: (_, say) =>
    `Keep it on a branch (${say.flagWith("state", "git:REMOTE/BRANCH")}), in a file that outlives the job, or with ${say.flag("credential_helper")}.`,
});

/** Several tokens have this name. */
export const ambiguousToken = problem<{
  name: string;
  /** As in `csi@globex/csi-prod (ATH47…)`. */
  candidates: readonly string[];
}>({
  code: "TENANCY_UNKNOWN_NAME",
  summary: ({ name, candidates }) =>
    `${JSON.stringify(name)} could be any of several tokens: ${candidates.join(", ")}`,
  advice: "Name it as login/name, or by its serial number.",
});

/** The state knows no token of that name. */
export const noSuchToken = problem<{
  name: string;
  state: string;
  /** The tokens that there are, each as `login/name`. */
  known: readonly string[];
}>({
  code: "TENANCY_UNKNOWN_NAME",
  summary: ({ name, state }) => `${state} holds no token ${JSON.stringify(name)}`,
  advice: ({ name, known }) => {
    const names = known.map((key) => key.slice(key.indexOf("/") + 1));
    const contents =
      known.length === 0
        ? "It holds none for this stack; apply creates the declared tokens."
        : `It holds: ${known.slice(0, 60).join(", ")}.`;
    return didYouMean(name, [...known, ...names], contents);
  },
});

/** A token is still valid although it should be revoked, or may be valid again. */
export const notRevoked = problem<{
  readonly serial: string;
  /** True if the service does not revoke over its API: as it answered, or as it is configured. */
  readonly isUnsupported?: boolean;
  readonly isConfigured?: boolean;
  /** Set if the service refuses the token, and that proves nothing. */
  readonly unproven?: {
    /** Why the service did not delete it. */
    readonly said: string;
    /** Another reason for the refusal, as a clause: "its user is not activated". */
    readonly reason: string;
  };
}>({
  code: "TENANCY_NOT_REVOKED",
  summary: ({ serial, isUnsupported = false, unproven }) => {
    const unsupported = "the service does not revoke tokens over its API";
    if (unproven === undefined)
      return isUnsupported
        ? `${unsupported}, and the token ${serial} is still valid`
        : `the token ${serial} is still valid after it was revoked`;
    const mayBeGood = `the token ${serial} may be valid again: it is refused now, and ${unproven.reason}`;
    return isUnsupported ? `${unsupported}, and ${mayBeGood}` : mayBeGood;
  },
  detail: ({ isUnsupported = false, unproven }) =>
    unproven !== undefined && !isUnsupported ? `It was not deleted: ${unproven.said}.` : undefined,
  advice: ({ serial, isUnsupported = false, isConfigured = false, unproven }, say) =>
    sentences(
      unproven === undefined
        ? `Revoke ${serial} with the service's own tools${isConfigured ? "." : ", then run again."}`
        : `Revoke ${serial} with the service's own tools. It is treated as revoked when it is refused while its user is active, or once its user is gone.`,
      unproven === undefined && isUnsupported && !isConfigured
        ? `With ${say.set("tokens_revocable", false)} in the provider's configuration it stays listed, and is no error.`
        : undefined,
      isUnsupported ? say.endWithUser() : undefined,
    ),
});

/** A compromised token is revoked, but the new one could not be created. */
export const revokedNotReplaced = problem<{
  key: string;
  /** Why there is no new one. */
  failure: TenancyError;
}>({
  code: "TENANCY_REVOKED_NOT_REPLACED",
  summary: ({ key, failure }) =>
    `the token ${JSON.stringify(key)} is revoked, but no new one was created: ${firstFinding(failure).summary}`,
  detail: ({ failure }) => firstFinding(failure).detail,
  advice: ({ failure }, say) =>
    sentences(inWords(firstFinding(failure).advice, say), "Then apply: it creates a new one."),
});

function firstFinding(failure: TenancyError): Pick<Finding, "summary" | "detail" | "advice"> {
  return failure.toFindings()[0] ?? { summary: failure.message };
}

/** A warning: a secret differs from the one that was sent, and its version is the same. */
export const secretDiffers = warning<string>({
  code: "TENANCY_SECRET_NOT_SENT",
  title: "A secret differs from the one that was sent under the same version",
  summary: (name) => `"${name}" differs from the value sent under this version, and will not be sent`,
  advice: (name, say) => `Raise ${say.version(name)} to have it sent.`,
});

/** A token was created, and its secret could not be kept. */
export const tokenNotKept = problem<{ login: string; serial: string; revoked: boolean; why: string }>({
  code: "TENANCY_TOKEN_NOT_KEPT",
  summary: ({ login, why }) =>
    `the token for ${JSON.stringify(login)} was created, but could not be kept: ${why}`,
  detail: ({ serial, revoked }) =>
    revoked ? `It was revoked (serial ${serial}).` : `It could not be revoked: serial ${serial}.`,
  advice: ({ serial, revoked }) =>
    revoked ? "Fix the state and run again." : `Revoke ${serial} at the service, and fix the state.`,
});

/** A created token belongs to another user than the declared one. */
export const tokenOfAnother = problem<{ login: string; serial: string; revoked: boolean }>({
  code: "TENANCY_TOKEN_OF_ANOTHER",
  summary: ({ login }) => `the token that was created for ${JSON.stringify(login)} belongs to another user`,
  detail: ({ serial, revoked }) =>
    revoked ? `It was revoked (serial ${serial}).` : `It could not be revoked: serial ${serial}.`,
  advice: ({ serial, revoked }, say) =>
    revoked
      ? `Check ${say.name("login")} and ${say.name("login_with")}.`
      : `Revoke ${serial} at the service, then check ${say.name("login")} and ${say.name("login_with")}.`,
});

/** A token of the state is to be rotated, and nothing says how to create it. */
export const tokenUndeclared = problem<string>({
  code: "TENANCY_TOKEN_UNDECLARED",
  summary: (key) =>
    `the token ${JSON.stringify(key)} is not declared, so nothing says how to create a new one`,
  advice: (key, say) =>
    `Revoke it${say.command(`: tenancy token revoke ${shellWord(key)}`) ?? ", with `revokeToken`"}. Or declare it, and rotate it then.`,
});

/** A warning: a token is refused, or cannot be checked, and that does not prove that it is gone. */
export const tokenNotVerified = warning<{
  serial: string;
  /** The finding, as a clause. */
  why: string;
}>({
  code: "TENANCY_TOKEN_NOT_VERIFIED",
  title: "A token could not be verified",
  summary: ({ serial, why }) => `cannot check whether the token ${serial} is still valid: ${why}`,
  advice: "It is kept, unless this plan replaces it. To have a new one created, change its `keepers`.",
});

/** A token that should be revoked is still accepted by the service. */
export const unrevokedToken = problem<{ login: string; name: string; serial: string }>({
  code: "TENANCY_NOT_REVOKED",
  summary: ({ login, name, serial }) => `the token "${name}" of ${login} (${serial}) is still to be revoked`,
  advice: "It is tried again at the next apply; if this persists, revoke it in the service itself.",
});

/** Tokens of a machine user ended with the password that was set to create a token. */
export const tokensEnded = problem<{
  login: string;
  /** Serial numbers of the tokens that are refused since. */
  serials: readonly string[];
}>({
  code: "TENANCY_TOKENS_ENDED",
  title: "The service ended tokens of a user",
  attribute: ["login_with"],
  summary: ({ login, serials }) =>
    `the service refuses ${serials.join(", ")} since the password of ${JSON.stringify(login)} changed`,
  detail:
    "It revokes the tokens of a user with the user's password. The password was set to create a token, and taken away again.",
  advice: (_, say) =>
    sentences(
      `Declare a password for the user, and choose ${say.set("login_with", "password")}.`,
      say.command("Then apply with --verify-tokens, which creates each of them again.") ??
        "The next plan has the tokens that have ended created again.",
    ),
});

/** Kept tokens of a user ended with the password that the run changed, and no change of the run was about them. */
export const keptTokensEnded = problem<{
  login: string;
  /** As in `csi@globex/csi-prod (ATH47…)`. */
  tokens: readonly string[];
}>({
  code: "TENANCY_TOKENS_ENDED",
  summary: ({ login, tokens }) =>
    `the service refuses ${tokens.join(", ")} since this run changed the password of ${JSON.stringify(login)}`,
  detail: "It ends a user's tokens with the user's password. The password is changed.",
  advice: (_, say) =>
    `Run again without ${say.only()} and ${say.flag("exclude")}: the next plan has each declared token created again. Hand the new ones to their consumers.`,
});

const OF_EXISTING_FILE = {
  "of others": "exists, and was not written by `tenancy token write`",
  "of another token": "was written for another token",
  unmarked: "exists, and the template has no line with the file's writer",
};

const ADVICE_ON_EXISTING_FILE = {
  "of others": "Name a file of its own, and have the other one include it; or move the file away.",
  "of another token": "Name a file of its own for each token, or delete the file.",
  unmarked: "Put {{ marker }} into a comment of the template, and delete the file once.",
};

/** A file that `token write` was to replace was not written by it for this token. */
export const fileExists = problem<{ file: string; kind: keyof typeof OF_EXISTING_FILE }>({
  code: "TENANCY_FILE_UNUSABLE",
  where: ({ file }) => ({ file }),
  summary: ({ file, kind }) => `${file} ${OF_EXISTING_FILE[kind]}`,
  advice: ({ kind }) => ADVICE_ON_EXISTING_FILE[kind],
});

/** A sealed token, or a retired one, was deleted. Only its readers could present it. */
export const sealedNotProven = warning<{ serial: string; isUnknown?: boolean }>({
  code: "TENANCY_SEALED_NOT_PROVEN",
  title: "The end of a sealed token is not proven",
  summary: ({ serial, isUnknown = false }) =>
    isUnknown
      ? `the service does not know the sealed token ${serial}, which does not prove that it has ended`
      : `the service says that the sealed token ${serial} is deleted; without an identity, its refusal cannot be tried`,
  advice: "Have one of its readers present it: the service must answer 401.",
});

/** The record at the serial number of a sealed token is another one. The facts: the serial number, and the differing members. */
export const sealedMovedOn = problem<{ serial: string; differs: readonly string[] }>({
  code: "TENANCY_NOT_REVOKED",
  summary: ({ serial, differs }) =>
    `the record ${serial} is not the sealed token that was created here: its ${differs.join(" and ")} differs`,
  detail: "Nothing was deleted. A service that was restored may give a serial number again.",
  advice: ({ serial }) => `Look at ${serial} with the service's own tools, and revoke the token there.`,
});

/** A sealed token is to be opened, and there is no identity. */
export const identityMissing = problem<void>({
  code: "TENANCY_SEALED_UNREADABLE",
  summary: () => "a sealed token cannot be opened: no age identity is given",
  advice: "Set `TENANCY_IDENTITY` to the text of an identity file: a line that begins with AGE-SECRET-KEY-1.",
});

/** None of the identities opens a sealed token, or it is damaged. */
export const sealedUnreadable = problem<void>({
  code: "TENANCY_SEALED_UNREADABLE",
  summary: () => "none of the identities in `TENANCY_IDENTITY` opens the sealed token",
  detail: "It is sealed for other readers, or it is not whole.",
  advice:
    "Use the identity of one of its readers. To add a reader, declare the recipient: that rotates the token.",
});

/** An ephemeral token is neither a sealed text nor one of the state. */
export const noSuchSource = problem<"both or none" | "no state" | "not in the state">({
  code: "TENANCY_INVALID_VALUE",
  summary: (why) =>
    ({
      "both or none": "a token comes either from a sealed text or from the state, by login and name",
      "no state": "no state keeps tokens here, so a token cannot be named by login and name",
      "not in the state": "the state has no token of this login and name",
    })[why],
  advice: (_, say) => `Set ${say.name("sealed")}, for example to the sealed text of a declared token.`,
});
