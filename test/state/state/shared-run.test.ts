import { SharedRun } from "../../../src/state/shared-run";

/** A task whose runs are ended by hand. */
function manual() {
  const ends: { resolve: () => void; reject: (error: Error) => void }[] = [];
  const shared = new SharedRun(() => new Promise((resolve, reject) => ends.push({ resolve, reject })));
  return { shared, ends };
}

const turns = () => new Promise((resolve) => setImmediate(resolve));

test("calls at the same time share one run", async () => {
  const { shared, ends } = manual();
  const calls = [shared.run(), shared.run()];
  await turns();
  expect(ends).toHaveLength(1);
  ends[0]?.resolve();
  await Promise.all(calls);
});

test("calls during a run share one further run, which begins when the first has ended", async () => {
  const { shared, ends } = manual();
  const first = shared.run();
  await turns();
  const others = [shared.run(), shared.run()];
  await turns();
  expect(ends).toHaveLength(1);
  ends[0]?.resolve();
  await first;
  await turns();
  expect(ends).toHaveLength(2);
  ends[1]?.resolve();
  await Promise.all(others);
});

test("a failure is told to those who shared the run, and to nobody after them", async () => {
  const { shared, ends } = manual();
  const failed = [shared.run(), shared.run()].map((call) => expect(call).rejects.toThrow("disk full"));
  await turns();
  const later = shared.run();
  ends[0]?.reject(new Error("disk full"));
  await Promise.all(failed);
  await turns();
  ends[1]?.resolve();
  await later;
});

test("idle waits for all that was asked for, well or not", async () => {
  const { shared, ends } = manual();
  await shared.idle();
  const call = expect(shared.run()).rejects.toThrow("disk full");
  let idle = false;
  const waiting = shared.idle().then(() => (idle = true));
  await turns();
  expect(idle).toBe(false);
  ends[0]?.reject(new Error("disk full"));
  await Promise.all([call, waiting]);
  expect(idle).toBe(true);
});
