/**
 * The service takes each parameter that the specification names, as the specification has it. The simulator's tables are generated from our
 * descriptions, so this list is written by hand from the specification (4.3, 4.4): covers src/lib/simulator/generated.
 */
import { simulators } from "../../support/simulators";

const start = simulators();

const CONTACT = `
first_name, last_name, company: string 0..255
address:addr: array
address:city, address:state, address:zip, address:country: string
phone: string 0..24
email: email 0..128`;

/** In account's create and update. */
const ACCOUNT = `
password: string 3..
limits:vss_num, limits:size_reserve_total: integer or null
provisioning:size_reserve_max, provisioning:iops_reserve_max: integer or null
provisioning:tags_include, provisioning:tags_exclude: array
provisioning:tags_permit: array or null
${within("primary_contact", CONTACT)}
${within("billing_contact", CONTACT)}`;

/**
 * In a user profile's create. The specification does not show those of its update. It says nothing of null for `sms` and `security_email`
 * here; both are nullable in the record (2.3).
 */
const PROFILE = `
xmd_refs: array
xref: string 1..256 or null
host: string
password: string 1..64 or null
two_factor:auth: none | yubikey | google
two_factor:otp: string 1..
two_factor:secret, two_factor:private_id: hex 1..
two_factor:security_email: email 0..128 or null
access:web, access:api, allow_su, email_notify, email_verify, sms_notify, sms_verify: boolean
email: email 0..128 or null
sms: string 0..24 or null
app_default: storage | infrastructure | account | securedrive
level: integer`;

const CALLS: Readonly<Record<string, string>> = {
  "POST /api/account": `
name: required string 1..64
level: integer
access:web, access:api, activated: boolean
uuid, user_uuid: uuid
template: string
${ACCOUNT}`,
  "PATCH /api/account/{id_or_serial}": `host: string${ACCOUNT}`,
  "POST /api/user-profile": `
username: required string 1..64
account_id: string
uuid: uuid
${PROFILE}`,
  "PATCH /api/user-profile/{id_or_serial}": PROFILE,
};

/** The same members of an object. */
function within(object: string, parameters: string): string {
  return parameters.replace(/(^|, )(?=\w)/gm, `$1${object}:`);
}

/** `a, b: string 1..64` → `{ a: "string 1..64", b: "string 1..64" }`. */
function parametersIn(text: string): Readonly<Record<string, string>> {
  const lines = text.split("\n").filter((line) => line !== "");
  return Object.fromEntries(
    lines.flatMap((line) => {
      const at = line.lastIndexOf(": ");
      return line
        .slice(0, at)
        .split(", ")
        .map((name) => [name, line.slice(at + 2)]);
    }),
  );
}

interface JsonSchema {
  readonly type: string | readonly [string, string];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly enum?: readonly string[];
  readonly format?: string;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
}

/** The parameters of the service's own description, in the same words. */
function parametersOf(schema: JsonSchema, prefix = ""): Readonly<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const [name, inner] of Object.entries(schema.properties ?? {})) {
    if (inner.properties !== undefined) Object.assign(found, parametersOf(inner, `${prefix}${name}:`));
    else
      found[prefix + name] =
        `${schema.required?.includes(name) === true ? "required " : ""}${wordsOf(inner)}`;
  }
  return found;
}

function wordsOf({ type, format, pattern, minLength, maxLength, enum: choices }: JsonSchema): string {
  const [kind, orNull] = [type].flat();
  const word = format ?? (pattern === undefined ? kind : "hex");
  const length =
    minLength === undefined && maxLength === undefined ? "" : ` ${minLength ?? 0}..${maxLength ?? ""}`;
  return `${choices?.join(" | ") ?? word + length}${orNull === undefined ? "" : " or null"}`;
}

test.each(Object.entries(CALLS))("%s takes what the specification says", async (call, specified) => {
  const { simulator } = await start();
  const body = (await (await fetch(`${simulator.baseUrl}/schema/`)).json()) as Record<string, unknown>;
  const links = body["links"] as readonly {
    readonly method: string;
    readonly href: string;
    readonly schema?: JsonSchema;
  }[];
  const schema = links.find(({ method, href }) => `${method} ${href}` === call)?.schema;
  expect(parametersOf(schema ?? { type: "object" })).toMatchObject(parametersIn(specified));
});
