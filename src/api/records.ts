/** Defines the service's records. Members that the service leaves out are absent; members that it adds are kept. */
import { isInteger, isList, isObject, isUnknown, type ObjectValue, type Value } from "../lib/values";

/** A JSON type, as an error names it. */
type TypeName = keyof typeof FITS;

const FITS = {
  "a string": (value: Value) => typeof value === "string",
  "true or false": (value: Value) => typeof value === "boolean",
  "an integer": isInteger,
  "a list of strings": (value: Value) =>
    isList(value) && value.every((element) => typeof element === "string"),
} as const;

/** The types of an object's members, by their names; `*` means every other member. */
interface MemberTypes {
  readonly [name: string]: TypeName | MemberTypes;
}

function each(type: TypeName, names: string): MemberTypes {
  return Object.fromEntries(names.split(" ").map((name) => [name, type]));
}

const CONTACT_TYPES: MemberTypes = {
  ...each("a string", "first_name last_name company"),
  address: { ...each("a string", "city state zip country"), addr: "a list of strings" },
  phone: { number: "a string", valid: "true or false" },
  email: { addr: "a string", valid: "true or false" },
};

/** The members that Tenancy reads, with their types (spec 2): a value of another type would look like one that is not shown. */
const MEMBER_TYPES: MemberTypes = {
  ...each("a string", "id uuid serial name login account_id admin_profile_id usage_id user_id access_token"),
  ...each("a string", "email app_default xref"),
  ...each("an integer", "ctime mtime seq level size_reserve iops_reserve vss_num vdisk_num clones_num"),
  ...each("an integer", "repl_num snapshot_num target_num profile_num user_num"),
  ...each("true or false", "disabled activated password_set account_admin allow_su"),
  ...each("true or false", "email_notify email_verified sms_notify"),
  xmd_refs: "a list of strings",
  access: each("true or false", "web api"),
  sms: { number: "a string", valid: "true or false" },
  two_factor: { auth: "a string", security_email: { addr: "a string", verified: "true or false" } },
  permissions: {
    "*": {
      ...each("true or false", "all_realm_scope all_account_scope"),
      ...each("a list of strings", "nodes vsses"),
      rights: { "*": "true or false" },
    },
  },
  primary_contact: CONTACT_TYPES,
  billing_contact: CONTACT_TYPES,
  limits: each("an integer", "vss_num size_reserve_total"),
  provisioning: {
    ...each("an integer", "size_reserve_max iops_reserve_max"),
    ...each("a list of strings", "tags_include tags_exclude tags_permit"),
  },
};

/**
 * The first member that has another type than the specification says. Null and absent members fit everywhere, and so does text for an object that
 * requests take as text.
 */
export function misfitIn(
  record: ObjectValue,
  types: MemberTypes = MEMBER_TYPES,
  parent = "",
): { readonly path: string; readonly value: Value; readonly expectation: string } | undefined {
  for (const [name, value] of Object.entries(record)) {
    const type = Object.hasOwn(types, name) ? types[name] : types["*"];
    // A snapshot answers with unknown values where it leaves something out.
    if (type === undefined || value === null || value === undefined || isUnknown(value)) continue;
    const path = parent + name;
    if (typeof type === "string") {
      if (!FITS[type](value)) return { path, value, expectation: type };
    } else if (isObject(value)) {
      const misfit = misfitIn(value, type, `${path}.`);
      if (misfit !== undefined) return misfit;
    } else if (typeof value !== "string" || !WRITTEN_AS_TEXT.has(name)) {
      return { path, value, expectation: "an object" };
    }
  }
  return undefined;
}

const WRITTEN_AS_TEXT: ReadonlySet<string> = new Set(["phone", "email", "sms", "security_email"]);

type TextMember = string | null;

/** Spec 2.1. */
export interface CommonRecord extends ObjectValue {
  readonly id?: TextMember;
  readonly uuid?: TextMember;
  readonly serial?: TextMember;
  readonly seq?: Value;
}

/** Spec 2.2. */
export interface AccountRecord extends CommonRecord {
  readonly name?: TextMember;
  readonly admin_profile_id?: TextMember;
  readonly usage_id?: TextMember;
  readonly disabled?: Value;
}

/** Spec 2.2, last paragraph: counters. */
export type UsageRecord = ObjectValue;

/** Spec 2.3. */
export interface ProfileRecord extends CommonRecord {
  readonly account_id?: TextMember;
  readonly login?: TextMember;
  readonly activated?: Value;
  readonly password_set?: Value;
  readonly access?: Value;
  readonly permissions?: Value;
}

/** Spec 2.5. */
export interface AuthorizationRecord extends ObjectValue {
  readonly id?: TextMember;
  readonly serial?: TextMember;
  readonly user_id?: TextMember;
  readonly access_token?: TextMember;
  readonly access_token_digest?: Value;
  readonly created_at?: Value;
}

/** A new authorization with its secret, which the service shows only once. */
export type CreatedAuthorization = AuthorizationRecord & { readonly access_token: string };

/** Answer of `GET /status` (spec 4.2). */
export interface StatusRecord extends ObjectValue {
  readonly status?: Value;
  readonly message?: Value;
}

/** Answer of `GET /status/authorization` (spec 4.2): `type` and `serial`, or `account` and `created_at`. */
export interface CallerRecord extends ObjectValue {
  readonly serial?: TextMember;
  readonly account?: Value;
  readonly permissions?: Value;
}

/** Answer of `POST /oauth2/token` (spec 4.2). */
export interface SessionRecord extends ObjectValue {
  readonly access_token: string;
  readonly expires_in?: Value;
  readonly user?: Value;
}
