/** Defines the identities under which requests are made. */
import { type CredentialKind, type Details, invalidSetting } from "../problems";

/** Log in with a password; the session token is used from then on. */
export interface PasswordCredentials {
  readonly kind: "password";
  readonly username: string;
  readonly password: string;
  /** One-time password: serves for one log-in. */
  readonly otp?: string | undefined;
  /** Secret to compute one-time passwords from: base32, or an `otpauth://totp/` address. */
  readonly totpSecret?: string | undefined;
}

export type Credentials =
  | PasswordCredentials
  | {
      readonly kind: "token";
      readonly token: string;
    };

/** The credential of a single request. */
export type Identity =
  /** The client's own credentials. */
  | { readonly kind: "own" }
  /** No credential at all. */
  | { readonly kind: "nobody" }
  | { readonly kind: "basic"; readonly username: string; readonly password: string }
  | { readonly kind: "bearer"; readonly token: string };

const unfit = (why: string, more?: Details) =>
  invalidSetting.error({ setting: "the credentials", why }, more);

/**
 * Refuses credentials that no request can carry. Blanks around a token are dropped, since files and CI secrets end in a line break; a
 * password is taken as it is.
 * @throws invalidSetting
 */
export function checkCredentials(credentials: Credentials): Credentials {
  if (credentials.kind === "token") return { kind: "token", token: checkToken(credentials.token) };
  checkName(credentials.username);
  for (const name of ["username", "password"] as const)
    if (/[\r\n]$/.test(credentials[name]))
      throw unfit(`the ${name} ends with a line end`, {
        advice: "Remove the line end: $(cat FILE) in a shell drops it.",
      });
  if (credentials.password === "") throw unfit("the password is empty");
  const { otp, ...rest } = credentials;
  return otp === undefined ? rest : { ...rest, otp: checkOtp(otp) };
}

export function basic(username: string, password: string): string {
  checkName(username);
  return `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`;
}

export function bearer(token: string): string {
  return `Bearer ${checkToken(token)}`;
}

/** @throws invalidSetting if a header cannot hold it */
export function checkOtp(otp: string): string {
  const bare = otp.replace(/\s/g, "");
  if (!/^[\x21-\x7e]+$/.test(bare)) throw unfit("the one-time password is empty or malformed");
  return bare;
}

function checkToken(token: string): string {
  const bare = token.trim();
  if (!/^[\x21-\x7e]+$/.test(bare))
    throw unfit("the token is empty, or contains characters that no token has");
  return bare;
}

function checkName(username: string): void {
  if (username === "") throw unfit("the username is empty");
  if (username.includes(":")) throw unfit("the username contains a colon");
}

/** A value that no inspection, crash report or JSON shows; it has to be asked for by name. */
export class Concealed<T> {
  readonly #value: T;

  constructor(value: T) {
    this.#value = value;
  }

  reveal(): T {
    return this.#value;
  }
}

export interface Authority {
  readonly headers: Readonly<Record<string, string>>;
  /** The kind of credential, for the message if it is refused. */
  readonly credential: CredentialKind;
  /** Token of the client's own session, if the identity rests on one. */
  readonly session?: string;
}
