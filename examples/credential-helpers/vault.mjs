#!/usr/bin/env node
/**
 * Keeps the state in HashiCorp Vault or OpenBao (KV version 2).
 *
 *   tenancy apply --credential-helper "node vault.mjs --mount secret --prefix tenancy"
 *
 * Takes VAULT_ADDR, VAULT_TOKEN and, where there are namespaces, VAULT_NAMESPACE from the environment. The policy needs
 * create, read, update and delete on `MOUNT/data/PREFIX/*`, and delete on `MOUNT/metadata/PREFIX/*`.
 */
import { parseArgs } from "node:util";
import { answer, entryName, lockOf, otherHolder } from "./protocol.mjs";

const { values: flags } = parseArgs({
  options: { mount: { type: "string", default: "secret" }, prefix: { type: "string", default: "tenancy" } },
  allowPositionals: true,
});

await answer({
  async get(request) {
    const { data } = await read(entryPath(request));
    return { value: data?.value ?? null };
  },

  async store(request) {
    const holder = await holderBeside(request);
    if (holder !== undefined) return { held_by: holder };
    const path = entryPath(request);
    const { version } = await read(path);
    if (!(await write(path, { value: request.value }, version)))
      throw new Error("somebody else wrote at the same time");
  },

  async erase(request) {
    const holder = await holderBeside(request);
    if (holder !== undefined) return { held_by: holder };
    // With its metadata go all earlier versions, secrets included.
    await call("DELETE", "metadata", entryPath(request));
  },

  async lock(request) {
    const path = lockPath(request);
    const { data, version } = await read(path);
    const holder = otherHolder(data, request.lock);
    if (holder !== undefined) return { held_by: holder };
    if (await write(path, lockOf(request), version)) return {};
    return { held_by: (await read(path)).data?.holder ?? {} };
  },

  async unlock(request) {
    const path = lockPath(request);
    const { data, version } = await read(path);
    if (data?.id === request.lock) await write(path, {}, version);
  },
});

function entryPath(request) {
  return `${flags.prefix}/${entryName(request)}`;
}

function lockPath(request) {
  return `${entryPath(request)}-lock`;
}

/** Who holds the lock instead of the asker: an expired or missing lock is not the asker's either. */
async function holderBeside(request) {
  const { data } = await read(lockPath(request));
  return data?.id === request.lock ? undefined : (data?.holder ?? {});
}

/** The data, and the version that a write must name so that it replaces just that: 0 where nothing was ever written. */
async function read(path) {
  const { status, body } = await call("GET", "data", path);
  if (status === 404) return { version: body.data?.metadata?.version ?? 0 };
  return { data: body.data.data, version: body.data.metadata.version };
}

/** @returns false where another write came first */
async function write(path, data, version) {
  const { status } = await call("POST", "data", path, { data, options: { cas: version } });
  return status !== 400;
}

async function call(method, api, path, body) {
  const { VAULT_ADDR, VAULT_TOKEN, VAULT_NAMESPACE } = process.env;
  if (!VAULT_ADDR || !VAULT_TOKEN) throw new Error("VAULT_ADDR and VAULT_TOKEN must be set");
  const response = await fetch(new URL(`/v1/${flags.mount}/${api}/${path}`, VAULT_ADDR), {
    method,
    headers: {
      "X-Vault-Token": VAULT_TOKEN,
      "X-Vault-Request": "true",
      ...(VAULT_NAMESPACE && { "X-Vault-Namespace": VAULT_NAMESPACE }),
    },
    redirect: "error",
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const answered = text === "" ? {} : JSON.parse(text);
  const { status } = response;
  const lostRace = method === "POST" && status === 400 && /check-and-set/.test(text);
  if (!response.ok && status !== 404 && !lostRace)
    throw new Error(
      `Vault answered ${status} to ${method} ${api}/${path}: ${(answered.errors ?? []).join("; ")}`,
    );
  return { status, body: answered };
}
