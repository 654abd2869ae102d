/** The service that this process talks to: as Terraform configured the provider, once that is known. */
import { checkProvider, connect, settingsOf, usernameOf, type Environment } from "../../connection";
import {
  asWarning,
  InvalidValue,
  OwnerKeyUnused,
  ProviderNotYetKnown,
  UnkeyedRecords,
  type Diagnostic,
} from "../../errors";
import { coalescingDirectory, listersOfFamilies, type Connection } from "../../resources";
import { provider } from "../../resources/provider";
import { isWhollyKnown, type ObjectValue } from "../../values";
import type { Log } from "../runtime";
import { Written } from "./resource/declared";
import { checked, conformed, type Checked } from "./configuration";

const OTP_ADVICE = "Set totp_secret, from which each of Terraform's processes computes a code of its own.";

export class Service {
  readonly #environment: Environment;
  readonly #now: () => Date;
  #connection: Connection | undefined;
  #token: string | undefined;
  #unknown: readonly string[] = [];
  #stop = new AbortController();
  #hasWritten = false;
  /** Ids of what this plan deletes, as far as it is made. To destroy all, Terraform plans users before their account. */
  readonly going = new Set<string>();
  /** Which configurations declare permissions, as they are written. */
  readonly written = new Written();
  /** Ids of live records that this plan, as far as it is made, would create at an address of their own. */
  readonly declaredAnew = new Set<string>();

  constructor(environment: Environment, now: () => Date) {
    this.#environment = environment;
    this.#now = now;
  }

  /** Findings about the provider's configuration; nobody is contacted. */
  validate(raw: ObjectValue): Checked {
    const check = (config: ObjectValue) => [...checkProvider(config), ...checkOtp(config)];
    return checked({ description: provider, check }, raw);
  }

  /**
   * Called once for each run. While something of it is unknown there is no connection.
   * @returns warnings
   * @throws IncompleteProvider, InvalidCaFile, …
   */
  async configure(raw: ObjectValue, log: Log): Promise<readonly Diagnostic[]> {
    await this.#connection?.client.close();
    this.#connection = undefined;
    this.#hasWritten = false;
    this.going.clear();
    this.written.clear();
    this.declaredAnew.clear();
    this.#stop = new AbortController();
    this.#unknown = Object.keys(raw).filter((name) => !isWhollyKnown(raw[name] ?? null));
    if (this.#unknown.length > 0) return [];
    // Its codes serve once, and Terraform starts several processes for one run.
    const environment = Object.fromEntries(
      Object.entries(this.#environment).filter(([name]) => !/^TENANCY_OTP(__|$)/.test(name)),
    );
    const settings = settingsOf(conformed({ description: provider }, raw), environment);
    const { credentials } = settings;
    this.#token = credentials.kind === "token" ? credentials.token : undefined;
    const caller = usernameOf(settings);
    this.#connection = await connect(settings, {
      directory: (client) => coalescingDirectory(client, { caller, listers: listersOfFamilies() }),
      now: this.#now,
      signal: this.#stop.signal,
      onRequest: ({ method, path, ...facts }) => log.debug(`${method} ${path}`, facts),
    });
    const { owners } = settings;
    return [
      ...(owners === undefined && (environment["TENANCY_OWNER_KEY"] ?? "") !== ""
        ? asWarning(new OwnerKeyUnused())
        : []),
      ...(owners?.keys?.takesUnkeyed === true ? asWarning(new UnkeyedRecords(undefined)) : []),
    ];
  }

  /** Undefined while the provider's configuration is not known. */
  get connection(): Connection | undefined {
    return this.#connection;
  }

  /**
   * The connection, for what cannot do without.
   * @param otherwise what follows where there is none, as in "so nothing can be imported"
   * @throws ProviderNotYetKnown
   */
  required(otherwise: string): Connection {
    if (this.#connection === undefined) throw new ProviderNotYetKnown(this.#unknown, otherwise);
    return this.#connection;
  }

  /** The connection, for a write. */
  writing(): Connection {
    this.#hasWritten = true;
    return this.required("so nothing can be changed");
  }

  /** Whether what was live when this process started may not be so any more. */
  get hasWritten(): boolean {
    return this.#hasWritten;
  }

  /** The token that this run works with, where it works with one. */
  get token(): string | undefined {
    return this.#token;
  }

  /** Why what is read is what was known before. */
  trusted(): readonly Diagnostic[] {
    return asWarning(new ProviderNotYetKnown(this.#unknown, "so the state is assumed to be true"));
  }

  /** Ends waiting and reading; a write that is under way is left to end. */
  stop(): void {
    this.#stop.abort();
  }
}

function checkOtp({ otp = null }: ObjectValue): readonly Diagnostic[] {
  return otp === null
    ? []
    : new InvalidValue("works once, which is not enough for Terraform", {
        attribute: ["otp"],
        advice: OTP_ADVICE,
      }).toDiagnostics();
}
