/** Between plan and write somebody else changes or deletes a record: at each request of an apply in turn. */
import { restless, unsettled } from "../../torture/invariants/peace";
import type { Rival } from "../../torture/model/rival";
import { NO_FLAGS } from "../../torture/model/history";
import { engineRunner } from "../../torture/runs/engine-runner";
import { APPLY, EVERYTHING, SERVICE } from "../../torture/runs/eventful-apply";
import { Observer } from "../../torture/runs/observer";
import { Tally } from "../../torture/runs/tally";
import { withEqualDelays } from "../../torture/world/equal-delays";
import { World } from "../../torture/world/world";

let endEqualDelays: () => void = () => undefined;
beforeAll(() => (endEqualDelays = withEqualDelays()));
afterAll(() => endEqualDelays());

/** The run is held to the invariants, and so is the peace that follows. @returns whether the run has such a request */
async function strikeAt(point: number, rival: Rival): Promise<boolean> {
  const world = await World.open({ service: SERVICE, caller: "system" });
  try {
    const observer = new Observer(world, "embedded", await engineRunner.open(world), new Tally());
    await observer.run({ ...APPLY, declaration: EVERYTHING.before });
    const strike = { kind: "rival", rival, after: true } as const;
    const struck = await observer.run({
      ...APPLY,
      declaration: EVERYTHING.after,
      faults: [{ at: point, times: 1, strike }],
    });
    if (struck.exchanges.length <= point) return false;
    const healed = await observer.run({ ...APPLY, declaration: EVERYTHING.after });
    expect({ point, unsettled: unsettled(healed, () => true) }).toEqual({ point, unsettled: [] });
    // What the rival made is foreign: the run has refused that object alone, and goes on refusing it.
    if (healed.outcome.codes.includes("TENANCY_UNMANAGED")) return true;
    const again = await observer.run({ ...APPLY, declaration: EVERYTHING.after, flags: NO_FLAGS });
    expect({ point, restless: restless(again) }).toEqual({ point, restless: [] });
    return true;
  } finally {
    await world.close();
  }
}

const rivals: readonly (readonly [string, Rival])[] = [
  [
    "the user that is to go is changed",
    { kind: "user changes", account: "acme", user: "jane", member: "xref", value: 1 },
  ],
  ["the user that is to go goes", { kind: "user goes", account: "acme", user: "jane" }],
  [
    "the account that is to be changed is changed",
    { kind: "account changes", account: "acme", company: "Rival", vssNum: 2 },
  ],
  ["the user of a token goes", { kind: "user goes", account: "acme", user: "csi" }],
  ["a token goes", { kind: "token goes", nth: 0 }],
  ["what is to be made is made", { kind: "user appears", account: "globex", user: "jane", maker: "nobody" }],
];

test.each(rivals)(
  "%s: nothing is written over, nothing that was changed is deleted, and the next apply settles it",
  async (_what, rival) => {
    let point = 0;
    while (await strikeAt(point, rival)) point++;
    expect(point).toBeGreaterThan(12);
  },
);
