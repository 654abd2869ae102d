/** Errors of authorizations and their secrets. */
import { nearest } from "../values";
import { type ErrorDetails, TenancyError } from "./problem";

/** A rotation would revoke a token that an earlier one has replaced, before its time is over. */
export class RetiresEarly extends TenancyError {
  static readonly code = "TENANCY_RETIRES_EARLY";
  static readonly explanation = `
A rotation mints a new token and keeps the old one good for \`retain_previous_for\` ("7d"), so that its consumers have time to take the new
one. No more than \`retain_previous\` (1) of them are kept. So a second rotation within that time would revoke a token that somebody may still
work with, trusting in the time that was told. It is refused. Wait until the time is over; or raise \`retain_previous\`, so that more of them
stay good; or pass \`--retire-early\`. A shorter \`retain_previous_for\` in the declaration ends them, too; it is the way under Terraform, which
has no such flag.`;

  /** @param ends what would be revoked: serial numbers, and until when each was to stay good */
  constructor(
    key: string,
    ends: readonly { readonly serial: string; readonly until: Date | undefined }[],
    details: ErrorDetails = {},
  ) {
    const told = ends.map(({ serial, until }) =>
      until === undefined ? serial : `${serial}, which was to stay good until ${until.toISOString()}`,
    );
    super(`rotating ${JSON.stringify(key)} would revoke ${told.join("; ")}`, {
      attribute: ["retain_previous"],
      advice: "Wait until then; or raise `retain_previous`, so that it stays good; or pass --retire-early.",
      ...details,
    });
  }
}

/** A plan of Terraform's rotates a token: what becomes of those that there are. */
export class TokenRotates extends TenancyError {
  static readonly code = "TENANCY_TOKEN_ROTATES";
  static readonly explanation = `
A change of \`keepers\` rotates a token in place: the next apply mints a new one, and the old one stays good for \`retain_previous_for\`, so that its
consumers have time to take the new one. Terraform's own plan shows ids and digests that change, and nothing of this; so the provider says it.
Hand the new token to its consumers before the old one ends.`;

  /** @param told as in "a new token; the old one stays good for 7d" */
  constructor(key: string, told: string) {
    super(`${JSON.stringify(key)} is rotated: ${told}`, {
      advice: "Hand the new token to its consumers before the old one ends.",
    });
  }
}

/** A token cannot be minted the way that is declared; nothing was sent that could have made one. */
export class MintingImpossible extends TenancyError {
  static readonly code = "TENANCY_MINTING_IMPOSSIBLE";
  static readonly explanation = `
A token is minted by its user, so for a moment the run has to act as that user. \`mint_with\` says how: \`password\` logs in with
\`password_wo\` (without \`login\` and \`password_wo\`, with the provider's own username and password); \`switch_user\` has an administrator
act as the user; \`ephemeral_password\` gives a password to a machine user that has none, and takes it away again. Something that the
declared way needs is missing. No token was minted.`;

  /** @param why what is missing or in the way, as a clause */
  constructor(login: string | undefined, why: string, details: ErrorDetails = {}) {
    const whose = login === undefined ? "a token" : `a token for ${JSON.stringify(login)}`;
    super(`${whose} cannot be minted: ${why}`, details);
  }
}

/** A token minted here would be lost with the machine. */
export class MintingRefused extends TenancyError {
  static readonly code = "TENANCY_MINTING_REFUSED";
  static readonly explanation = `
In a CI job (\`CI\` is set) the default credential store is a file that vanishes with the job's machine, and with it the secret of
every token minted there. The next job would find no store. So minting is refused before anything is sent, unless you said where
the store lives: \`TENANCY_STORE_KEY\` (the encrypted file may be committed), \`--credential-helper\`, or \`--store PATH\` on a disk
that outlives the job.`;

  constructor() {
    super("tokens are not minted in a CI job without a credential store that outlives it", {
      advice:
        "Set TENANCY_STORE_KEY and commit the encrypted store, or pass --credential-helper, or --store PATH.",
    });
  }
}

/** Several tokens have this name. */
export class AmbiguousToken extends TenancyError {
  static readonly code = "TENANCY_AMBIGUOUS_TOKEN";
  static readonly explanation = `
A token's name is its identity within its login only, so several users may have tokens of the same name. Use \`login/name\`, or the serial
number that \`tenancy token list\` shows.`;

  /** @param candidates as in \`csi@globex/csi-prod (ATH47…)\` */
  constructor(name: string, candidates: readonly string[]) {
    super(`${JSON.stringify(name)} could be any of several tokens: ${candidates.join(", ")}`, {
      advice: "Name it as login/name, or by its serial number.",
    });
  }
}

/** The credential store knows no token of that name. */
export class NoSuchToken extends TenancyError {
  static readonly code = "TENANCY_NO_SUCH_TOKEN";
  static readonly explanation = `
\`tenancy token\` works on what the credential store holds for the service and owner of the stack: a token is named by its name, by
\`login/name\`, or by its serial number, a note of an interrupted minting by its id. A token that is declared and not in the store yet
is minted by \`tenancy apply\`; a token that is not in the store is not managed here, and has to be revoked in the service itself.`;

  /** @param known the tokens that there are, each as \`login/name\` */
  constructor(name: string, store: string, known: readonly string[]) {
    const near = nearest(name, [...known, ...known.map((key) => key.slice(key.indexOf("/") + 1))]);
    super(`${store} holds no token ${JSON.stringify(name)}`, {
      advice:
        near !== undefined
          ? `Did you mean ${JSON.stringify(near)}?`
          : known.length === 0
            ? "It holds none for this service and owner; apply mints what is declared."
            : `It holds: ${known.slice(0, 60).join(", ")}.`,
    });
  }
}

/** What is known of a token that was not revoked. */
export interface RevocationFacts {
  /** Whether the service answered that it does not revoke over its API. */
  readonly isUnsupported?: boolean;
  /** Set if the service refuses the token, and that proves nothing. */
  readonly unproven?: {
    /** Why the service did not delete it. */
    readonly said: string;
    /** Another reason for the refusal, as a clause: "its user is not activated". */
    readonly reason: string;
  };
}

/** A token is still good although it should be revoked, or may be good again. */
export class NotRevoked extends TenancyError {
  static readonly code = "TENANCY_NOT_REVOKED";
  static readonly explanation = `
A token counts as revoked when the service deleted it and refuses it since; or, where the service did not delete it, when the service refuses
it although its user is active, has API access and stands in an account that is not disabled. Here the token still works, or its refusal proves
nothing: the token of a suspended user works again as soon as the user is active. Some deployments do not revoke tokens over the API (status
405): revoke it there with the service's own tools; the next run finds it refused and goes on. The token stays in the state or store until
then.`;

  constructor(serial: string, facts: RevocationFacts = {}, details: ErrorDetails = {}) {
    const { isUnsupported = false, unproven } = facts;
    const revoke = `Revoke ${serial} with the service's own tools`;
    super(summaryOf(serial, facts), {
      ...(unproven !== undefined && !isUnsupported && { detail: `It was not deleted: ${unproven.said}.` }),
      advice:
        unproven === undefined
          ? `${revoke}, then run again.`
          : `${revoke}. It counts as revoked when it is refused while its user is active, or once its user is gone.`,
      ...details,
    });
  }
}

function summaryOf(serial: string, { isUnsupported = false, unproven }: RevocationFacts): string {
  const unsupported = "the service does not revoke tokens over its API";
  if (unproven === undefined)
    return isUnsupported
      ? `${unsupported}, and the token ${serial} is still good`
      : `the token ${serial} is still good after it was revoked`;
  const doubt = `the token ${serial} may be good again: it is refused now, and ${unproven.reason}`;
  return isUnsupported ? `${unsupported}, and ${doubt}` : doubt;
}

/** A compromised token is revoked, but the new one could not be minted. */
export class RevokedNotReplaced extends TenancyError {
  static readonly code = "TENANCY_REVOKED_NOT_REPLACED";
  static readonly explanation = `
\`tenancy token rotate --compromised\` mints a new token and then revokes the old one and those before it. Minting failed here. A
compromised token must not stay valid because of that, so it was revoked all the same, and the service refuses it. Its consumers are without
a token until the next \`tenancy apply\` mints one: fix what the message names, and apply.`;

  /** @param failure why there is no new one */
  constructor(key: string, failure: TenancyError) {
    const { summary, detail, advice } = failure.toDiagnostics()[0] ?? { summary: failure.message };
    super(`the token ${JSON.stringify(key)} is revoked, but no new one was minted: ${summary}`, {
      ...(detail !== undefined && { detail }),
      advice: [advice, "Then apply: it mints a new one."].filter(Boolean).join(" "),
      cause: failure,
    });
  }
}

/** A warning: a secret differs from the one that was sent, and its version is the same. */
export class SecretDiffers extends TenancyError {
  static readonly code = "TENANCY_SECRET_DIFFERS";
  static readonly explanation = `
Write-only values are sent when their version changes. The credential store keeps a salted hash of what was sent last, and the value that is
given now differs from it, under the same version: it is not sent. Raise the version to have it sent; if nothing was to change, a variable
may have the wrong value.`;

  constructor(name: string, details: ErrorDetails = {}) {
    super(`"${name}" differs from the value sent under this version, and will not be sent`, {
      advice: `Raise "${name}_version" to have it sent.`,
      ...details,
    });
  }
}

/** A token was minted, and its secret could not be kept. */
export class TokenNotKept extends TenancyError {
  static readonly code = "TENANCY_TOKEN_NOT_KEPT";
  static readonly explanation = `
A token's secret is shown once, so it has to be durably kept before success is reported. Keeping it failed: a full disk, a lost lock, a
credential helper that refused. A token that nobody holds must not stay good, so it was revoked at once; where that failed too, the message
names its serial, to be revoked at the service.`;

  constructor(login: string, serial: string, revoked: boolean, why: string, cause: unknown) {
    super(`the token for ${JSON.stringify(login)} was minted, but could not be kept: ${why}`, {
      detail: revoked ? `It was revoked (serial ${serial}).` : `It could not be revoked: serial ${serial}.`,
      advice: revoked
        ? "Fix the store and run again."
        : `Revoke ${serial} at the service, and fix the store.`,
      cause,
    });
  }
}

/** A minted token belongs to another user than the declared one. */
export class TokenOfAnother extends TenancyError {
  static readonly code = "TENANCY_TOKEN_OF_ANOTHER";
  static readonly explanation = `
The service minted a token, and its record names another user profile than that of the declared login. Such a token would act with other
rights than those that were reviewed. It was revoked at once; where that failed, the message names its serial, to be revoked at the service.`;

  constructor(login: string, serial: string, revoked: boolean, details: ErrorDetails = {}) {
    super(`the token that was minted for ${JSON.stringify(login)} belongs to another user`, {
      detail: revoked ? `It was revoked (serial ${serial}).` : `It could not be revoked: serial ${serial}.`,
      advice: revoked
        ? "Check login and mint_with."
        : `Revoke ${serial} at the service, then check login and mint_with.`,
      ...details,
    });
  }
}

/** A token of the store is to be rotated, and nothing says how to mint it. */
export class TokenUndeclared extends TenancyError {
  static readonly code = "TENANCY_TOKEN_UNDECLARED";
  static readonly explanation = `
\`tenancy token rotate\` mints a new token as the declaration says (\`mint_with\`, \`password_wo\`), and keeps the old one for the declared
time. This token is in the credential store, but is no longer declared. Revoke it (\`tenancy token revoke\`, or the next apply), or declare
it.`;

  constructor(key: string) {
    super(`the token ${JSON.stringify(key)} is not declared, so nothing says how to mint a new one`, {
      advice: `Revoke it: tenancy token revoke ${key}. Or declare it, and rotate it then.`,
    });
  }
}

/** A warning: a token is refused, or cannot be checked, and that does not prove that it is gone. */
export class TokenUnproven extends TenancyError {
  static readonly code = "TENANCY_TOKEN_UNPROVEN";
  static readonly explanation = `
A token is gone when the service refuses it (401) while its user is live, activated and has API access, its account is not disabled, and the
run's own credential is accepted; or when its user is proven to be gone. Anything else may be temporary: a deactivated user, a disabled account, a user
that the caller may not see, a service that answers badly. So nothing is forgotten, and no new token is minted.`;

  /** @param why what was found, as a clause */
  constructor(serial: string, why: string, details: ErrorDetails = {}) {
    super(`cannot tell whether the token ${serial} is still good: ${why}`, {
      advice: "It is kept, unless this plan replaces it. To have a new one minted, change its `keepers`.",
      ...details,
    });
  }
}

/** A token that should be revoked is still accepted by the service. */
export class UnrevokedToken extends TenancyError {
  static readonly code = "TENANCY_UNREVOKED_TOKEN";
  static readonly explanation = `
A token was to be revoked, and the service did not confirm it: it was down, or does not revoke over the API. Revoked means that the token
itself is refused. It is tried again, and reported, at every run until it is.`;

  constructor(login: string, name: string, serial: string, details: ErrorDetails = {}) {
    super(`the token "${name}" of ${login} (${serial}) is still to be revoked`, {
      advice: "It is tried again at the next apply; if this persists, revoke it in the service itself.",
      ...details,
    });
  }
}

/** Tokens of a machine user ended with the password that was set for minting. */
export class TokensEnded extends TenancyError {
  static readonly code = "TENANCY_TOKENS_ENDED";
  static readonly explanation = `
To mint a token with \`ephemeral_password\`, a machine user gets a random password for a moment, and then loses it again. Some services revoke
a user's tokens when its password changes. So the new token, and those of the same user that are known, are tried once the password is gone.
Here the service refuses some of them: their consumers are without a token. This user cannot get tokens that way. Let an administrator switch
to it (\`mint_with = "switch_user"\`), or give it a password of its own (\`mint_with = "password"\`). Then apply with \`--verify-tokens\`, so that
each token that has ended is minted anew; Terraform finds them by its refresh.`;

  /** @param serials of the tokens that are refused since */
  constructor(login: string, serials: readonly string[], details: ErrorDetails = {}) {
    super(
      `the service refuses ${serials.join(", ")} since the password of ${JSON.stringify(login)} changed`,
      {
        detail:
          "It revokes the tokens of a user with the user's password. The password was set for minting, and taken away again.",
        attribute: ["mint_with"],
        advice:
          'Choose mint_with = "switch_user", or give the user a password and choose "password". Then apply with --verify-tokens, which mints ' +
          "each of them anew.",
        ...details,
      },
    );
  }
}

/** What a consumer of a token cannot take. */
export class ConsumerUnfit extends TenancyError {
  static readonly code = "TENANCY_CONSUMER_UNFIT";
  static readonly explanation = `
\`tenancy token write\` writes a token as a program reads it, and what it was to write cannot be said in that format: a name that the program
does not take, or a placeholder of a template that stands for nothing. Nothing was written.`;

  constructor(problem: string, advice: string) {
    super(problem, { advice });
  }
}

/** A file that \`token write\` was to replace was not written by it for this token. */
export class ForeignFile extends TenancyError {
  static readonly code = "TENANCY_FOREIGN_FILE";
  static readonly explanation = `
\`tenancy token write --to FILE\` replaces a file only where a line in it says that it was written by \`tenancy token write\`, for the same
token of the same service. So a file that somebody else keeps, and a section beside others, is never lost. Nothing was written. A file made of a
template has that line only where the template has the placeholder \`{{ marker }}\`, in a comment for instance.`;

  private constructor(file: string, problem: string, advice: string) {
    super(`${file} ${problem}`, { file, advice });
  }

  static ofOthers(file: string): ForeignFile {
    return new ForeignFile(
      file,
      "exists, and was not written by `tenancy token write`",
      "Name a file of its own, and have the other one include it; or move the file away.",
    );
  }

  static ofAnotherToken(file: string): ForeignFile {
    return new ForeignFile(
      file,
      "was written for another token",
      "Name a file of its own for each token, or delete the file.",
    );
  }

  static unmarked(file: string): ForeignFile {
    return new ForeignFile(
      file,
      "exists, and the template has no line that would tell who wrote it",
      "Put {{ marker }} into a comment of the template, and delete the file once.",
    );
  }
}
