/**
 * Says which members of the service's records a snapshot holds. Only what stands here is taken: a member that the service adds later is left
 * out, as are verification tokens, digests and everything else that could be secret.
 */
import {
  isInteger,
  isList,
  isObject,
  NOT_IN_SNAPSHOT,
  type ObjectValue,
  type Value,
  withValueAt,
} from "../lib/values";

/** How much of a record is taken. `managed`: a stack manages it. `full`: the user asked for everything that is no secret. */
export type Extent = "public" | "managed" | "full";

/** A record as a snapshot holds it. */
export interface PublishedRecord {
  readonly record: ObjectValue;
  /** Where the service showed something that is left out: `email`, `two_factor.security_email`. */
  readonly left_out: readonly string[];
}

/** What is taken of one member: its value, where the rule knows the type; undefined for what is left out. */
type Rule = (value: Value, extent: Extent) => Value | undefined | Cut;

/** An object of which a part is left out. */
class Cut {
  constructor(
    readonly value: ObjectValue,
    readonly leftOut: readonly string[],
  ) {}
}

// Rules for single values. Null says nothing, so every rule takes it.

const text: Rule = (value) => (typeof value === "string" ? value : undefined);
const integer: Rule = (value) => (isInteger(value) ? value : undefined);
const flag: Rule = (value) => (typeof value === "boolean" ? value : undefined);
const texts: Rule = (value) =>
  isList(value) && value.every((element) => typeof element === "string") ? value : undefined;

function object(members: Readonly<Record<string, Rule>>): Rule {
  return (value, extent) => (isObject(value) ? cutOf(value, members, extent) : undefined);
}

/** A value in the read shape, or in the written one: `{ number: "1" }` or `"1"`. */
function either(...rules: readonly Rule[]): Rule {
  return (value, extent) => {
    for (const rule of rules) {
      const taken = rule(value, extent);
      if (taken !== undefined) return taken;
    }
    return undefined;
  };
}

/** Something personal: taken where a stack manages the record. */
function personal(rule: Rule): Rule {
  return (value, extent) => (extent === "public" ? undefined : rule(value, extent));
}

/** Something that no stack manages: taken where the user asks for everything. */
function onlyInFull(rule: Rule): Rule {
  return (value, extent) => (extent === "full" ? rule(value, extent) : undefined);
}

function listOf(members: Readonly<Record<string, Rule>>): Rule {
  return (value, extent) =>
    isList(value) && value.every(isObject)
      ? value.map((element) => cutOf(element, members, extent).value)
      : undefined;
}

function cutOf(value: ObjectValue, members: Readonly<Record<string, Rule>>, extent: Extent): Cut {
  const taken: Record<string, Value> = {};
  const leftOut: string[] = [];
  for (const [name, rule] of Object.entries(members)) {
    if (!Object.hasOwn(value, name)) continue;
    const member = value[name] ?? null;
    const found = member === null ? null : rule(member, extent);
    if (found === undefined) leftOut.push(name);
    else if (found instanceof Cut) {
      taken[name] = found.value;
      leftOut.push(...found.leftOut.map((inner) => `${name}.${inner}`));
    } else taken[name] = found;
  }
  return new Cut(taken, leftOut);
}

// The members of the spec (2.1 to 2.4), each with what is taken of it.

const record: Readonly<Record<string, Rule>> = {
  id: text,
  uuid: text,
  serial: text,
  evt_qry: (value) => (typeof value === "string" && /^serial=[\w:.-]+$/.test(value) ? value : undefined),
  ctime: integer,
  mtime: integer,
  seq: integer,
  // What these hold is shown nowhere in the spec but as null.
  status: onlyInFull(text),
  rec_status: onlyInFull(text),
  label: onlyInFull(text),
  idp: object({ id: onlyInFull(text), label: onlyInFull(text), type: text }),
  ec: onlyInFull(
    object({
      status: text,
      seq: integer,
      table: object({ time: integer, hdrs: integers, rows: listOf({ v: text, d: integers }) }),
    }),
  ),
};

function integers(value: Value): Value | undefined {
  return isList(value) && value.every(isInteger) ? value : undefined;
}

const contact = personal(
  object({
    first_name: text,
    last_name: text,
    company: text,
    address: object({ addr: texts, city: text, state: text, zip: text, country: text }),
    phone: either(text, object({ number: text, valid: flag })),
    email: either(text, object({ addr: text, valid: flag })),
  }),
);

const account: Readonly<Record<string, Rule>> = {
  ...record,
  name: text,
  usage_id: text,
  admin_profile_id: text,
  disabled: flag,
  primary_contact: contact,
  billing_contact: contact,
  limits: object({ vss_num: integer, size_reserve_total: integer }),
  provisioning: object({
    size_reserve_max: integer,
    iops_reserve_max: integer,
    tags_include: texts,
    tags_exclude: texts,
    tags_permit: texts,
  }),
};

/** Rights by group. Which groups and rights there are, the service says; a right is true or false. */
const permissions: Rule = (value) => {
  if (!isObject(value)) return undefined;
  const taken: Record<string, Value> = {};
  for (const [group, content] of Object.entries(value)) {
    if (!NAME.test(group) || !isObject(content)) continue;
    const members = cutOf(content, { rights, ...SCOPES }, "public").value;
    taken[group] = members;
  }
  return taken;
};

const NAME = /^[A-Za-z][\w-]{0,63}$/;

const rights: Rule = (value) =>
  isObject(value)
    ? Object.fromEntries(
        Object.entries(value).filter(([name, given]) => NAME.test(name) && typeof given === "boolean"),
      )
    : undefined;

const SCOPES: Readonly<Record<string, Rule>> = {
  all_realm_scope: flag,
  all_account_scope: flag,
  nodes: texts,
  vsses: texts,
};

const profile: Readonly<Record<string, Rule>> = {
  ...record,
  account_id: text,
  login: text,
  activated: flag,
  password_set: flag,
  allow_su: flag,
  level: integer,
  timezone: text,
  account_admin: flag,
  app_default: text,
  access: object({ web: flag, api: flag }),
  email: personal(text),
  email_notify: flag,
  email_verified: flag,
  sms_notify: flag,
  sms: personal(either(text, object({ number: text, valid: flag }))),
  two_factor: object({
    auth: text,
    yubikey_id: personal(text),
    security_email: personal(either(text, object({ addr: text, verified: flag, bounce: flag }))),
  }),
  permissions,
  xmd_refs: personal(texts),
  xref: personal(text),
  xmd: onlyInFull(object({ id: text, ref: text, mtime: integer, tags: texts, self: flag, data: text })),
  sessions: onlyInFull(listOf({ serial: text, id: text, created_ms: integer, last_ms: integer, addr: text })),
};

/** Answer of `GET /status/authorization`. */
const caller: Readonly<Record<string, Rule>> = {
  type: text,
  serial: text,
  account: object({ id: text, serial: text, name: text }),
  user: object({ id: text, serial: text, name: text }),
  created_at: text,
  permissions,
};

/** The counters of an account (spec 2.2). */
const usage: Readonly<Record<string, Rule>> = Object.fromEntries(
  [
    "size_reserve",
    "iops_reserve",
    "vss_num",
    "vdisk_num",
    "clones_num",
    "repl_num",
    "snapshot_num",
    "target_num",
    "profile_num",
    "user_num",
  ].map((name) => [name, integer]),
);

const RULES = { account, profile, caller, usage };

/** The part of a record that a snapshot may hold. */
export function publish(kind: keyof typeof RULES, of: ObjectValue, extent: Extent): PublishedRecord {
  const { value, leftOut } = cutOf(of, RULES[kind], extent);
  return { record: value, left_out: leftOut };
}

/**
 * The same for a family that this file does not know: numbers, flags and texts, alone or in lists.
 * @param members those that its description reads, and that are neither secret nor personal
 */
export function publishedOther(of: ObjectValue, members: readonly string[]): PublishedRecord {
  const plain = either(text, integer, flag, texts, integers);
  const known = { id: text, uuid: text, serial: text, seq: integer, account_id: text, name: text };
  const rules = { ...Object.fromEntries(members.map((name) => [name, plain])), ...known };
  const { value, leftOut } = cutOf(of, rules, "public");
  return { record: value, left_out: leftOut };
}

/** The record again; what was left out is marked in it. */
export function recordOf({ record: of, left_out: leftOut }: PublishedRecord): ObjectValue {
  return leftOut.reduce<ObjectValue>(
    (marked, place) => withValueAt(marked, place.split("."), NOT_IN_SNAPSHOT) as ObjectValue,
    of,
  );
}
