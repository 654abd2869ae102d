/** Whatever is live, its exported code plans nothing but imports, and is the same at each run; covers src/export and src/engine/live.ts. */
import * as fc from "fast-check";
import { type Exported, exportLive } from "../../src/engine";
import { roundTrip } from "../support/exported-code";
import {
  AWKWARD_NAMES,
  CANARY,
  environmentOf,
  type LiveLists,
  listsNamed,
  serve,
  services,
} from "../support/live-services";
import { projects } from "../support/projects";
import { rounds } from "../support/rounds";

const start = projects();

test("exported code is formatted, and plans nothing but imports", async () => {
  const project = await start();
  await fc.assert(
    fc.asyncProperty(services, (service) => roundTrip(project, service).then(() => undefined)),
    { numRuns: rounds(4), endOnFailure: true },
  );
});

test("names that files, programs or templates could stumble over survive", async () => {
  const lists = listsNamed(AWKWARD_NAMES);
  const files = await roundTrip(await start(), lists);
  // An index, the account of the run's own user, and all but the two whose names are one in another encoding.
  expect(files.size).toBe(1 + 1 + AWKWARD_NAMES.length - 2);
  expect(files.get("index.ts")).toContain("names differ only in how their characters are encoded");
});

test("the same records give the same bytes, in whatever order they are listed", async () => {
  const language = fc.constantFrom("typescript" as const, "hcl" as const);
  await fc.assert(
    fc.asyncProperty(services, language, async (lists, language) => {
      const exported = async (lists: LiveLists): Promise<Exported> => {
        const environment = environmentOf(await serve(lists));
        // The notes name the address, which is another one each time.
        return { ...(await exportLive(undefined, { environment, language })), notes: [] };
      };
      const first = await exported(lists);
      expect(await exported(lists)).toEqual(first);
      expect(await exported(reversed(lists))).toEqual(first);
      expect([...first.files.values()].join("")).not.toContain(CANARY);

      const names = [...first.files.keys()].map((name) => name.toLowerCase());
      expect(new Set(names).size).toBe(names.length);
    }),
    { numRuns: rounds(4), endOnFailure: true },
  );
});

/** The same records, and the same sets in them, in another order. */
function reversed({ accounts, profiles }: LiveLists): LiveLists {
  return {
    accounts: [...accounts].reverse().map(withReversedSets),
    profiles: [...profiles].reverse().map(withReversedSets),
  };
}

const SETS = ["tags_include", "tags_exclude", "tags_permit", "xmd_refs", "vsses", "nodes"];

function withReversedSets(record: LiveLists["accounts"][number]): LiveLists["accounts"][number] {
  const turned = (name: string, value: unknown): unknown => {
    if (Array.isArray(value)) return SETS.includes(name) ? [...(value as unknown[])].reverse() : value;
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(
      Object.entries(value)
        .reverse()
        .map(([inner, one]) => [inner, turned(inner, one)]),
    );
  };
  return turned("", record) as LiveLists["accounts"][number];
}
