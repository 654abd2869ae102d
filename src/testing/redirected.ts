/** A synthesized app that talks to a simulated service, whatever its providers say. */
import { cp, readFile, writeFile } from "node:fs/promises";
import { listStacks } from "../engine";
import type { Simulator } from "../simulator";
import { isList, isObject, parseJson, stringifyJson, type ObjectValue, type Value } from "../values";

/** What says where the service is, and as whom to log in. */
const REPLACED = ["base_url", "username", "password", "token", "otp", "totp_secret", "ca_file"];

/** Copies the output folder of an app, and points its providers to the service. */
export async function redirected(outdir: string, folder: string, service: Simulator): Promise<void> {
  await cp(outdir, folder, { recursive: true });
  for (const { file } of await listStacks(folder)) {
    const stack = parseJson(await readFile(file, "utf8"));
    await writeFile(file, stringifyJson(withService(stack, service)));
  }
}

function withService(stack: Value, service: Simulator): Value {
  const providers = isObject(stack) ? stack["provider"] : undefined;
  if (!isObject(stack) || !isObject(providers)) return stack;
  const ours = providers["tenancy"] ?? null;
  const configurations = isList(ours) ? ours : [ours];
  return {
    ...stack,
    provider: {
      ...providers,
      tenancy: configurations.map((config) => (isObject(config) ? pointed(config, service) : config)),
    },
  };
}

function pointed(config: ObjectValue, { baseUrl, username, password }: Simulator): ObjectValue {
  const kept = Object.entries(config).filter(([name]) => !REPLACED.includes(name));
  return { ...Object.fromEntries(kept), base_url: baseUrl, username, password };
}
