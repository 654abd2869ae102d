/** An account: the input of its calls, its stored record, and its form in answers (spec 2.2, 4.3). */
import * as parameters from "./generated/parameters";
import { toJsonObject } from "./json";
import type { Shown } from "./options";
import { emptyValues, type Given, type Stored, withoutHidden } from "./parameters";
import { type Needs, permissionParameters } from "./permissions";
import {
  commonMembers,
  type Events,
  type Identity,
  INTERNAL,
  isMembers,
  mergeChanges,
  newIdentity,
  newVerificationToken,
  revise,
  takenFrom,
  textOrEmpty,
} from "./record";

/** Name of the account that is there from the start. */
export const SYSTEM = "system";

export const accountCreate = {
  ...parameters.accountCreate,
  ...parameters.primaryProfileCreate,
  permissions: permissionParameters,
};

export const accountUpdate = parameters.accountUpdate;

export type AccountCreate = Given<typeof accountCreate>;
export type AccountUpdate = Given<typeof accountUpdate>;

/** The parameters that a record keeps as they are given. */
const {
  name: _name,
  uuid: _uuid,
  password: _password,
  host: _host,
  template: _template,
  primary_contact: _primary,
  billing_contact: _billing,
  ...plainParameters
} = { ...parameters.accountCreate, ...parameters.accountUpdate };
const shownParameters = withoutHidden(plainParameters);

/** The right that each change needs. A member that is not listed needs `realm.manage_accounts`. */
export const accountNeeds: Needs<AccountUpdate> = {
  host: "nothing",
  password: { right: "user.reset_user_password", own: true },
  primary_contact: { right: "account.modify_contact_settings" },
  billing_contact: { right: "account.modify_contact_settings" },
};

/** A contact block as it is stored. */
export interface Contact {
  readonly first_name: string;
  readonly last_name: string;
  readonly company?: string;
  readonly address: {
    readonly addr: readonly string[];
    readonly city?: string;
    readonly state?: string;
    readonly zip?: string;
    readonly country: string;
  };
  readonly phone?: { readonly number: string; readonly valid: boolean; readonly token: string };
  readonly email?: { readonly addr: string; readonly valid: boolean; readonly token: string };
}

const EMPTY_CONTACT: Contact = {
  first_name: "",
  last_name: "",
  address: { addr: [], country: "US" },
};

/** The contact with the given members changed. A new number or address is not verified yet. */
function updateContact(
  contact: Contact,
  body: (typeof parameters.accountUpdate.primary_contact)["value"],
): Contact {
  const { address, phone, email, ...names } = body;
  return {
    ...contact,
    ...names,
    address: { ...contact.address, ...address },
    ...(phone !== undefined &&
      phone !== contact.phone?.number && {
        phone: { number: phone, valid: false, token: newVerificationToken() },
      }),
    ...(email !== undefined &&
      email !== contact.email?.addr && {
        email: { addr: email, valid: false, token: newVerificationToken() },
      }),
  };
}

const NO_USAGE = {
  size_reserve: 0,
  iops_reserve: 0,
  vss_num: 0,
  vdisk_num: 0,
  clones_num: 0,
  repl_num: 0,
  snapshot_num: 0,
  target_num: 0,
  profile_num: 0,
  user_num: 0,
};

export type Usage = Readonly<typeof NO_USAGE>;

/** An account as it is stored. */
export interface Account extends Identity, Stored<typeof plainParameters> {
  readonly name: string;
  readonly disabled: boolean;
  readonly admin_profile_id: string;
  readonly usage_id: string;
  readonly template: string | null;
  readonly primary_contact: Contact;
  readonly billing_contact: Contact | null;
  /** Counters of the resources that this service does not have, set through the back door. */
  readonly usage: Partial<Usage>;
}

export function newAccount(
  body: AccountCreate,
  ids: { readonly account: string; readonly profile: string },
  now: number,
): Account {
  const blank: Account = {
    ...newIdentity(ids.account, "ACT07", now, body.uuid),
    ...emptyValues(plainParameters),
    name: body.name,
    disabled: false,
    admin_profile_id: ids.profile,
    usage_id: ids.account.replace("account:", "account_usage:"),
    template: body.template ?? null,
    primary_contact: updateContact(EMPTY_CONTACT, body.primary_contact ?? {}),
    billing_contact: body.billing_contact ? updateContact(EMPTY_CONTACT, body.billing_contact) : null,
    usage: {},
  };
  return mergeChanges(blank, takenFrom(body, plainParameters));
}

/** The parameters of an account's create that are about its primary user profile. */
export function primaryProfileSettings(body: AccountCreate) {
  const { permissions, password, user_uuid: uuid } = body;
  return { ...takenFrom(body, parameters.primaryProfileCreate, ["user_uuid"]), permissions, password, uuid };
}

/** The account after an update. The password is the primary user profile's, and is not handled here. */
export function updateAccount(account: Account, body: AccountUpdate, now: number): Account {
  const { primary_contact: primary, billing_contact: billing } = body;
  return revise(
    account,
    {
      ...takenFrom(body, plainParameters),
      ...(primary && { primary_contact: updateContact(account.primary_contact, primary) }),
      ...(billing === null && { billing_contact: null }),
      ...(billing && { billing_contact: updateContact(account.billing_contact ?? EMPTY_CONTACT, billing) }),
    },
    now,
  );
}

// An account that another service has shown.

export function accountFrom(shownRecord: Shown, counters: Shown, now: number): Account {
  const ids = {
    account: textOrEmpty(shownRecord["id"]),
    profile: textOrEmpty(shownRecord["admin_profile_id"]),
  };
  const blank = newAccount({ name: textOrEmpty(shownRecord["name"]) }, ids, now);
  return mergeChanges(blank, {
    ...takenFrom(shownRecord, blank, ["template", "primary_contact", "billing_contact", "usage"]),
    ...contactsOf(shownRecord),
    // Users are counted here, too.
    usage: takenFrom(counters, NO_USAGE, ["profile_num", "user_num"]),
  });
}

function contactsOf(shownRecord: Shown): object {
  const contacts = ["primary_contact", "billing_contact"].flatMap((name) => {
    const contact = shownRecord[name];
    return isMembers(contact) ? [[name, verifiable(contact)]] : [];
  });
  return Object.fromEntries(contacts) as object;
}

/** A contact, with tokens of this service in place of hidden ones. */
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

/**
 * The account as answers show it.
 * @returns JSON
 */
export function writeAccount(
  account: Account,
  contacts: "names" | "full",
  events: Events = "current",
): string {
  const show =
    contacts === "full"
      ? (contact: Contact) => contact
      : ({ first_name, last_name }: Contact) => ({ first_name, last_name });
  return toJsonObject(commonMembers(account, events), {
    idp: INTERNAL,
    usage_id: account.usage_id,
    disabled: account.disabled,
    name: account.name,
    admin_profile_id: account.admin_profile_id,
    primary_contact: show(account.primary_contact),
    billing_contact: account.billing_contact && show(account.billing_contact),
    ...takenFrom(account, shownParameters),
  });
}

/** Users are counted; of the resources that this service does not have there are none, unless a back door says so. */
export function usageView(account: Account, users: number): Usage {
  return { ...NO_USAGE, profile_num: users, user_num: users, ...account.usage };
}
