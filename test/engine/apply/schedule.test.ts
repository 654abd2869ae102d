import { schedule, type Task } from "../../../src/engine/apply/schedule";

const pause = () => new Promise((resolve) => setImmediate(resolve));

function trace() {
  const log: string[] = [];
  let running = 0;
  let most = 0;
  const task = (id: string, after: string[] = [], ok = true): Task => ({
    id,
    after,
    run: async () => {
      most = Math.max(most, ++running);
      log.push(`begin ${id}`);
      await pause();
      log.push(`end ${id}`);
      running--;
      return ok;
    },
    skip: (because) => log.push(`skip ${id}: ${because}`),
  });
  return { log, task, most: () => most };
}

/** What a task does that is stopped, with all others, while it runs. */
const stopping = (stop: AbortController, ok: boolean) => async () => {
  stop.abort();
  return ok;
};

test("a task begins only after what it depends on has ended", async () => {
  const { log, task } = trace();
  await schedule([task("user", ["account"]), task("account"), task("token", ["user"])], 10);
  expect(log).toEqual(["begin account", "end account", "begin user", "end user", "begin token", "end token"]);
});

test("never more tasks run at once than allowed, and all of them run", async () => {
  const { log, task, most } = trace();
  await schedule(
    Array.from({ length: 50 }, (_unused, index) => task(String(index))),
    7,
  );
  expect(most()).toBe(7);
  expect(log).toHaveLength(100);
});

test("a failure skips what depends on it, and independent branches finish", async () => {
  const { log, task } = trace();
  await schedule([task("a", [], false), task("b", ["a"]), task("c", ["b"]), task("d"), task("e", ["d"])], 1);
  expect(log).toEqual([
    "begin a",
    "end a",
    "begin d",
    "end d",
    "skip b: failed",
    "begin e",
    "end e",
    "skip c: failed",
  ]);
});

test("after a stop, what runs is left to end and nothing begins", async () => {
  const { log, task } = trace();
  const stop = new AbortController();
  const first = { ...task("first"), run: stopping(stop, true) };
  await schedule([first, task("second")], 1, stop.signal);
  expect(log).toEqual(["skip second: stopped"]);
});

test("what depends on something that a stop prevented is told to be stopped, not failed", async () => {
  const { log, task } = trace();
  const stopped = AbortSignal.abort();
  await schedule([task("a"), task("b", ["a"]), task("c", ["b"])], 1, stopped);
  expect(log).toEqual(["skip a: stopped", "skip b: stopped", "skip c: stopped"]);
});

test("what waits for several tasks begins once, after the last of them, and nothing that waits is forgotten", async () => {
  const { log, task } = trace();
  await schedule([task("a"), task("b", ["a"]), task("c", ["a"]), task("d", ["b", "c"])], 10);
  expect(log).toEqual([
    ...["begin a", "end a"],
    ...["begin b", "begin c", "end b", "end c"],
    ...["begin d", "end d"],
  ]);
});

test("nothing waits for itself, nor for what is no task", async () => {
  const { log, task } = trace();
  await schedule([task("a", ["a", "elsewhere"])], 1);
  expect(log).toEqual(["begin a", "end a"]);
});

test("what waits for a failure and for something that was stopped is told of the failure", async () => {
  const { log, task } = trace();
  const stop = new AbortController();
  const failing = { ...task("failing"), run: stopping(stop, false) };
  await schedule([failing, task("other"), task("both", ["failing", "other"])], 1, stop.signal);
  expect(log).toEqual(["skip other: stopped", "skip both: failed"]);
});
