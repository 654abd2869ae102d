/** What a plan in Terraform's JSON representation changes, in a form in which two plans can be held against each other. */

import { stringifyJson } from "../../../src/lib/values";

export interface JsonPlan {
  readonly resource_changes?: readonly JsonResourceChange[];
}

interface JsonResourceChange {
  readonly address: string;
  readonly type: string;
  readonly change: {
    readonly actions: readonly string[];
    readonly before: unknown;
    readonly after?: unknown;
    readonly after_unknown?: unknown;
  };
}

/** By address: the action, and the attributes that change, by path, each with its new value. */
export type Changes = Readonly<Record<string, { readonly action: string; readonly attributes: Attributes }>>;

type Attributes = Readonly<Record<string, string>>;

/** Attributes that only the client knows: nothing tells the embedded engine their earlier values (design: Two engines). */
const EXEMPT =
  /^(unset|undeclared_rights|permissions_until|access_until|ended|deletion_protection|allow_nonempty_delete|template|retain_previous|retain_previous_for)$/;
const SETS = /^(provisioning_tags_\w+|\w+_scope|xmd_refs)$/;
const SECRET = /(^|\.)access_token$/;

/** What tells the rights that a plan grants or denies from those that it only records. */
export interface RightsAtStake {
  /** By id of a user profile: the rights that the service shows at the time of the plan, granted or not. */
  readonly live: ReadonlyMap<string, Readonly<Record<string, boolean>>>;
  /** By id of a user profile: web and API access. */
  readonly access: ReadonlyMap<string, { readonly web: boolean; readonly api: boolean }>;
  /** Addresses whose `permissions` are declared; those of others stay as they are. */
  readonly declared: ReadonlySet<string>;
}

export function changesOf({ resource_changes: changes = [] }: JsonPlan, atStake: RightsAtStake): Changes {
  const found: Record<string, Changes[string]> = {};
  for (const resourceChange of changes) {
    const { address, type, change } = resourceChange;
    const action = change.actions.join("+");
    if (action === "no-op" || action === "read") continue;
    const attributes = action === "delete" ? {} : attributesOf(resourceChange, atStake);
    if (action === "update" && Object.keys(attributes).length === 0) continue;
    found[action === "delete" ? deleted(type, change.before) : address] = { action, attributes };
  }
  return found;
}

/** An object that is no longer declared has an address in the state only, so it is compared by its key. */
function deleted(type: string, before: unknown): string {
  const { login = "", name = "" } = before as Record<string, string>;
  return type === "tenancy_user_profile" ? `${type} ${login}` : `${type} ${login} ${name}`;
}

function attributesOf(
  { address, change: { before, after, after_unknown: unknown } }: JsonResourceChange,
  { live, access, declared }: RightsAtStake,
): Attributes {
  const found: Record<string, string> = {};
  const [prior, planned, open] = [before, after, unknown].map((value) => (isRecord(value) ? value : {}));
  const userId = String(prior!["admin_profile_id"] ?? prior!["id"]);
  const rights = live.get(userId);
  if (rights === undefined) collect(prior, planned, open, [], found);
  else {
    const { permissions: endless, permissions_until: until, access_until: accessUntil, ...others } = planned!;
    const { permissions: _rights, ...othersOpen } = open!;
    collect(prior, others, othersOpen, [], found);
    // While access has ended, a state shows it as it is declared.
    if (typeof accessUntil === "string")
      for (const way of ["web", "api"] as const) {
        delete found[`access_${way}`];
        const value =
          grantedNow({ access: accessUntil })["access"] === true && planned![`access_${way}`] === true;
        if (value !== access.get(userId)?.[way]) found[`access_${way}`] = String(value);
      }
    if (!isRecord(endless) || !declared.has(address)) return found;
    const permissions = { ...endless, ...(isRecord(until) && grantedNow(until)) };
    const named = Object.keys(permissions);
    const concerned = planned!["undeclared_rights"] === "keep" ? named : [...named, ...Object.keys(rights)];
    for (const right of concerned) {
      const value = permissions[right] ?? false;
      if (value !== (rights[right] ?? false)) found[`permissions.${right}`] = text(value, "permissions");
    }
  }
  return found;
}

/** Rights with an end: each is granted until its day is over. */
function grantedNow(until: Record<string, unknown>): Record<string, boolean> {
  const today = new Date().toISOString().slice(0, 10);
  return Object.fromEntries(Object.entries(until).map(([right, day]) => [right, String(day) >= today]));
}

function collect(
  before: unknown,
  after: unknown,
  unknown: unknown,
  path: readonly string[],
  found: Record<string, string>,
): void {
  const name = path.join(".");
  if (EXEMPT.test(name)) return;
  if (unknown === true) {
    found[name] = "(known after apply)";
    return;
  }
  if (isRecord(after) && !SECRET.test(name)) {
    const names = new Set([...Object.keys(after), ...(isRecord(unknown) ? Object.keys(unknown) : [])]);
    const open = isRecord(unknown) ? unknown : {};
    for (const member of names)
      collect(
        isRecord(before) ? before[member] : null,
        after[member],
        open[member],
        [...path, member],
        found,
      );
    return;
  }
  const [left, right] = [text(before, name), text(after, name)];
  if (left !== right) found[name] = right;
}

function text(value: unknown, name: string): string {
  if (SECRET.test(name)) return "(sensitive)";
  if (Array.isArray(value) && SETS.test(name)) return stringifyJson([...(value as unknown[])].sort());
  return stringifyJson(Array.isArray(value) ? value.map(withoutSecret) : (value ?? null));
}

function withoutSecret(element: unknown): unknown {
  return isRecord(element) ? { ...element, access_token: null } : element;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
