/** The schema in Terraform's words: covers src/schema/terraform.ts and src/schema/facts.ts. */
import {
  allComputed,
  describe as described,
  flag,
  group,
  groups,
  integer,
  secretPair,
  text,
  textMap,
  textSet,
  terraformSchema,
} from "../../src/schema";

function attributesOf(attributes: Parameters<typeof described>[2]) {
  return terraformSchema(described("thing", "A thing.", attributes)).block.attributes;
}

describe("the schema that Terraform sees", () => {
  test("says who gives a value: the user, the service, or the user where declared and else the service", () => {
    const attributes = attributesOf({
      name: text("Name.").required(),
      size: integer("Size."),
      id: text("Id.").computed(),
      host: text("Host.").notShown(),
    });
    expect(attributes["name"]).toMatchObject({ type: "string", required: true });
    expect(attributes["size"]).toMatchObject({ type: "number", optional: true, computed: true });
    expect(attributes["id"]).toMatchObject({ type: "string", computed: true });
    expect(attributes["id"]).not.toHaveProperty("optional");
    expect(attributes["host"]).toMatchObject({ optional: true });
    expect(attributes["host"]).not.toHaveProperty("computed");
  });

  test("nests objects as nested attributes all the way down, never as object types", () => {
    const attributes = attributesOf({
      outer: group("Outer.", {
        inner: group("Inner.", { rows: groups("Rows.", { flag: flag("Flag.") }) }),
      }),
    });
    expect(attributes["outer"]).toMatchObject({
      nested_type: {
        nesting_mode: "single",
        attributes: {
          inner: {
            nested_type: {
              nesting_mode: "single",
              attributes: {
                rows: { nested_type: { nesting_mode: "list", attributes: { flag: { type: "bool" } } } },
              },
            },
          },
        },
      },
    });
    expect(JSON.stringify(attributes)).not.toContain('"object"');
  });

  test("keeps a write-only secret out of state, and shows its version", () => {
    const attributes = attributesOf(secretPair("otp", "Code.", {}, "two_factor"));
    expect(attributes).toMatchObject({
      two_factor_otp_wo: { type: "string", optional: true, sensitive: true, write_only: true },
      two_factor_otp_wo_version: { type: "number", optional: true },
    });
  });

  test("describes limits, and what a change of the value does, for editors, which show the schema alone", () => {
    const attributes = attributesOf({
      name: text("Name.", { length: [1, 64], without: "@" })
        .required()
        .replaces(),
      size: integer("Size.", { min: 1 }).defaultsTo("10"),
    });
    expect(attributes["name"]?.description).toBe(
      "Name. 1 to 64 characters. Without `@`. A change replaces it.",
    );
    expect(attributes["size"]?.description).toBe("Size. At least 1. Default: 10.");
  });

  test("tells what the service takes when nothing is given, and what is deprecated", () => {
    const old = Object.assign(text("Old.").defaultsTo('"x"'), { deprecated: "use `new`." });
    expect(attributesOf({ old })["old"]).toMatchObject({
      description: 'Old. Default: "x". Deprecated: use `new`.',
      deprecated: true,
    });
  });

  test("makes everything in a data source computed, at every depth", () => {
    const attributes = attributesOf(
      allComputed({ limits: group("Limits.", { vss_num: integer("Number.") }) }),
    );
    expect(attributes["limits"]).not.toHaveProperty("optional");
    expect(attributes["limits"]?.nested_type?.attributes["vss_num"]).not.toHaveProperty("optional");
  });

  test("writes collections as types", () => {
    const attributes = attributesOf({ tags: textSet("Tags."), keepers: textMap("Keepers.") });
    expect(attributes["tags"]).toMatchObject({ type: ["set", "string"] });
    expect(attributes["keepers"]).toMatchObject({ type: ["map", "string"] });
  });
});
