/** Covers src/service/created-in-run.ts. */
import { CreatedInRun } from "../../src/service/created-in-run";

const unread = () => Promise.reject(new Error("the service was asked"));

test("the name of an account that the run created is known by its id without a request, and by its serial only from one", async () => {
  const made = new CreatedInRun();
  made.noteAccount({ id: "account:1:5", serial: "ACC0005", name: "acme" });
  expect(await made.accountName("account:1:5", unread)).toBe("acme");
  await expect(made.accountName("ACC0005", unread)).rejects.toThrow("the service was asked");
});

test("the name of another account is read once for all who ask, and again after a reading that failed", async () => {
  const made = new CreatedInRun();
  await expect(made.accountName("account:1:5", unread)).rejects.toThrow("the service was asked");
  let readings = 0;
  const read = () => Promise.resolve(`acme ${++readings}`);
  const names = await Promise.all([1, 2, 3].map(() => made.accountName("account:1:5", read)));
  expect(names).toEqual(["acme 1", "acme 1", "acme 1"]);
});
