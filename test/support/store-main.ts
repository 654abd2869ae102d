/**
 * A run of its own on a credential store: `store-main.ts MODE PATH NAME`, with STORE_KEY to encrypt it. `hold` locks and stays;
 * `keep` locks, keeps twenty tokens one by one and ends; `churn` keeps tokens until it is killed. Prints what is done.
 */
import { partName, openStore, type TokenEntry } from "../../src/credentials";

const [mode = "", path = "", name = ""] = process.argv.slice(2);
const key = process.env.STORE_KEY;
const store = openStore({ path, ...(key !== undefined && { key }) });

function token(index: number): TokenEntry {
  const record = {
    id: `${index}`,
    serial: `${index}`,
    access_token: `${name}-${index}-`.padEnd(20_000, "x"),
  };
  return { login: "csi@globex", name: `${name}-${index}`, record, keepers: null, previous: [] };
}

async function main(): Promise<void> {
  await store.lock({ timeout: 25_000 });
  process.stdout.write("locked\n");
  if (mode === "hold") return new Promise(() => setInterval(() => undefined, 1000));
  const ledger = await store.ledger(partName("https://storage.example", "acme-platform", "tenancy"));
  for (let index = 0; mode === "churn" || index < 20; index += 1) {
    ledger.tokens.put(token(index));
    await store.save();
    process.stdout.write(`${name}-${index}\n`);
  }
  await store.unlock();
}

void main();
