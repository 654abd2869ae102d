/** The headers by which a request proves who makes it. */
import { InvalidCredentials, SwitchUserUnset, type Unauthenticated } from "../errors";
import { basic, bearer, type Identity } from "./identity";
import type { Session } from "./session";
import type { Settings } from "./settings";

export interface Authority {
  readonly headers: Readonly<Record<string, string>>;
  /** What kind of credential it was, should it be refused. */
  readonly credential: ConstructorParameters<typeof Unauthenticated>[1];
  /** Token of the client's own session, where that is what it rests on. */
  readonly session?: string;
}

/**
 * @param session the client's own, where it logs in with a password
 * @throws SwitchUserUnset, InvalidCredentials, and whatever a log-in may throw
 */
export async function authorityOf(
  identity: Identity,
  settings: Settings,
  session: Session | undefined,
): Promise<Authority> {
  switch (identity.kind) {
    case "nobody":
      return { headers: {}, credential: "password" };
    case "basic":
      settings.redactor.learnBasic(identity.username, identity.password);
      return {
        headers: { authorization: basic(identity.username, identity.password) },
        credential: "password",
      };
    case "bearer":
      settings.redactor.learn(identity.token.trim());
      return { headers: { authorization: bearer(identity.token) }, credential: "token" };
    case "own":
      return ownAuthority(settings, session);
    case "switch_user": {
      if (settings.switchUserHeader === undefined) throw new SwitchUserUnset();
      if (!/^[\x21-\x7e]+$/.test(identity.login))
        throw new InvalidCredentials("the login to switch to is not a valid login");
      const own = await ownAuthority(settings, session);
      return { ...own, headers: { ...own.headers, [settings.switchUserHeader]: identity.login } };
    }
  }
}

async function ownAuthority(settings: Settings, session: Session | undefined): Promise<Authority> {
  const credentials = settings.credentials.reveal();
  if (credentials.kind === "token")
    return { headers: { authorization: bearer(credentials.token) }, credential: "token" };
  if (session === undefined) throw new TypeError("a client with a password has a session");
  const token = await session.token();
  return { headers: { authorization: bearer(token) }, credential: "session", session: token };
}
