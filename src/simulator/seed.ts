/** Fills a new service with the records that another one has shown: what no answer shows (passwords, tokens) is made anew. */
import { randomUUID } from "node:crypto";
import { merge } from "./merge";
import type { SeedRecords, Shown } from "./options";
import { type Account, newAccount, USAGE_COUNTERS } from "./records/account";
import { newVerificationToken } from "./records/identity";
import { digestPassword } from "./records/password";
import { newUserProfile, type UserProfile } from "./records/user-profile";
import type { Service } from "./service";
import type { Change } from "./store/store";

/** Ids, uuids and serials are those of the records. What is not shown, or not whole, is as in a new record. */
export function seed(service: Service, { accounts, profiles, usage = {} }: SeedRecords): void {
  const now = service.now();
  const changes: Change[] = [];
  for (const shown of accounts) {
    const account = accountOf(shown, usage[text(shown["id"])], now);
    changes.push({ table: "accounts", put: account });
  }
  for (const shown of profiles) changes.push({ table: "profiles", put: profileOf(shown, now) });
  service.store.commit(changes);
}

/** Members that are taken as they are shown. */
const OF_ANY = ["id", "uuid", "serial", "ctime", "mtime", "seq"] as const;
const OF_ACCOUNT = ["name", "disabled", "admin_profile_id", "usage_id", "limits", "provisioning"] as const;
const OF_PROFILE = [
  "account_id",
  "login",
  "activated",
  "allow_su",
  "level",
  "account_admin",
  "app_default",
  "access",
  "email",
  "email_notify",
  "email_verified",
  "sms_notify",
  "permissions",
  "xmd_refs",
  "xref",
] as const;

function accountOf(shown: Shown, counters: Shown | undefined, now: number): Account {
  const ids = { account: text(shown["id"]), profile: text(shown["admin_profile_id"]) };
  const blank = newAccount({ name: text(shown["name"]) }, ids, now);
  const own = USAGE_COUNTERS.filter((name) => !["profile_num", "user_num"].includes(name));
  return merge(blank, {
    ...picked(shown, [...OF_ANY, ...OF_ACCOUNT]),
    ...contactsOf(shown),
    usage: counters === undefined ? {} : picked(counters, own),
  });
}

function contactsOf(shown: Shown): object {
  const found = ["primary_contact", "billing_contact"].flatMap((name) => {
    const contact = shown[name];
    return isMembers(contact) ? [[name, verifiable(contact)]] : [];
  });
  return Object.fromEntries(found) as object;
}

/** A contact, with tokens of this service in place of those that nobody is shown. */
function verifiable({ phone, email, ...rest }: Shown): Shown {
  const address: Shown = isMembers(rest["address"]) ? rest["address"] : {};
  return {
    first_name: "",
    last_name: "",
    ...rest,
    address: { addr: [], country: "US", ...address },
    ...(isMembers(phone) && { phone: { valid: false, ...phone, token: newVerificationToken() } }),
    ...(isMembers(email) && { email: { valid: false, ...email, token: newVerificationToken() } }),
  };
}

function profileOf(shown: Shown, now: number): UserProfile {
  const whose = {
    id: text(shown["id"]),
    account_id: text(shown["account_id"]),
    login: text(shown["login"]),
    account_admin: shown["account_admin"] === true,
  };
  const { sms, two_factor: factor } = shown;
  return merge(newUserProfile(whose, {}, now), {
    ...picked(shown, [...OF_ANY, ...OF_PROFILE]),
    // Nobody knows the password, and yet there is one.
    ...(shown["password_set"] === true && { password: digestPassword(randomUUID()) }),
    ...(isMembers(sms) && { sms: { number: "", valid: false, ...sms, token: newVerificationToken() } }),
    ...(isMembers(factor) && { two_factor: picked(factor, ["auth", "yubikey_id", "security_email"]) }),
  });
}

function picked(shown: Shown, names: readonly string[]): Shown {
  return Object.fromEntries(
    names.flatMap((name) => (shown[name] === undefined ? [] : [[name, shown[name]]])),
  );
}

function isMembers(value: unknown): value is Shown {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}
