/** Connects to the service as Terraform configures the provider, once the configuration is known. */
import { type Finding, invalidValue, providerNotYetKnown, sensitiveValue } from "../problems";
import { listersOfFamilies, type Resource } from "../resources";
import { conform, type Description, terraformSchema, validate } from "../schema";
import {
  checkProvider,
  coalescingDirectory,
  connect,
  type Connection,
  provider,
  providerSettingsOf,
  passwordUsername,
  textsSetting,
} from "../service";
import {
  type Environment,
  formatPath,
  isUnknown,
  KnownSecrets,
  isWhollyKnown,
  type ObjectValue,
  onceForEach,
} from "../lib/values";
import type { Log } from "../lib/plugin-runtime";
import { Walk } from "./walk";

export class Service {
  readonly #environment: Environment;
  readonly #now: () => Date;
  #connection: Connection | undefined;
  #token: string | undefined;
  #unknownAttributes: readonly string[] = [];
  #stop = new AbortController();
  #extraRights: readonly string[] | undefined = [];
  #hasWritten = false;
  #walk = new Walk();
  /** Secrets that this process has seen: its own credentials, write-only values, tokens in states. */
  readonly secrets = new KnownSecrets();

  constructor(environment: Environment, now: () => Date) {
    this.#environment = environment;
    this.#now = now;
  }

  /** Findings about the provider's configuration; it sends no request. */
  validate(raw: ObjectValue): readonly Finding[] {
    this.#noteExtraRights(raw);
    const check = (config: ObjectValue) => [...checkProvider(config), ...findingsOnOtp(config)];
    return findingsIn({ description: provider, check }, raw);
  }

  /**
   * Called once for each run. While something in the configuration is unknown, there is no connection.
   * @throws incompleteProvider, invalidSetting, …
   */
  async configure(raw: ObjectValue, log: Log): Promise<void> {
    await this.#connection?.client.close();
    this.#connection = undefined;
    this.#hasWritten = false;
    this.#walk = new Walk();
    this.#stop = new AbortController();
    this.#noteExtraRights(raw);
    this.#unknownAttributes = Object.keys(raw).filter((name) => !isWhollyKnown(raw[name] ?? null));
    if (this.#unknownAttributes.length > 0) return;
    // A one-time password works once, and Terraform starts several processes for one run.
    const environment = Object.fromEntries(
      Object.entries(this.#environment).filter(([name]) => !/^TENANCY_OTP(__|$)/.test(name)),
    );
    const settings = providerSettingsOf(conformedConfig({ description: provider }, raw), environment);
    const { credentials } = settings;
    this.#token = credentials.kind === "token" ? credentials.token : undefined;
    this.secrets.addFrom(
      credentials.kind === "token"
        ? { token: credentials.token }
        : { password: credentials.password, secret: credentials.totpSecret ?? null },
    );
    const caller = passwordUsername(settings);
    this.#connection = await connect(settings, {
      directory: (client) => coalescingDirectory(client, { caller, listers: listersOfFamilies() }),
      now: this.#now,
      signal: this.#stop.signal,
      onRequest: ({ method, path, ...facts }) => log.debug(`${method} ${path}`, facts),
      onWait: ({ method, path, ...facts }) => log.info(`${method} ${path}: waiting for a retry`, facts),
    });
  }

  /** Rights that the configuration adds to the known ones; undefined while they are not known. */
  get extraRights(): readonly string[] | undefined {
    return this.#extraRights;
  }

  /** Terraform has the provider's configuration validated before that of any object, also where it connects to no service. */
  #noteExtraRights(raw: ObjectValue): void {
    this.#extraRights = isWhollyKnown(raw["extra_rights"] ?? null)
      ? textsSetting(raw, "extra_rights")
      : undefined;
  }

  /** Undefined while the provider's configuration is not known. */
  get connection(): Connection | undefined {
    return this.#connection;
  }

  /**
   * The connection with which a plan is judged. Undefined after the first write of this process: Terraform plans each object once more
   * while it applies. The guards were judged in the plan, the first write may have changed live records, and each write reads for itself.
   */
  get planConnection(): Connection | undefined {
    return this.#hasWritten ? undefined : this.#connection;
  }

  /** The walk that has begun when Terraform last configured the provider. */
  get walk(): Walk {
    return this.#walk;
  }

  /**
   * @param consequence of the missing connection, as in "so nothing can be imported"
   * @throws providerNotYetKnown
   */
  requireConnection(consequence: string): Connection {
    if (this.#connection === undefined)
      throw providerNotYetKnown.error({ names: this.#unknownAttributes, consequence });
    return this.#connection;
  }

  /** The connection for a write. From now on, there is no `planConnection`. */
  connectionForWrite(): Connection {
    this.#hasWritten = true;
    return this.requireConnection("so nothing can be changed");
  }

  /** The token that this run works with, where it works with one. */
  get token(): string | undefined {
    return this.#token;
  }

  /** Warns that the state was not refreshed. */
  stateUnchecked(): readonly Finding[] {
    return [
      providerNotYetKnown.warning({
        names: this.#unknownAttributes,
        consequence: "so the state is assumed to be true",
      }),
    ];
  }

  /** Ends waiting and reading. A write that is under way goes on to its end. */
  stop(): void {
    this.#stop.abort();
  }
}

function findingsOnOtp({ otp = null }: ObjectValue): readonly Finding[] {
  return otp === null || isUnknown(otp)
    ? []
    : [
        invalidValue.at("works once, which is not enough for Terraform", {
          attribute: ["otp"],
          advice: "Set `totp_secret`, from which each of Terraform's processes computes a code of its own.",
        }),
      ];
}

// Configurations from Terraform: converted, and checked against the limits of their description.

/** Shared by resources, data sources and ephemeral resources. */
interface Described {
  readonly description: Description;
  /** Rules between attributes; known values only. */
  check?(config: ObjectValue): readonly Finding[];
}

/** Findings about a configuration. Parts may be unknown; unknown values are not judged. */
export function findingsIn(described: Described, raw: ObjectValue): readonly Finding[] {
  const { attributes } = described.description;
  const { config, findings } = conform(attributes, raw);
  const rules = described.check?.(config) ?? [];
  return [...findings, ...validate(attributes, config), ...rules];
}

/** Converts a configuration that was checked before, and is wholly known now. */
export function conformedConfig({ description }: Described, raw: ObjectValue): ObjectValue {
  return conform(description.attributes, raw).config;
}

/**
 * Terraform gives a provider values without their marks. So the provider knows its own credentials, write-only values and the tokens in states
 * again, and refuses them in an attribute that is sent and shown in plain.
 */
export function misplacedSecrets(
  { secrets }: Service,
  { attributes }: Description,
  config: ObjectValue,
): readonly Finding[] {
  secrets.addFrom(config);
  return Object.entries(config)
    .filter(([name]) => attributes[name]?.takesSensitive === false)
    .flatMap(([name, value]) => secrets.longPathsIn(value, [name]))
    .map((path) => sensitiveValue.at(formatPath(path), { attribute: path }));
}

/** Created on demand: most of Terraform's processes need few of them. */
export const schemaOf = onceForEach(terraformSchema);

/** A resource, and the service that it lives at. */
export interface Bound {
  readonly resource: Resource;
  readonly service: Service;
}
