/** The credential helpers among the examples: covers examples/credential-helpers. */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { partName, openStore, type CredentialStore } from "../../../src/credentials";
import { CANARY, csiToken, ORIGIN, OWNER } from "../../credentials/samples";
import { startFakeVault, type FakeVault } from "../../support/fake-vault";
import { temporaryFolder } from "../../support/temp-folder";

const examples = join(__dirname, "../../../examples/credential-helpers");
const folder = temporaryFolder();
let vault: FakeVault;

beforeEach(async () => {
  vault = await startFakeVault();
});
afterEach(() => vault.stop());

const inVault = (token = "good"): CredentialStore =>
  openStore({
    helper: {
      command: `'${process.execPath}' '${join(examples, "vault.mjs")}' --mount kv --prefix platform/tenancy`,
      environment: { VAULT_ADDR: vault.address, VAULT_TOKEN: token, VAULT_NAMESPACE: "team" },
    },
  });

const inCluster = (): CredentialStore =>
  openStore({
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
  async function keep(store: CredentialStore, name: string): Promise<void> {
    await store.lock();
    (await store.ledger(partName(ORIGIN, OWNER, "tenancy"))).tokens.put({ ...csiToken, name });
    await store.save();
    await store.unlock();
  }

  test("keeps what one run stores for the next one, and adds to it", async () => {
    expect((await open().ledger(partName(ORIGIN, OWNER, "tenancy"))).exists).toBe(false);
    await keep(open(), "first");
    await keep(open(), "second");
    const ledger = await open().ledger(partName(ORIGIN, OWNER, "tenancy"));
    expect(ledger.exists).toBe(true);
    expect(ledger.tokens.list().map(({ name }) => name)).toEqual(["first", "second"]);
    expect((await open().ledger(partName(ORIGIN, "acme-infra", "tenancy"))).exists).toBe(false);
  });

  test("lets one run in at a time, and the next one when it is done", async () => {
    const [one, other] = [open(), open()];
    await one.lock();
    await one.ledger(partName(ORIGIN, OWNER, "tenancy"));
    await other.lock({ timeout: 0 });
    await expect(other.ledger(partName(ORIGIN, OWNER, "tenancy"))).rejects.toMatchObject({
      code: "TENANCY_STORE_LOCKED",
      message: expect.stringContaining(`process ${process.pid} on `) as string,
    });
    await one.unlock();
    await other.ledger(partName(ORIGIN, OWNER, "tenancy"));
    await other.unlock();
  });

  test("erases what is no longer wanted", async () => {
    await keep(open(), "first");
    const store = open();
    await store.lock();
    await store.erase(partName(ORIGIN, OWNER, "tenancy"));
    await store.save();
    await store.unlock();
    expect((await open().ledger(partName(ORIGIN, OWNER, "tenancy"))).exists).toBe(false);
  });
});

test("Vault is asked below the prefix, in the namespace", async () => {
  await inVault().ledger(partName(ORIGIN, OWNER, "tenancy"));
  expect(vault.requests).toEqual([
    {
      url: expect.stringMatching(/^\/v1\/kv\/data\/platform\/tenancy\/[0-9a-f]{40}$/) as string,
      namespace: "team",
    },
  ]);
});

test("Vault's refusal is an error, not an empty store", async () => {
  await expect(inVault("bad").ledger(partName(ORIGIN, OWNER, "tenancy"))).rejects.toMatchObject({
    code: "TENANCY_CREDENTIAL_HELPER",
    detail: expect.stringContaining("permission denied") as string,
  });
});

test("a lock that was removed from Vault stops the run's writes", async () => {
  const store = inVault();
  await store.lock();
  (await store.ledger(partName(ORIGIN, OWNER, "tenancy"))).tokens.put(csiToken);
  vault.entries.clear();
  await expect(store.save()).rejects.toMatchObject({ code: "TENANCY_STORE_LOCKED" });
  await store.unlock();
  expect([...vault.entries]).toEqual([]);
});

test("an expired lock in Vault is free", async () => {
  const crashed = inVault();
  await crashed.lock();
  await crashed.ledger(partName(ORIGIN, OWNER, "tenancy"));
  for (const entry of vault.entries.values()) (entry.data as { expires: number }).expires = Date.now() - 1;
  const next = inVault();
  await next.lock({ timeout: 0 });
  await next.ledger(partName(ORIGIN, OWNER, "tenancy"));
  await next.unlock();
  await crashed.unlock();
});

test("the Kubernetes objects say whose they are, and the secret is in the Secret alone", async () => {
  const store = inCluster();
  await store.lock();
  (await store.ledger(partName(ORIGIN, OWNER, "tenancy"))).tokens.put(csiToken);
  await store.save();
  await store.unlock();
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
