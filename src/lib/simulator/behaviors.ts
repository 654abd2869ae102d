/** Behaviors of services that read a gap of the specification in another way. */
import { parseJson, toJson } from "./json";
import type { ServiceBehavior, Shown } from "./options";
import { isMembers } from "./record";
import type { Answer } from "./routes/route";
import type { Service } from "./service";

const REFERRING_MEMBERS = ["account_id", "admin_profile_id", "user_id"];
const SUMMARY = [
  "id",
  "uuid",
  "serial",
  "ctime",
  "mtime",
  "seq",
  "label",
  "name",
  "login",
  ...REFERRING_MEMBERS,
];

/** The members of records that may be null (spec 2.2, 2.3). */
const NULLABLE: Shown = {
  ...{ email: null, sms: null, xref: null, billing_contact: null },
  two_factor: { security_email: null },
  limits: { vss_num: null, size_reserve_total: null },
  provisioning: { size_reserve_max: null, iops_reserve_max: null, tags_permit: null },
};

/** The changes of one record of an answer. */
const REVISIONS: {
  readonly [B in ServiceBehavior]?: (record: Shown, service: Service, place: "element" | "single") => Shown;
} = {
  referencesBySerial: (record, service) => withReferences(record, service, "serial"),
  referencesByUuid: (record, service) => withReferences(record, service, "uuid"),
  summaryLists: (record, _service, place) =>
    place === "single"
      ? record
      : reviseMembers(record, (value, name) => (SUMMARY.includes(name) ? value : undefined)),
  numbersAsText: (record) => deeply(record, (value) => (typeof value === "number" ? String(value) : value)),
  booleansAsText: (record) => deeply(record, (value) => (typeof value === "boolean" ? String(value) : value)),
  booleansAsNumbers: (record) =>
    deeply(record, (value) => (typeof value === "boolean" ? Number(value) : value)),
  hidesNullable: (record) => withoutNullable(record, NULLABLE),
};

/** The answer about accounts, user profiles or tokens, as the named behaviors show it. */
export function behave(service: Service, path: string, answer: Answer): Answer {
  const revisions = (service.settings.behaviors ?? []).flatMap((name) => REVISIONS[name] ?? []);
  const isRecords = /^\/api\/(account|user-profile|authorization)\b/.test(path);
  if (revisions.length === 0 || !isRecords || answer.status >= 400 || answer.text === "") return answer;
  const body = parseJson(answer.text);
  const revised = (record: Shown, place: "element" | "single") =>
    revisions.reduce((revision, revise) => revise(revision, service, place), record);
  return {
    ...answer,
    text: toJson(
      Array.isArray(body)
        ? body.map((record: Shown) => revised(record, "element"))
        : revised(body as Shown, "single"),
    ),
  };
}

function withReferences(record: Shown, { store }: Service, form: "serial" | "uuid"): Shown {
  return reviseMembers(record, (value, name) => {
    if (!REFERRING_MEMBERS.includes(name)) return value;
    const referent = (name === "account_id" ? store.accounts : store.profiles).find(String(value));
    return referent?.[form] ?? value;
  });
}

/** Members for which `change` returns undefined are left out. */
function reviseMembers(record: Shown, change: (value: unknown, name: string) => unknown): Shown {
  const members = Object.entries(record).map(([name, value]) => [name, change(value, name)] as const);
  return Object.fromEntries(members.filter(([, value]) => value !== undefined));
}

function deeply<T>(value: T, change: (value: unknown) => unknown): T {
  if (Array.isArray(value)) return value.map((element: unknown) => deeply(element, change)) as T;
  return (isMembers(value) ? reviseMembers(value, (member) => deeply(member, change)) : change(value)) as T;
}

function withoutNullable(record: Shown, nullable: Shown): Shown {
  return reviseMembers(record, (value, name) => {
    const inner = Object.hasOwn(nullable, name) ? nullable[name] : undefined;
    if (inner === null) return undefined;
    return isMembers(value) && isMembers(inner) ? withoutNullable(value, inner) : value;
  });
}
