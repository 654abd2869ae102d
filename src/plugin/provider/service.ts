/** Connects to the service as Terraform configures the provider, once the configuration is known. */
import {
  type Finding,
  ignoredRight,
  invalidValue,
  noLongerDeclared,
  ownerKeyUnused,
  providerNotYetKnown,
  unkeyedRecords,
} from "../../problems";
import { grantedIn, listersOfFamilies, type Outcome, type Resource } from "../../resources";
import {
  type Attribute as DescribedAttribute,
  attributeAt,
  type Attributes as DescribedAttributes,
  conform,
  type Description,
  terraformSchema,
  validate,
} from "../../schema";
import {
  checkProvider,
  coalescingDirectory,
  connect,
  type Connection,
  type Environment,
  provider,
  settingsOf,
  usernameOf,
} from "../../service";
import {
  equal,
  isList,
  isObject,
  isUnknown,
  isWhollyKnown,
  type ObjectValue,
  onceForEach,
  parsePath,
  plainText,
  stringifyJson,
  textOf,
  type Value,
  valueAt,
} from "../../values";
import type { Log } from "../runtime";
import type { Notes } from "./words";

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
  /** Ids of what this plan imports. */
  readonly takenIn = new Set<string>();
  /** Which configurations declare permissions, as they are written. */
  readonly written = new Written();
  /** Ids of live records that this plan, as far as it is made, would create at an address of their own. */
  readonly declaredAnew = new Set<string>();

  constructor(environment: Environment, now: () => Date) {
    this.#environment = environment;
    this.#now = now;
  }

  /** Findings about the provider's configuration; nobody is contacted. */
  validate(raw: ObjectValue): readonly Finding[] {
    const check = (config: ObjectValue) => [...checkProvider(config), ...checkOtp(config)];
    return findingsIn({ description: provider, check }, raw);
  }

  /**
   * Called once for each run. While something in the configuration is unknown, there is no connection.
   * @returns warnings
   * @throws incompleteProvider, invalidCaFile, …
   */
  async configure(raw: ObjectValue, log: Log): Promise<readonly Finding[]> {
    await this.#connection?.client.close();
    this.#connection = undefined;
    this.#hasWritten = false;
    this.going.clear();
    this.takenIn.clear();
    this.written.clear();
    this.declaredAnew.clear();
    this.#stop = new AbortController();
    this.#unknown = Object.keys(raw).filter((name) => !isWhollyKnown(raw[name] ?? null));
    if (this.#unknown.length > 0) return [];
    // A one-time password works once, and Terraform starts several processes for one run.
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
        ? [ownerKeyUnused.at()]
        : []),
      ...(owners?.keys?.takesUnkeyed === true ? [unkeyedRecords.at(undefined)] : []),
    ];
  }

  /** Undefined while the provider's configuration is not known. */
  get connection(): Connection | undefined {
    return this.#connection;
  }

  /**
   * The connection, for what cannot do without.
   * @param otherwise what follows where there is none, as in "so nothing can be imported"
   * @throws providerNotYetKnown
   */
  required(otherwise: string): Connection {
    if (this.#connection === undefined)
      throw providerNotYetKnown.error({ names: this.#unknown, consequence: otherwise });
    return this.#connection;
  }

  /** The connection, for a write. */
  writing(): Connection {
    this.#hasWritten = true;
    return this.required("so nothing can be changed");
  }

  /** True if records may have been deleted since this process started. */
  get hasWritten(): boolean {
    return this.#hasWritten;
  }

  /** The token that this run works with, where it works with one. */
  get token(): string | undefined {
    return this.#token;
  }

  /** Why what is read is what was known before. */
  trusted(): readonly Finding[] {
    return [
      providerNotYetKnown.warning({
        names: this.#unknown,
        consequence: "so the state is assumed to be true",
      }),
    ];
  }

  /** Ends waiting and reading; a write that is under way is left to end. */
  stop(): void {
    this.#stop.abort();
  }
}

function checkOtp({ otp = null }: ObjectValue): readonly Finding[] {
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

/** A configuration that was checked before, and is wholly known now. */
export function conformed({ description }: Described, raw: ObjectValue): ObjectValue {
  return conform(description.attributes, raw).config;
}

/** Made on demand: most of Terraform's processes need few of them. */
export const schemaOf = onceForEach(terraformSchema);

/** A resource, and the service that it lives at. */
export interface Bound {
  readonly resource: Resource;
  readonly service: Service;
}

// Attributes that the last apply declared. Terraform does not remember them: an attribute that is no longer declared keeps its value,
// and the plan has to say so. Private state remembers them.

/** What to note after a write. */
export function notesOnDeclared(
  { description: { attributes } }: Resource,
  config: ObjectValue,
  outcome: Outcome,
): Notes {
  const { permissions } = outcome.state;
  const areDeclared = (config["permissions"] ?? null) !== null;
  return {
    declared: declaredPaths(attributes, config),
    ...("permissions" in attributes && {
      rights: areDeclared && isObject(permissions) ? Object.keys(permissions) : [],
      granted: grantedOf(attributes, outcome),
    }),
  };
}

/** The rights that the service shows as granted; undefined where it was not asked. */
export function grantedOf(
  attributes: DescribedAttributes,
  { records }: Outcome,
): readonly string[] | undefined {
  return records === undefined || !("permissions" in attributes) ? undefined : grantedIn(attributes, records);
}

/** The state from which a refresh takes what answers do not tell: of `permissions`, the rights that the last apply named. */
export function withDeclaredRights(prior: ObjectValue, { rights }: Notes): ObjectValue {
  const { permissions } = prior;
  if (rights === undefined || !isObject(permissions)) return prior;
  const named = rights.map((right): [string, Value] => [right, permissions[right] ?? false]);
  return { ...prior, permissions: Object.fromEntries(named) };
}

function declaredPaths(attributes: DescribedAttributes, config: ObjectValue): readonly string[] {
  return Object.entries(attributes).flatMap(([name, { shape, presence }]) => {
    const value = config[name] ?? null;
    if (presence !== "managed" || value === null) return [];
    if (shape.kind !== "group" || !isObject(value)) return [name];
    return [name, ...declaredPaths(shape.attributes, value).map((inner) => `${name}.${inner}`)];
  });
}

/** Warnings for the attributes whose values stay although they are declared no more. */
export function noLongerDeclaredIn(
  { description: { attributes } }: Resource,
  config: ObjectValue,
  prior: ObjectValue,
  { declared = [] }: Notes,
): readonly Finding[] {
  const unset = config["unset"] ?? null;
  const unsets = (name: string): boolean =>
    isList(unset) && (unset.includes(name) || (unset.includes("*") && attributes[name]?.nullable === true));
  const gone = declared.filter((path) => {
    const [name = ""] = path.split(".");
    // Every plan warns of undeclared permissions.
    return name !== "permissions" && !unsets(name) && valueAt(config, parsePath(path)) === null;
  });
  return gone.flatMap((text) => {
    const path = parsePath(text);
    const attribute = attributeAt(attributes, path);
    const value = valueAt(prior, path);
    const isTold = gone.some((other) => text.startsWith(`${other}.`));
    if (attribute === undefined || isTold || !attribute.shown || isUnknown(value) || isEmpty(value))
      return [];
    return [
      noLongerDeclared.at({
        who: textOf(prior["login"]) ?? textOf(prior["name"]) ?? "",
        path,
        value: attribute.sensitive ? undefined : plainText(stringifyJson(value), 120),
        takenAwayBy: takenAwayBy(attribute),
      }),
    ];
  });
}

function isEmpty(value: Value): boolean {
  return value === null || (isList(value) && value.length === 0);
}

function takenAwayBy({ nullable, shape }: DescribedAttribute) {
  if (nullable) return "unset";
  return shape.kind === "list" || shape.kind === "set" ? "emptying" : "another value";
}

/**
 * Core plans with a configuration in which `ignore_changes` has put prior values. Validation sees it as it is written, right before each
 * plan, in the same process: so validation notes which objects declare permissions.
 */
class Written {
  readonly #permissions = new Map<string, Set<boolean>>();

  /** Another run begins. */
  clear(): void {
    this.#permissions.clear();
  }

  note({ resource }: Bound, raw: ObjectValue): void {
    if (!("permissions" in resource.description.attributes)) return;
    const key = identityOf(resource, raw);
    const noted = this.#permissions.get(key) ?? new Set();
    noted.add((raw["permissions"] ?? null) !== null);
    this.#permissions.set(key, noted);
  }

  /** Refuses permissions that only `ignore_changes` has put there: they would be exact. */
  findings({ resource }: Bound, config: ObjectValue, prior: ObjectValue | null): readonly Finding[] {
    const { permissions = null } = config;
    const noted = this.#permissions.get(identityOf(resource, config));
    if (!isObject(permissions) || noted === undefined || noted.has(true)) return [];
    // The whole attribute is ignored: its prior value is planned, and nothing is sent.
    if (equal(permissions, prior?.["permissions"] ?? null)) return [];
    const [right = "permissions"] = Object.keys(permissions);
    return [ignoredRight.at(right, { attribute: ["permissions"] })];
  }
}

/** The attributes that identify a declaration within a run: a change of them makes another object. */
function identityOf({ description: { type, attributes } }: Resource, config: ObjectValue): string {
  const values = Object.keys(attributes)
    .filter((name) => attributes[name]?.forcesReplacement)
    .map((name) => config[name] ?? null)
    .map((value) => (isUnknown(value) ? "?" : value));
  return stringifyJson([type, ...values]);
}
