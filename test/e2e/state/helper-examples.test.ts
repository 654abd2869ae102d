/** The credential helpers among the examples: covers examples/credential-helpers. */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { partName, openState, type TenancyState } from "../../../src/state";
import { CANARY, csiToken, ORIGIN, OWNER } from "../../state/samples";
import { startFakeVault, type FakeVault } from "../../support/fake-vault";
import { temporaryFolder } from "../../support/temp-folder";

const examples = join(__dirname, "../../../examples/credential-helpers");
const folder = temporaryFolder();
let vault: FakeVault;

beforeEach(async () => {
  vault = await startFakeVault();
});
afterEach(() => vault.stop());

const inVault = (token = "good"): TenancyState =>
  openState({
    helper: {
      command: `'${process.execPath}' '${join(examples, "vault.mjs")}' --mount kv --prefix platform/tenancy`,
      environment: { VAULT_ADDR: vault.address, VAULT_TOKEN: token, VAULT_NAMESPACE: "team" },
    },
  });

const inCluster = (): TenancyState =>
  openState({
    helper: {
      command: `'${process.execPath}' '${join(examples, "kubernetes.mjs")}' --namespace tenants --kubectl '${join(
        __dirname,
        "../../support/fake-kubectl.mjs",
      )}'`,
      environment: { FAKE_CLUSTER: folder(), PATH: process.env.PATH },
    },
  });

describe.each([
  ["vault", () => inVault()],
  ["kubernetes", () => inCluster()],
])("the %s helper", (_name, open) => {
  async function keep(state: TenancyState, name: string): Promise<void> {
    await state.lock();
    (await state.part(partName(ORIGIN, OWNER, "tenancy"))).tokens.put({ ...csiToken, name });
    await state.save();
    await state.unlock();
  }

  test("keeps what one run states for the next one, and adds to it", async () => {
    expect((await open().part(partName(ORIGIN, OWNER, "tenancy"))).exists).toBe(false);
    await keep(open(), "first");
    await keep(open(), "second");
    const part = await open().part(partName(ORIGIN, OWNER, "tenancy"));
    expect(part.exists).toBe(true);
    expect(part.tokens.list().map(({ name }) => name)).toEqual(["first", "second"]);
    expect((await open().part(partName(ORIGIN, "acme-infra", "tenancy"))).exists).toBe(false);
  });

  test("lets one run in at a time, and the next one when it is done", async () => {
    const [one, other] = [open(), open()];
    await one.lock();
    await one.part(partName(ORIGIN, OWNER, "tenancy"));
    await other.lock({ timeout: 0 });
    await expect(other.part(partName(ORIGIN, OWNER, "tenancy"))).rejects.toMatchObject({
      code: "TENANCY_STATE_LOCKED",
      message: expect.stringContaining(`process ${process.pid} on `) as string,
    });
    await one.unlock();
    await other.part(partName(ORIGIN, OWNER, "tenancy"));
    await other.unlock();
  });

  test("erases what is no longer wanted", async () => {
    await keep(open(), "first");
    const state = open();
    await state.lock();
    await state.erase(partName(ORIGIN, OWNER, "tenancy"));
    await state.save();
    await state.unlock();
    expect((await open().part(partName(ORIGIN, OWNER, "tenancy"))).exists).toBe(false);
  });
});

test("Vault is asked below the prefix, in the namespace", async () => {
  await inVault().part(partName(ORIGIN, OWNER, "tenancy"));
  expect(vault.requests).toEqual([
    {
      url: expect.stringMatching(/^\/v1\/kv\/data\/platform\/tenancy\/[0-9a-f]{40}$/) as string,
      namespace: "team",
    },
  ]);
});

test("Vault's refusal is an error, not an empty state", async () => {
  await expect(inVault("bad").part(partName(ORIGIN, OWNER, "tenancy"))).rejects.toMatchObject({
    code: "TENANCY_CREDENTIAL_HELPER",
    detail: expect.stringContaining("permission denied") as string,
  });
});

test("a lock that was removed from Vault stops the run's writes", async () => {
  const state = inVault();
  await state.lock();
  (await state.part(partName(ORIGIN, OWNER, "tenancy"))).tokens.put(csiToken);
  vault.entries.clear();
  await expect(state.save()).rejects.toMatchObject({ code: "TENANCY_STATE_LOCKED" });
  await state.unlock();
  expect([...vault.entries]).toEqual([]);
});

test("an expired lock in Vault is free", async () => {
  const crashed = inVault();
  await crashed.lock();
  await crashed.part(partName(ORIGIN, OWNER, "tenancy"));
  for (const entry of vault.entries.values()) (entry.data as { expires: number }).expires = Date.now() - 1;
  const next = inVault();
  await next.lock({ timeout: 0 });
  await next.part(partName(ORIGIN, OWNER, "tenancy"));
  await next.unlock();
  await crashed.unlock();
});

test("the Kubernetes objects say whose they are, and the secret is in the Secret alone", async () => {
  const state = inCluster();
  await state.lock();
  (await state.part(partName(ORIGIN, OWNER, "tenancy"))).tokens.put(csiToken);
  await state.save();
  await state.unlock();
  const files = await readdir(folder());
  const objects = await Promise.all(
    files.map(async (file) => JSON.parse(await readFile(join(folder(), file), "utf8")) as { kind: string }),
  );
  for (const object of objects) {
    expect(object).toMatchObject({
      metadata: {
        name: expect.stringMatching(/^tenancy-[0-9a-f]{40}$/) as string,
        annotations: { "tenancy/origin": ORIGIN, "tenancy/stack": OWNER },
      },
    });
    const text = Buffer.from(
      (object as { data?: { credentials?: string } }).data?.credentials ?? "",
      "base64",
    ).toString();
    expect(text.includes(CANARY)).toBe(object.kind === "Secret");
  }
  expect(objects.map(({ kind }) => kind).sort()).toEqual(["Lease", "Secret"]);
});
