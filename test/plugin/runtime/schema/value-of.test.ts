import {
  defineResource,
  type ConfigOf,
  type KnownConfigOf,
  type PlanOf,
  type Schema,
  type StateOf,
} from "../../../../src/plugin/runtime";
import type { ObjectValue, Unknown } from "../../../../src/values";

const schema = {
  attributes: {
    id: { type: "string", computed: true },
    name: { type: "string", required: true },
    count: { type: "number", optional: true },
    tags: { type: ["set", "string"], optional: true },
    secret_wo: { type: "string", optional: true, writeOnly: true },
    limits: {
      optional: true,
      nested: { nesting: "single", attributes: { most: { type: "number", optional: true } } },
    },
    rules: {
      optional: true,
      nested: { nesting: "list", attributes: { port: { type: "number", required: true } } },
    },
  },
} as const satisfies Schema;

/** Compiles only where the two types are the same. */
function same<A, B>(
  ..._proof: (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? [] : [never]
): void {}

interface State {
  readonly id: string | null;
  readonly name: string;
  readonly count: number | bigint | null;
  readonly tags: readonly (string | null)[] | null;
  readonly secret_wo: null;
  readonly limits: { readonly most: number | bigint | null } | null;
  readonly rules: readonly { readonly port: number | bigint }[] | null;
}

test("the compiler knows what a state holds, and what may be unknown or is write-only", () => {
  const state: StateOf<typeof schema> = {
    ...{ id: null, name: "a", count: 1n, tags: ["x", null], secret_wo: null },
    ...{ limits: { most: 1 }, rules: [{ port: 1 }] },
  };
  const back: State = state;
  expect(back).toBe(state);
  same<PlanOf<typeof schema>["name"], string | Unknown>();
  same<StateOf<typeof schema>["secret_wo"], null>();
  same<PlanOf<typeof schema>["secret_wo"], null>();
  same<ConfigOf<typeof schema>["secret_wo"], string | null | Unknown>();
  same<KnownConfigOf<typeof schema>["secret_wo"], string | null>();
});

test("a schema that the compiler doesn't know in its parts has objects of any shape", () => {
  same<StateOf<Schema>, ObjectValue>();
  same<ConfigOf<Schema>, ObjectValue>();
});

test("a resource that returns a wrong shape does not compile", () => {
  const right: StateOf<typeof schema> = {
    ...{ id: "1", name: "a", count: null, tags: null, secret_wo: null, limits: null, rules: null },
  };
  const { tags: _tags, ...withoutTags } = right;
  const rest = { read: () => ({}), delete: () => undefined };
  defineResource({ schema, ...rest, create: () => ({ state: right }) });
  // @ts-expect-error a number is no string
  defineResource({ schema, ...rest, create: () => ({ state: { ...right, name: 1 } }) });
  // @ts-expect-error an attribute is missing
  defineResource({ schema, ...rest, create: () => ({ state: withoutTags }) });
  // @ts-expect-error a write-only value is never in a state
  defineResource({ schema, ...rest, create: () => ({ state: { ...right, secret_wo: "x" } }) });
  // @ts-expect-error a required attribute is never null
  defineResource({ schema, ...rest, create: () => ({ state: { ...right, name: null } }) });
  // @ts-expect-error a plan may hold unknowns, a state may not
  defineResource({ schema, ...rest, create: ({ planned }) => ({ state: planned }) });
  expect(right).toBeDefined();
});
