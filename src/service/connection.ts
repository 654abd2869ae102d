/** Connects to one service with one credential. */
import { Client, type ClientOptions, readCaFile } from "../api";
import type { Directory } from "./directory";
import { CreatedInRun } from "./created-in-run";
import { type ProviderSettings, passwordUsername } from "./settings";

/** One service, seen with one credential. */
export interface Connection {
  readonly client: Client;
  readonly directory: Directory;
  /** The records that the run has made at this service. */
  readonly made: CreatedInRun;
  /** Login of the run's own basic credentials; undefined with a token. */
  readonly username: string | undefined;
  /** True if the run logs in with one-time passwords. */
  readonly hasCodes: boolean;
  /** False if the service is said to revoke no tokens over its API. */
  readonly tokensRevocable?: boolean | undefined;
  /** Wall clock. */
  readonly now: () => Date;
}

/**
 * A connection; nothing is sent yet.
 * @throws invalidSetting
 */
export async function connect(
  settings: ProviderSettings,
  options: Pick<
    ClientOptions,
    "signal" | "waitSignal" | "onRequest" | "onWait" | "limiter" | "maxConcurrency"
  > & {
    /** Makes the directory on top of the client: the engines read in different ways. */
    readonly directory: (client: Client) => Directory;
    /** The records that the run has made through other connections to the same service. @default nothing */
    readonly made?: CreatedInRun;
    readonly now?: () => Date;
  },
): Promise<Connection> {
  const { directory, made = new CreatedInRun(), now = () => new Date(), ...rest } = options;
  const ca = settings.caFile === undefined ? undefined : await readCaFile(settings.caFile);
  const client = new Client({
    baseUrl: settings.baseUrl,
    credentials: settings.credentials,
    ca,
    proxy: settings.proxy,
    otpHeader: settings.otpHeader,
    requestTimeoutMs: settings.requestTimeoutMs,
    retryTimeoutMs: settings.retryTimeoutMs,
    maxConcurrency: settings.maxConcurrency,
    ...definedOnly(rest),
  });
  return {
    client,
    directory: directory(client),
    made,
    username: passwordUsername(settings),
    hasCodes:
      settings.credentials.kind === "password" &&
      (settings.credentials.otp ?? settings.credentials.totpSecret) !== undefined,
    tokensRevocable: settings.tokensRevocable,
    now,
  };
}

function definedOnly<T extends object>(options: T): Partial<T> {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as Partial<T>;
}
