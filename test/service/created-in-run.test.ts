/** Covers src/service/created-in-run.ts. */
import { CreatedInRun } from "../../src/service/created-in-run";

const unread = () => Promise.reject(new Error("the service was asked"));

test("the name of an account that the run created is known by its id and by its serial, without a request", async () => {
  const made = new CreatedInRun();
  made.noteAccount({ id: "account:1:5", serial: "ACC0005", name: "acme" });
  for (const key of ["account:1:5", "ACC0005"]) expect(await made.accountName(key, unread)).toBe("acme");
});

test("the name of another account is read once for all who ask, and again after a reading that failed", async () => {
  const made = new CreatedInRun();
  await expect(made.accountName("account:1:5", unread)).rejects.toThrow("the service was asked");
  let readings = 0;
  const read = () => Promise.resolve(`acme ${++readings}`);
  const names = await Promise.all([1, 2, 3].map(() => made.accountName("account:1:5", read)));
  expect(names).toEqual(["acme 1", "acme 1", "acme 1"]);
});
