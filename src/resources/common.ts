/** Members that accounts and user profiles have in common (spec 2.1). */
import {
  flag,
  group,
  groups,
  integer,
  integers,
  oneOf,
  text,
  type Attribute,
  type Attributes,
} from "../schema";

/** Members of every record that do not change by themselves. */
export const recordMembers: Attributes = {
  id: text("Id, of the form `<type>:<n>:<n>`.").computed(),
  serial: text("Serial number; the API takes it in place of the id.").computed(),
  evt_qry: text("Event query expression, `serial=<serial>`.").computed(),
  ctime: integer("Time of creation, in milliseconds since 1970.").computed(),
  status: text("Status of the record, as the service shows it.").computed(),
  rec_status: text("Status of the record, as the service shows it.").computed(),
  label: text("Label of the record.").computed(),
};

export const mtime = integer("Time of the last modification, in milliseconds since 1970.");

/** Members that change by themselves, so only data sources show them. */
export const volatileMembers: Attributes = {
  mtime,
  seq: integer("Sequence number of the record."),
  ec: group("Event counters.", {
    status: text("`retrieving` or `current`."),
    seq: integer("Sequence number."),
    table: group("Counts of events by level and window.", {
      time: integer("Time of the counts, in milliseconds since 1970."),
      hdrs: integers("Lengths of the windows, in milliseconds."),
      rows: groups("One row a level.", {
        v: text("Level: `dbg`, `info`, `warn` or `err`."),
        d: integers("Counts, one per window."),
      }),
    }),
  }),
};

/** Identity provider of the record. */
export function identityProvider(): Attribute {
  return group("Identity provider.", {
    id: text("Id of the identity provider.").computed(),
    label: text("Label of the identity provider.").computed(),
    type: oneOf("`internal` or `openstack`.", ["internal", "openstack"]).computed(),
  }).computed();
}

/** Which kinds of access a user has. */
export function access(): Attribute {
  return group("Kinds of access.", {
    web: flag("Web access is permitted.").defaultsTo("true"),
    api: flag("API access is permitted.").defaultsTo("true for user profiles"),
  });
}
