import type { AccountRecord } from "../../../src/api";
import {
  cutOff,
  empty,
  html,
  json,
  reset,
  startService,
  type Scripted,
} from "../../support/scripted-service";
import { clientOf, failure } from "../../support/test-client";

const CREATE = "POST /api/account";
const ACME: AccountRecord = { id: "account:1:1", name: "acme" };
const body = { name: "acme", uuid: "a4d7f0c2-0000-5000-8000-000000000000" };

/** Creates "acme" against these answers; `found` is what looking finds, in turn. */
async function creating(
  answers: readonly Scripted[],
  found: readonly (AccountRecord | undefined | Error)[] = [],
) {
  const service = await startService({ [CREATE]: answers });
  let looks = 0;
  const lookUp = async () => {
    const result = found[looks++];
    if (result instanceof Error) throw result;
    return result;
  };
  const outcome = clientOf(service).accounts.create(body, { lookUp });
  const settled = await outcome.catch((error: unknown) => error);
  return { outcome: settled, looks, posts: service.requests(CREATE).length };
}

test("a create that is answered needs no look-up", async () => {
  expect(await creating([json(201, ACME)])).toEqual({
    outcome: ACME,
    looks: 0,
    posts: 1,
  });
});

test.each<[string, Scripted]>([
  ["a reset", reset()],
  ["a gateway's time-out", html(504, "<h1>time-out</h1>")],
  ["a failure", empty(500)],
  ["half an answer", cutOff(201, '{"id":')],
  ["an empty answer", empty(201)],
])("after %s the object is found, and not created again", async (_case, answer) => {
  expect(await creating([answer], [ACME])).toEqual({
    outcome: ACME,
    looks: 1,
    posts: 1,
  });
});

test("an object that is certainly absent is created by another request", async () => {
  const { outcome, looks, posts } = await creating(
    [reset(), empty(503), json(201, ACME)],
    [undefined, undefined],
  );
  expect(outcome).toEqual(ACME);
  expect([looks, posts]).toEqual([2, 3]);
});

test("a duplicate that follows a lost answer is our own object, if the look-up says so", async () => {
  const { outcome } = await creating([reset(), json(409, { message: "name taken" })], [undefined, ACME]);
  expect(outcome).toEqual(ACME);
});

test("a duplicate that is not ours is still an error", async () => {
  expect((await creating([json(409, {})])).outcome).toMatchObject({ code: "TENANCY_API_CONFLICT" });
  expect((await creating([reset(), json(409, {})], [undefined, undefined])).outcome).toMatchObject({
    code: "TENANCY_API_CONFLICT",
  });
});

test("where the look-up fails too, the error says that nobody knows whether the object was created", async () => {
  const { outcome, posts } = await creating([reset(), json(201, ACME)], [new Error("list refused")]);
  expect(outcome).toMatchObject({
    code: "TENANCY_ANSWER_LOST",
    message: 'POST /api/account: it is not known whether account "acme" was created',
  });
  expect(posts).toBe(1);
});

test("a success without a record is not sent again, even where the look-up finds nothing yet", async () => {
  const { outcome, posts } = await creating([empty(201), json(201, ACME)], [undefined]);
  expect(outcome).toMatchObject({ code: "TENANCY_ANSWER_LOST" });
  expect(posts).toBe(1);
});

test("a service that stays busy is given up on with its own error", async () => {
  const { outcome, posts } = await creating([empty(503)]);
  expect(outcome).toMatchObject({ code: "TENANCY_API_BUSY" });
  expect(posts).toBeGreaterThan(15);
});

test("where no request was sent, no look-up is needed", async () => {
  const service = await startService({});
  const client = clientOf(service, { credentials: { kind: "token", token: "1/x" }, retryTimeoutMs: 1 });
  await service.close();
  const lookUp = () => Promise.reject(new Error("must not look"));
  expect(await failure(client.accounts.create(body, { lookUp }))).toMatchObject({
    code: "TENANCY_API_UNREACHABLE",
  });
});
