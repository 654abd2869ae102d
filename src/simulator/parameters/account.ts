/** Parameters of the account calls (spec 4.3). */
import { boolean, email, type Given, integer, object, strings, text, uuid } from "./parameter";
import { permissionParameters } from "./permissions";

const contact = object({
  first_name: text(0, 255),
  last_name: text(0, 255),
  company: text(0, 255),
  address: object({ addr: strings(), city: text(), state: text(), zip: text(), country: text() }),
  phone: text(0, 24),
  email: email(128),
});

/** What create and update have in common. */
const settings = {
  password: text(3),
  primary_contact: contact,
  // Null takes it away: the record's billing contact is nullable (spec 2.2).
  billing_contact: contact.nullable(),
  limits: object({ vss_num: integer().nullable(), size_reserve_total: integer().nullable() }),
  provisioning: object({
    size_reserve_max: integer().nullable(),
    iops_reserve_max: integer().nullable(),
    tags_include: strings(),
    tags_exclude: strings(),
    tags_permit: strings().nullable(),
  }),
};

export const accountCreate = {
  name: text(1, 64).mandatory(),
  ...settings,
  permissions: permissionParameters,
  level: integer(),
  access: object({ web: boolean(), api: boolean() }),
  activated: boolean(),
  uuid: uuid(),
  user_uuid: uuid(),
  template: text(),
};

export const accountUpdate = { host: text(), ...settings };

export type AccountCreate = Given<typeof accountCreate>;
export type AccountUpdate = Given<typeof accountUpdate>;
export type ContactGiven = (typeof contact)["value"];
