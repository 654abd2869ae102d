/** Two runs of apply that overlap at every point: one is held at each of its requests in turn, while the other one runs. */
import { restless, unsettled } from "../../torture/invariants/peace";
import { NO_FLAGS } from "../../torture/model/history";
import { engineRunner } from "../../torture/runs/engine-runner";
import { APPLY, EVERYTHING, RECORDS, SERVICE, type Change } from "../../torture/runs/eventful-apply";
import { Observer, type RunSpec } from "../../torture/runs/observer";
import { Tally } from "../../torture/runs/tally";
import { withEqualDelays } from "../../torture/world/equal-delays";
import { World } from "../../torture/world/world";

let endEqualDelays: () => void = () => undefined;
beforeAll(() => (endEqualDelays = withEqualDelays()));
afterAll(() => endEqualDelays());

interface Overlap {
  readonly change: Change;
  /** Which declaration the other run is about. */
  readonly other: keyof Change;
  readonly verb: RunSpec["verb"];
  /** Whether the other run keeps a state of its own, as on another machine. */
  readonly isOwnState: boolean;
}

/** Both runs are held to the invariants, and so is the peace that follows. @returns whether the first run has such a request */
async function overlapAt(point: number, { change, other, verb, isOwnState }: Overlap): Promise<boolean> {
  const { before, after } = change;
  const world = await World.open({ service: SERVICE, caller: "system" });
  try {
    const observer = new Observer(world, "embedded", await engineRunner.open(world), new Tally());
    const begun = await observer.run({ ...APPLY, declaration: before });
    expect(begun.outcome.end).toBe("ok");
    const state = world.stateFile;

    let reached: () => void = () => undefined;
    const atPoint = new Promise<void>((resolve) => (reached = resolve));
    let goOn: () => void = () => undefined;
    const released = new Promise<void>((resolve) => (goOn = resolve));
    const first = observer.run({
      ...APPLY,
      declaration: after,
      hold: (index) => {
        if (index !== point) return undefined;
        reached();
        return released;
      },
    });
    if ((await Promise.race([first, atPoint])) !== undefined) return false;

    if (isOwnState) world.copyState();
    // Who waits for the state waits for the other run to end.
    const second = observer.run({
      ...APPLY,
      verb,
      declaration: change[other],
      onProgress: (message) => message.startsWith("waiting") && goOn(),
    });
    await Promise.race([second, released]);
    world.stateFile = state;
    goOn();
    await Promise.all([first, second]);

    // The first run's state does not know the objects that the other run has created.
    const recovering = { ...NO_FLAGS, recover: true };
    if (isOwnState) await observer.run({ ...APPLY, declaration: after, flags: recovering });
    const healed = await observer.run({ ...APPLY, declaration: after });
    expect({ point, unsettled: unsettled(healed, () => true) }).toEqual({ point, unsettled: [] });
    const again = await observer.run({ ...APPLY, declaration: after, flags: NO_FLAGS });
    expect({ point, restless: restless(again) }).toEqual({ point, restless: [] });
    return true;
  } finally {
    await world.close();
  }
}

describe.each([
  ["with the same state", { change: EVERYTHING, isOwnState: false }],
  ["with states of their own", { change: RECORDS, isOwnState: true }],
])("%s", (_title, how) => {
  test.each([
    ["the same apply", { other: "after", verb: "apply" }],
    ["an apply of what was declared before", { other: "before", verb: "apply" }],
    ["a destroy", { other: "after", verb: "destroy" }],
  ] as const)(
    "%s in the middle of an apply duplicates no record, loses no token and deletes nothing of others",
    async (_what, which) => {
      let point = 0;
      while (await overlapAt(point, { ...how, ...which })) point++;
      expect(point).toBeGreaterThan(10);
    },
  );
});
