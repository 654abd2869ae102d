/** Describes the account: a tenant, isolated from all others (spec 2.2, 4.3). */
import {
  allComputed,
  type Attribute,
  type Attributes,
  describe,
  email,
  flag,
  group,
  integer,
  members,
  phone,
  secretPair,
  text,
  texts,
  textSet,
  uuid,
} from "../../schema";
import { access, recordMembers, shownMembers, unsetOf, volatileMembers } from "../common";
import { ends } from "../ends";
import { rightsAndScopes, undeclaredRights } from "../permissions";

// The contact block of an account (spec 2.2), as it is written.

/**
 * Contacts stay objects: both have the same members. Answers show `phone` and `email` as objects; the attribute has the written shape, a text.
 */
function contact(description: string): Attribute {
  return group(description, contactMembers).personal();
}

/** As {@link contact}, with the service's verification of the number and the address: for data sources. */
function shownContact(description: string): Attribute {
  return group(description, {
    ...contactMembers,
    phone_valid: flag("Whether the number is verified for SMS.").readFrom("phone.valid"),
    email_valid: flag("Whether the address is verified.").readFrom("email.valid"),
  }).personal();
}

const contactMembers: Attributes = {
  first_name: text("First name.", { length: [0, 255] }).defaultsTo('""'),
  last_name: text("Last name.", { length: [0, 255] }).defaultsTo('""'),
  company: text("Company.", { length: [0, 255] }),
  address: group("Postal address.", {
    addr: texts("Address lines."),
    city: text("City."),
    state: text("State or province."),
    zip: text("Postal code."),
    country: text("Country.").defaultsTo('"US"'),
  }),
  phone: phone("Telephone number.", { length: [0, 24] }).readFrom("phone.number"),
  email: email("E-mail address.", { length: [0, 128] })
    .readFrom("email.addr")
    .shownMasked(),
};

/** Attributes that resources and data sources of an account share. */
const accountMembers: Attributes = {
  name: text("Name of the account.", { length: [1, 64] })
    .required()
    .replaces(),
  uuid: uuid("UUID of the account; chosen by the client so that creating is idempotent.").replaces(),
  primary_contact: contact("Contact for questions about the account."),
  billing_contact: contact("Contact for bills.").orNull(),
  ...members(
    {
      name: "limits",
      description: "Quotas of the account. Once given they are whole: a member that is absent has no limit.",
      whole: true,
    },
    {
      vss_num: integer("Number of virtual storage services that the account may have; null for no limit.", {
        min: 0,
      }).orNull(),
      size_reserve_total: integer(
        "Maximum size of the account's storage, in the unit of your service (the API defines none); null for no limit.",
        { min: 0 },
      ).orNull(),
    },
  ),
  ...members(
    {
      name: "provisioning",
      description:
        "Bounds for the storage that the account provisions. Once set, they are complete: an absent member is null or empty.",
      whole: true,
    },
    {
      size_reserve_max: integer(
        "Maximum size reserve of a single virtual storage service, in the unit of your service; null for no limit.",
        { min: 0 },
      ).orNull(),
      iops_reserve_max: integer(
        "Maximum iops reserve of a single virtual storage service; null for no limit.",
        { min: 0 },
      ).orNull(),
      tags_include: textSet("Tags that provisioning must match.").defaultsTo("[]"),
      tags_exclude: textSet("Tags that provisioning must not match.").defaultsTo("[]"),
      tags_permit: textSet("Tags that users may ask for; null permits all.").orNull(),
    },
  ),
  ...recordMembers,
  usage_id: text("Id of the account's usage record.").computed(),
  disabled: flag("Whether the account is disabled.").computed(),
  admin_profile_id: text("Id of the account's primary user profile.").computed(),
};

/** Parameters of a create that belong to the primary user profile, and are changed by a PATCH of that profile. */
const primaryProfileMembers: Attributes = ofPrimary({
  user_uuid: uuid("UUID of the primary user profile.").replaces().readFrom("uuid"),
  ...rightsAndScopes(),
  level: integer(
    "Privilege level of the primary user profile, a whole number: users who may act as others may act as users of a lower level.",
  ),
  ...access,
  ...ends(),
  activated: flag(
    "Whether the primary user profile is activated when the account is created; a later change is recorded with a warning.",
  )
    .onCreate()
    .notShown(),
});

/** The account's own PATCH takes it, although it is the primary user profile's (spec 4.3). */
const password: Attributes = secretPair("password", "Password of the primary user profile.", {
  length: [3, Infinity],
});

function ofPrimary(attributes: Attributes): Attributes {
  return Object.fromEntries(
    Object.entries(attributes).map(([name, attribute]) => [name, attribute.ofPrimary()]),
  );
}

export const account = describe(
  "account",
  "A tenant of the storage service: its storage, users, audit history and statistics are its own.\n\n" +
    "A changed `name` replaces the account, and replacing or deleting an account destroys the tenant's storage; " +
    "`deletion_protection` guards against both.",
  {
    ...accountMembers,
    ...primaryProfileMembers,
    ...password,
    template: text("Template that the account was created from; a change is recorded with a warning.")
      .onCreate()
      .notShown(),
    host: text("Host name of the server that the request comes from, used for URLs. Sent with updates.")
      .onUpdate()
      .accompanying("*"),
    deletion_protection: flag("Refuses to delete or replace the account while it is true.").clientOnly(true),
    allow_nonempty_delete: flag(
      "Permits deleting the account even if it holds storage or unmanaged users.",
    ).clientOnly(false),
    ...undeclaredRights(),
    unset: unsetOf(accountMembers),
  },
);

/** Attributes of the data sources. */
export const shownAccount: Attributes = allComputed({
  ...accountMembers,
  primary_contact: shownContact("Contact for questions about the account."),
  billing_contact: shownContact("Contact for bills."),
  ...shownMembers,
  ...volatileMembers,
});

/** Counters of the account usage record (spec 2.2). */
export const USAGE_COUNTERS = {
  size_reserve: "Storage that is reserved.",
  iops_reserve: "IOPS that are reserved.",
  vss_num: "Number of virtual storage services.",
  vdisk_num: "Number of virtual disks.",
  clones_num: "Number of clones.",
  repl_num: "Number of replicas.",
  snapshot_num: "Number of snapshots.",
  target_num: "Number of targets.",
  profile_num: "Number of profiles.",
  user_num: "Number of users.",
} as const;
