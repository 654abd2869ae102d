/** Options of a simulated service. If the spec is silent, an option lets a test have it both ways. */

/** Names with their effects. A route asks `service.behaves(…)`; `behaviors.ts` changes answers. */
export const SERVICE_BEHAVIORS = {
  /** The specification says "owning account ref", and paths take an id or a serial. */
  referencesBySerial:
    "Answers name accounts and users by serial: `account_id`, `admin_profile_id`, `user_id`.",
  referencesByUuid: "Answers name accounts and users by uuid: `account_id`, `admin_profile_id`, `user_id`.",
  /** The specification does not show the elements of a list. */
  summaryLists: "Elements of lists have only identity, name and references; a single read has all members.",
  numbersAsText: 'Answers hold numbers as text: `"level": "5"`.',
  booleansAsText: 'Answers hold booleans as text: `"activated": "true"`, also permissions.',
  booleansAsNumbers: 'Answers hold booleans as numbers: `"activated": 1`, also permissions.',
  /** The specification does not say which members an answer may leave out. */
  hidesNullable: "Answers leave out every member that may be null, also in nested objects.",
  /** The specification says that a PATCH is partial, and not whether that holds inside of nested objects. */
  patchReplacesNested:
    "An update replaces a nested object: a member that its body leaves out has its default, and no right.",
} as const;

/** A behavior of a service, by name. */
export type ServiceBehavior = keyof typeof SERVICE_BEHAVIORS;

/** A record as an answer shows it (spec 2.2, 2.3). */
export type Shown = Readonly<Record<string, unknown>>;

/** Records as answers of a service show them. */
export interface SeedRecords {
  /** As `GET /account` shows them. */
  readonly accounts: readonly Shown[];
  /** As `GET /user-profile` shows them. */
  readonly profiles: readonly Shown[];
  /** Counters by the id of the account. @default as of an empty account */
  readonly usage?: Readonly<Record<string, Shown>>;
}

/** Options of a simulated service. */
export interface SimulatorOptions {
  /** @default 0, any free port */
  readonly port?: number;
  /** @default "127.0.0.1" */
  readonly host?: string;
  /** Records to begin with, in the form of another service's answers. The passwords of their users are unknown. @default none */
  readonly records?: SeedRecords;
  /**
   * The user with all rights in the account "system". If the records have one already, members that are absent here stay as they are.
   * @default { username: "system", password: "system" }
   */
  readonly systemUser?: { readonly username?: string; readonly password?: string };
  /** Header of the one-time password. @default "X-Service-OTP" */
  readonly otpHeader?: string;
  /** @default 3600 */
  readonly tokenLifetimeSeconds?: number;
  /** Milliseconds since epoch. @default Date.now */
  readonly clock?: () => number;
  /** Serves https with this key and certificate, both PEM. @default plain http */
  readonly https?: { readonly key: string; readonly cert: string };

  /** Behaviors of services that read a gap of the specification in another way. @default none */
  readonly behaviors?: readonly ServiceBehavior[];
  /** Contact members in answers: the two names, as the spec shows, or all as stored. @default "names" */
  readonly contacts?: "names" | "full";
  /** Additional members of `GET /status/authorization` that the specification does not have. @default none */
  readonly describeCaller?: { readonly permissions?: boolean; readonly user?: boolean };
  /** Status for a name, login or uuid that is taken. @default 409 */
  readonly duplicateStatus?: 400 | 409;
  /** True if a deleted record's uuid may be used again. @default true */
  readonly reuseUuids?: boolean;
  /**
   * `"cascade"`: deleting an account deletes all its contents; `"refuse"`: the deletion of a non-empty account is refused. @default "cascade"
   */
  readonly accountDelete?: "cascade" | "refuse";
  /** True if `DELETE /authorization/{id}` is there; where not, it answers 405. @default true */
  readonly revocation?: boolean;
  /** Status for a user who is deactivated, lacks API access or is in a disabled account. @default 403 */
  readonly suspendedStatus?: 401 | 403;
  /** True if a change of a user's password ends the user's tokens. @default false */
  readonly passwordEndsTokens?: boolean;
  /** True if a user needs `user.manage_authorizations` to make a token for itself. @default false */
  readonly tokenCreationNeedsRight?: boolean;
  /** Parameters that the spec does not name. @default "ignore" */
  readonly unknownParameters?: "ignore" | "refuse";

  /** True if {@link Simulator.requests} is filled. @default true */
  readonly record?: boolean;
  /** Called when a request was answered. */
  readonly onRequest?: (request: RecordedRequest) => void;
}

/** One request as it arrived, and how it was answered. */
export interface RecordedRequest {
  /** Such as `PATCH`. */
  readonly method: string;
  /** Path and query as they were sent, for example "/api/user-profile/USR1?account_id=ACT1". */
  readonly path: string;
  /** Undefined until there is an answer, and for good where the connection was cut. */
  readonly status: number | undefined;
  /** The body, parsed where it was JSON; undefined if there was none. */
  readonly body: unknown;
  /** Login of the caller, where it was authenticated. */
  readonly login: string | undefined;
}

/** Options with the defaults filled in. */
export type SimulatorSettings = Required<
  Pick<
    SimulatorOptions,
    | "port"
    | "host"
    | "otpHeader"
    | "tokenLifetimeSeconds"
    | "clock"
    | "contacts"
    | "duplicateStatus"
    | "reuseUuids"
    | "accountDelete"
    | "revocation"
    | "suspendedStatus"
    | "passwordEndsTokens"
    | "tokenCreationNeedsRight"
    | "unknownParameters"
    | "record"
  >
> &
  SimulatorOptions;

export function withDefaults(options: SimulatorOptions): SimulatorSettings {
  return {
    port: 0,
    host: "127.0.0.1",
    otpHeader: "X-Service-OTP",
    tokenLifetimeSeconds: 3600,
    clock: Date.now,
    contacts: "names",
    duplicateStatus: 409,
    reuseUuids: true,
    accountDelete: "cascade",
    revocation: true,
    suspendedStatus: 403,
    passwordEndsTokens: false,
    tokenCreationNeedsRight: false,
    unknownParameters: "ignore",
    record: true,
    ...options,
  };
}
