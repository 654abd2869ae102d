/**
 * Reads a plan of our provider from the output of `terraform show -json` or `tofu show -json`, as one of our own plans. Access uses its only definition.
 * The plan names the facts that Terraform's JSON lacks.
 */
import { accessChanges, type Change, NOT_IN_PLAN, type Plan, type Target } from "../plan";
import { addressParts } from "../render/json";
import { isTokenType, PROVIDER_SOURCE } from "../resources";
import {
  isList,
  isObject,
  isUnknown,
  type ObjectValue,
  type Path,
  SENSITIVE_TEXT,
  textOf,
  UNKNOWN_TEXT,
  type Value,
} from "../lib/values";
import {
  actionsIn,
  broken,
  changeOf,
  type RepresentedChange,
  listIn,
  planWith,
  readEntry,
  textIn,
  valueIn,
} from "./representation";

/** @throws `TENANCY_BROKEN_PLAN` */
export function planOfTerraform(document: ObjectValue): {
  readonly plan: Plan;
  readonly drift: readonly Change[];
  readonly missingFacts: readonly string[];
} {
  const all = listIn(document, "resource_changes", true).filter(isManaged);
  all.forEach(requireOwnProvider);
  const tenancyEntries = all.filter(isOfTenancy);
  const entries = tenancyEntries.map(readEntry);
  const names = new Names(document, entries);
  const changes = tenancyEntries.map((one, index) =>
    changeOfEntry(one, entries[index] as RepresentedChange, names),
  );
  const drift = listIn(document, "resource_drift", true)
    .filter((one) => isManaged(one) && isOfTenancy(one))
    .map((one) => changeOfEntry(one, readEntry(one), names));
  const plannedAt = valueIn(document, "timestamp");
  const asOf = typeof plannedAt === "string" ? new Date(plannedAt) : undefined;
  const forgotten = changes.filter(
    (_change, index) => actionsIn(valueIn(tenancyEntries[index], "change")) === "forget",
  );
  const plan = planWith(document, changes, {
    stack: "terraform",
    targets: targetsOf(document),
    destroy: false,
    noPrune: false,
    access: accessChanges(changes, asOf),
    retained: forgotten.map(({ description, key, before }) => ({
      type: description.type,
      key,
      id: textOf(valueIn(before, "id")) ?? "",
      reason: "Terraform forgets it; nothing manages it any more",
    })),
    unmanagedUsers: [],
    renames: [],
    warnings: [],
    deletedWithAccount: [],
  });
  const others = all.filter((one) => !isOfTenancy(one) && actionsIn(valueIn(one, "change")) !== "no-op");
  return {
    plan,
    drift,
    missingFacts: missingFactsOf(document, {
      others: others.length,
      forgotten: forgotten.map(({ address }) => address),
    }),
  };
}

function missingFactsOf(
  document: ObjectValue,
  { others, forgotten }: { readonly others: number; readonly forgotten: readonly string[] },
): readonly string[] {
  const deferred = listIn(document, "deferred_changes", true).length;
  return [
    ...(valueIn(document, "errored") === true
      ? ["Terraform's plan ended with errors: it is not whole."]
      : []),
    ...(forgotten.length === 0
      ? []
      : [
          `Terraform forgets ${forgotten.join(", ")}: what is forgotten stays live, and nothing manages it any more.`,
        ]),
    ...(others === 0 ? [] : [`${others} ${others === 1 ? "change" : "changes"} of other providers.`]),
    ...(deferred === 0
      ? []
      : [`${deferred} ${deferred === 1 ? "change" : "changes"} that Terraform has deferred.`]),
    NOT_IN_JSON,
  ];
}

/** These are only in the provider's private state, or nowhere. */
const NOT_IN_JSON =
  'Not in Terraform\'s JSON: the caller, undeclared users, rights that undeclared_rights = "keep" leaves, and the users that are deleted with an account.';

/** Data sources are read, and change nothing. @throws brokenPlan for a mode that this release does not know */
function isManaged(entry: Value): boolean {
  const mode = valueIn(entry, "mode");
  if (mode !== "managed" && mode !== "data") throw broken(`the mode of ${textIn(entry, "address")}`);
  return mode === "managed";
}

/** A change of our types through another provider must not count as a resource of another provider. @throws brokenPlan */
function requireOwnProvider(entry: Value): void {
  if (!textIn(entry, "type").startsWith("tenancy_") || isOfTenancy(entry)) return;
  throw broken(`${textIn(entry, "address")} belongs to another provider than ${PROVIDER_SOURCE}`);
}

/** By the provider too: another one may have types of such names. */
function isOfTenancy(entry: Value): boolean {
  const [type, provider] = [valueIn(entry, "type"), valueIn(entry, "provider_name")];
  return (
    typeof type === "string" &&
    type.startsWith("tenancy_") &&
    (typeof provider !== "string" || provider === PROVIDER_SOURCE || provider.endsWith(`/${PROVIDER_SOURCE}`))
  );
}

function changeOfEntry(json: Value, entry: RepresentedChange, names: Names): Change {
  const { declared: declaredAttributes, provider = "tenancy" } = names.configured(entry.address) ?? {};
  const reason = valueIn(json, "action_reason");
  return {
    ...changeOf({ ...entry, sensitive: names.sensitiveIn(entry) }, names.titleOf(entry), provider),
    ...(entry.action !== "delete" && declaredAttributes !== undefined && { declared: declaredAttributes }),
    reason: entry.action !== "delete" ? undefined : typeof reason === "string" ? "undeclared" : "destroy",
  };
}

// The configuration: declared attributes and references.

interface Configured {
  /** Key of the provider's configuration in `provider_config`. */
  readonly provider: string | undefined;
  readonly declared: ReadonlySet<string>;
  /** Addresses, and parts of them, that the expression of an attribute names. */
  readonly references: (attribute: string) => readonly string[];
}

/** The attributes that name an object. */
const NAMING: ReadonlySet<string | number> = new Set(["name", "username", "login"]);

/** Names of the objects of a plan: by login and account, as far as these are known. */
class Names {
  readonly #root: Value;
  readonly #entries: ReadonlyMap<string, RepresentedChange>;
  readonly #accounts = new Map<string, string>();
  readonly #configured = new Map<string, Configured | undefined>();
  /** Names that come from something sensitive. */
  readonly #secret = new Set<string>();

  constructor(document: ObjectValue, entries: readonly RepresentedChange[]) {
    this.#root = valueIn(valueIn(document, "configuration"), "root_module");
    this.#entries = new Map(entries.map((entry) => [entry.address, entry]));
    this.#learn(valueIn(valueIn(valueIn(document, "prior_state"), "values"), "root_module"));
    for (const { type, before } of entries) if (type === "tenancy_account") this.#note(before);
    for (const { before, after, sensitive } of entries)
      for (const [first = ""] of sensitive)
        for (const state of [before, after]) {
          const value = NAMING.has(first) ? valueIn(state, String(first)) : null;
          if (typeof value === "string" && value !== "") this.#secret.add(value);
        }
  }

  /** Names of accounts by id, data sources included. */
  #learn(module: Value): void {
    for (const one of listIn(module, "resources", true)) {
      const sensitive = valueIn(valueIn(one, "sensitive_values"), "name");
      if (valueIn(one, "type") === "tenancy_account" && sensitive !== true)
        this.#note(valueIn(one, "values"));
    }
    for (const child of listIn(module, "child_modules", true)) this.#learn(child);
  }

  #note(state: Value): void {
    const [id, name] = [valueIn(state, "id"), valueIn(state, "name")];
    if (typeof id === "string" && typeof name === "string") this.#accounts.set(id, name);
  }

  titleOf(entry: RepresentedChange): string {
    return this.#withoutSecrets(this.#titleOf(entry, 0));
  }

  /**
   * The paths of the entry that no output may show. Terraform marks configured values. A login that the service derives from a sensitive name is also
   * sensitive.
   */
  sensitiveIn({ before, after, sensitive }: RepresentedChange): readonly Path[] {
    const namingParts = [...NAMING].map(String).filter((name) =>
      [before, after].some((state) => {
        const value = valueIn(state, name);
        return typeof value === "string" && this.#withoutSecrets(value) !== value;
      }),
    );
    return [...sensitive, ...namingParts.map((name) => [name])];
  }

  /** A login, or a token's name, without those of its parts that are sensitive. */
  #withoutSecrets(title: string): string {
    if (this.#secret.size === 0) return title;
    if (this.#secret.has(title)) return SENSITIVE_TEXT;
    return title
      .split(/([@/])/)
      .map((part) => (this.#secret.has(part) ? SENSITIVE_TEXT : part))
      .join("");
  }

  #titleOf(entry: RepresentedChange, depth: number): string {
    const { type } = entry;
    if (type === "tenancy_account") return this.#text(entry, "name") ?? UNKNOWN_TEXT;
    const login = this.#text(entry, "login");
    if (isTokenType(type)) {
      const owner = login ?? this.#referred(entry, "login", depth) ?? UNKNOWN_TEXT;
      return `${owner}/${this.#text(entry, "name") ?? UNKNOWN_TEXT}`;
    }
    if (type !== "tenancy_user_profile") return entry.address;
    if (login !== undefined) return login;
    const id = this.#text(entry, "account_id");
    const account =
      (id === undefined ? undefined : this.#accounts.get(id)) ?? this.#referred(entry, "account_id", depth);
    return `${this.#text(entry, "username") ?? UNKNOWN_TEXT}@${account ?? UNKNOWN_TEXT}`;
  }

  /** An attribute as it will be, or was; undefined where it is not known. */
  #text({ before, after, sensitive }: RepresentedChange, name: string): string | undefined {
    if (sensitive.some(([first]) => first === name)) return SENSITIVE_TEXT;
    const value = valueIn(after ?? before, name);
    const known = isUnknown(value) || value === null ? valueIn(before, name) : value;
    return typeof known === "string" ? known : undefined;
  }

  /** The title of the object of the same plan that an attribute refers to. */
  #referred({ address }: RepresentedChange, attribute: string, depth: number): string | undefined {
    if (depth > 3) return undefined;
    const { modules } = addressParts(address);
    const index = /\[(?:"(?:[^"\\]|\\.)*"|\d+)\]$/.exec(address)?.[0] ?? "";
    for (const reference of this.configured(address)?.references(attribute) ?? []) {
      const [target] = /^tenancy_\w+\.[\w-]+(?:\[[^\]]*\])?/.exec(reference) ?? [];
      if (target === undefined) continue;
      const entry = this.#entries.get(modules + target) ?? this.#entries.get(modules + target + index);
      if (entry !== undefined) return this.#titleOf(entry, depth + 1);
    }
    return undefined;
  }

  /** @returns undefined where the configuration does not declare it */
  configured(address: string): Configured | undefined {
    const { modules, resource } = addressParts(address);
    const path = modules.replace(/\[(?:"(?:[^"\\]|\\.)*"|\d+)\]/g, "");
    const local = resource.slice(modules.length);
    const key = path + local;
    if (!this.#configured.has(key)) this.#configured.set(key, this.#find(path, local));
    return this.#configured.get(key);
  }

  #find(path: string, resource: string): Configured | undefined {
    const calls = [...path.matchAll(/module\.([^.]+)\./g)].map(([, name = ""]) => name);
    const module = calls.reduce<Value>(
      (outer, name) => valueIn(valueIn(valueIn(outer, "module_calls"), name), "module"),
      this.#root,
    );
    const resourceEntry = listIn(module, "resources", true).find(
      (one) => valueIn(one, "address") === resource,
    );
    const expressions = valueIn(resourceEntry, "expressions");
    if (!isObject(expressions)) return undefined;
    const provider = valueIn(resourceEntry, "provider_config_key");
    return {
      provider: typeof provider === "string" ? provider : undefined,
      declared: new Set(Object.keys(expressions).filter((name) => isGiven(expressions[name] ?? null))),
      references: (attribute) => {
        const references = valueIn(expressions[attribute] ?? null, "references");
        return isList(references) ? references.filter((one) => typeof one === "string") : [];
      },
    };
  }
}

/** An attribute that is written as null has an expression without anything in it. */
function isGiven(expression: Value): boolean {
  if (!isObject(expression)) return expression !== null;
  const members = Object.keys(expression);
  return members.length > 1 || (members.length === 1 && expression["constant_value"] !== null);
}

// Where the plan goes, as far as the configuration says so.

/**
 * Terraform's JSON names the references of an expression, and not how the expression uses them: `"https://${var.host}"` and `var.host` look
 * alike. So only constants are known.
 */
function targetsOf(document: ObjectValue): readonly Target[] {
  const providers = valueIn(valueIn(document, "configuration"), "provider_config");
  const settingOf = (config: Value, name: string): string | undefined => {
    const constant = valueIn(valueIn(valueIn(config, "expressions"), name), "constant_value");
    return typeof constant === "string" ? constant : undefined;
  };
  return Object.entries(isObject(providers) ? providers : {})
    .filter(([, config]) => {
      const name = valueIn(config, "full_name");
      return typeof name === "string" && (name === PROVIDER_SOURCE || name.endsWith(`/${PROVIDER_SOURCE}`));
    })
    .map(([provider, config]): Target => {
      const baseUrl = settingOf(config, "base_url");
      return {
        provider,
        origin:
          baseUrl === undefined ? NOT_IN_PLAN : URL.canParse(baseUrl) ? new URL(baseUrl).origin : baseUrl,
        caller: NOT_IN_PLAN,
      };
    });
}
