/**
 * A run of its own on a state: `state-main.ts MODE PATH NAME`, with STATE_KEY to encrypt it. `hold` locks and stays;
 * `keep` locks, keeps twenty tokens one by one and ends; `churn` keeps tokens until it is killed. Prints what is done.
 */
import { partName, openState, type TokenEntry } from "../../src/state";

const [mode = "", path = "", name = ""] = process.argv.slice(2);
const key = process.env.STATE_KEY;
const state = openState({ path, ...(key !== undefined && { key }) });

function token(index: number): TokenEntry {
  const record = {
    id: `${index}`,
    serial: `${index}`,
    access_token: `${name}-${index}-`.padEnd(20_000, "x"),
  };
  return { login: "csi@globex", name: `${name}-${index}`, record, keepers: null, previous: [] };
}

async function main(): Promise<void> {
  await state.lock({ timeout: 25_000 });
  process.stdout.write("locked\n");
  if (mode === "hold") return new Promise(() => setInterval(() => undefined, 1000));
  const part = await state.part(partName("https://storage.example", "acme-platform", "tenancy"));
  for (let index = 0; mode === "churn" || index < 20; index += 1) {
    part.tokens.put(token(index));
    await state.save();
    process.stdout.write(`${name}-${index}\n`);
  }
  await state.unlock();
}

void main();
