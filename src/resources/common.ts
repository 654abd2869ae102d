/** Describes what the schemas of accounts and user profiles share: members of their records (spec 2.1), and the arguments `unset` and `volatile`. */
import {
  type Attribute,
  type Attributes,
  flag,
  group,
  groups,
  integer,
  integers,
  members,
  oneOf,
  text,
  textSet,
} from "../schema";
import { isList, type ObjectValue } from "../lib/values";

/** Members of every record that something refers to. */
export const recordMembers: Attributes = {
  id: text("Id, of the form `<type>:<n>:<n>`.").computed(),
  serial: text("Serial number; the API takes it instead of the id.").computed(),
  ctime: integer("Time of creation, in milliseconds since 1970.").computed(),
};

/** Members of every record that only data sources show. */
export const shownMembers: Attributes = {
  evt_qry: text("Event query expression, `serial=<serial>`."),
  // The specification shows these three only as null.
  status: text("Status of the record, as the service shows it.").internal(),
  rec_status: text("Status of the record, as the service shows it.").internal(),
  label: text("Label of the record.").internal(),
  ...members(
    { name: "idp", description: "Identity provider." },
    {
      id: text("Id of the identity provider.").internal(),
      label: text("Label of the identity provider.").internal(),
      type: oneOf("Kind of the identity provider: `internal` or `openstack`.", ["internal", "openstack"]),
    },
  ),
};

/** Members that change at every reading: data sources show them if `volatile` asks for them. */
export const volatileMembers: Attributes = {
  mtime: integer("Time of the last modification, in milliseconds since 1970."),
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
  }).internal(),
};

/** The argument of data sources that asks for values that differ at every read. */
export function volatile(names: readonly string[]): Attribute {
  return flag(
    `Shows ${names.map((name) => `\`${name}\``).join(", ")} too, which change at every look; without it they are null.`,
  ).defaultsTo("false");
}

/** The kinds of access that a user has. */
export const access: Attributes = members(
  { name: "access", description: "Kinds of access." },
  {
    web: flag("Web access is permitted.").defaultsTo("true"),
    api: flag("API access is permitted.").defaultsTo("true for user profiles"),
  },
);

/**
 * The `unset` attribute: names of nullable attributes to clear.
 * @param writeOnlyNames write-only values that can be cleared; `"*"` never includes them
 */
export function unsetOf(attributes: Attributes, writeOnlyNames: readonly string[] = []): Attribute {
  const names = [...nullableNames(attributes), ...writeOnlyNames];
  return textSet(
    'Names of attributes whose values are to be taken away, or `["*"]` for all nullable ones that are not declared (never write-only ' +
      "ones). A name that is both set and unset is an error. Lists are emptied by declaring `[]`. The names are " +
      `${names.map((name) => `\`${name}\``).join(", ")}.`,
    { oneOf: [...names, EVERY_NULLABLE], alone: EVERY_NULLABLE },
  ).clientOnly();
}

/** In `unset`, the name of all nullable attributes that are not declared. */
export const EVERY_NULLABLE = "*";

export function nullableNames(attributes: Attributes): readonly string[] {
  return Object.keys(attributes).filter((name) => attributes[name]?.nullable);
}

/** The attributes that a configuration takes away. */
export function unsetBy(attributes: Attributes, config: ObjectValue): ReadonlySet<string> {
  const unset = config["unset"];
  const names = isList(unset) ? unset.filter((name) => typeof name === "string") : [];
  return new Set(names.flatMap((name) => (name === EVERY_NULLABLE ? nullableNames(attributes) : [name])));
}
