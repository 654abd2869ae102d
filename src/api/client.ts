/** Offers the service to the rest of the program. */
import {
  Authorizations,
  readCaller,
  type Login,
  logIn,
  logInAsSelf,
  openSession,
  readStatus,
  type CredentialCheck,
  checkCredential,
} from "./authorizations";
import { Accounts, Endpoint, Profiles } from "./endpoint";
import type { Identity } from "./identity";
import { type ClientOptions, segment, clientSettingsOf } from "./options";
import type { CallerRecord, CommonRecord, SessionRecord, StatusRecord } from "./records";
import type { Redactor } from "./redact";
import { Channel } from "./request";

/**
 * One service, one credential. Nothing is sent before the first call; a password logs in once, at the first call that needs it.
 */
export class Client {
  readonly accounts: Accounts;
  readonly profiles: Profiles;
  readonly authorizations: Authorizations;
  readonly #channel: Channel;

  /** @throws invalidSetting, plainHttp */
  constructor(options: ClientOptions);
  /** @internal */
  constructor(options: ClientOptions | Channel);
  constructor(options: ClientOptions | Channel) {
    this.#channel = options instanceof Channel ? options : openChannel(options);
    this.accounts = new Accounts(this.#channel);
    this.profiles = new Profiles(this.#channel);
    this.authorizations = new Authorizations(this.#channel);
  }

  /** Scheme, host and port, to which credentials are bound. */
  get origin(): string {
    return this.#channel.settings.origin;
  }

  /** Knows the secrets that this client has used, and removes them from any text. */
  get redactor(): Redactor {
    return this.#channel.settings.redactor;
  }

  /**
   * Any other family of records that the service has (spec 1, 4.5), so that a resource family needs only its own file.
   * @param path below `/api`, such as `node`
   * @param noun for one record in messages
   */
  records<T extends CommonRecord = CommonRecord>(path: string, noun: string): Endpoint<T> {
    return new Endpoint<T>(this.#channel, `/api/${segment(path)}`, noun);
  }

  /** This client with the same connections and session, refusing everything but GET and log-in. */
  readOnly(): Client {
    return new Client(this.#channel.readOnly());
  }

  /** This client with the same connections and session, but it ignores the signal: for undoing something that is half done. */
  unstoppable(): Client {
    return new Client(this.#channel.unstoppable());
  }

  /** Is the service well? Needs no credentials. */
  async status(): Promise<StatusRecord> {
    return readStatus(this.#channel);
  }

  /** The user that this client's credential belongs to. @throws unauthenticated, otpRequired, otpRefused, forbidden */
  async caller(): Promise<CallerRecord> {
    return readCaller(this.#channel);
  }

  /** Asks the service about another credential: for example whether a token is revoked. */
  async callerAs(identity: Identity): Promise<CredentialCheck> {
    return checkCredential(this.#channel, identity);
  }

  /** Opens a session for another user. @throws unauthenticated, otpRequired, otpRefused */
  async logIn(login: Login): Promise<SessionRecord> {
    return logIn(this.#channel, login);
  }

  /** Opens one more session for the client's own user. @throws invalidSetting if there is only a token */
  async logInAsSelf(otp?: string): Promise<SessionRecord> {
    return logInAsSelf(this.#channel, otp);
  }

  /** Closes the connections, and cuts off requests in progress. */
  async close(): Promise<void> {
    await this.#channel.close();
  }
}

function openChannel(options: ClientOptions): Channel {
  return new Channel(clientSettingsOf(options), {
    readOnly: options.readOnly ?? false,
    openSession: (channel, login) => openSession(channel, login),
  });
}
