#!/usr/bin/env node
/**
 * Keeps the state in Kubernetes: a Secret for each provider configuration of a stack, and a Lease as its lock.
 *
 *   tenancy apply --credential-helper "node kubernetes.mjs --namespace tenancy"
 *
 * Needs kubectl, and rights to get, create, update and delete secrets and leases in the namespace. A Secret holds a
 * mebibyte. Encrypt it with TENANCY_STATE_KEY where the cluster's own storage is not encrypted.
 */
import { spawn } from "node:child_process";
import { parseArgs } from "node:util";
import { answer, entryName, lockOf, otherHolder } from "./protocol.mjs";

const { values: flags } = parseArgs({
  options: {
    namespace: { type: "string", default: "default" },
    context: { type: "string" },
    kubectl: { type: "string", default: "kubectl" },
  },
  allowPositionals: true,
});

const LOCK = "tenancy/lock";

await answer({
  async get(request) {
    const secret = await find("secret", request);
    return {
      value: secret === undefined ? null : Buffer.from(secret.data.credentials, "base64").toString("utf8"),
    };
  },

  async store(request) {
    const holder = await holderBeside(request);
    if (holder !== undefined) return { held_by: holder };
    const found = await find("secret", request);
    const kept = await put(found, {
      apiVersion: "v1",
      kind: "Secret",
      type: "Opaque",
      metadata: metadata(request, found),
      data: { credentials: Buffer.from(request.value).toString("base64") },
    });
    if (!kept) throw new Error("somebody else wrote at the same time");
  },

  async erase(request) {
    const holder = await holderBeside(request);
    if (holder !== undefined) return { held_by: holder };
    await kubectl(["delete", "secret", objectName(request), "--ignore-not-found"]);
  },

  async lock(request) {
    const found = await find("lease", request);
    const holder = otherHolder(lockIn(found), request.lock);
    if (holder !== undefined) return { held_by: holder };
    const taken = await put(found, lease(request, found, lockOf(request)));
    return taken ? {} : { held_by: lockIn(await find("lease", request))?.holder ?? {} };
  },

  async unlock(request) {
    const found = await find("lease", request);
    if (lockIn(found)?.id === request.lock) await put(found, lease(request, found, {}));
  },
});

function objectName(request) {
  return `tenancy-${entryName(request)}`;
}

function metadata(request, found, annotations = {}) {
  return {
    name: objectName(request),
    labels: { "app.kubernetes.io/managed-by": "tenancy" },
    annotations: { "tenancy/origin": request.origin, "tenancy/stack": request.stack, ...annotations },
    // Names the version that is replaced: the API refuses when there is another by now.
    ...(found && { resourceVersion: found.metadata.resourceVersion }),
  };
}

function lease(request, found, lock) {
  return {
    apiVersion: "coordination.k8s.io/v1",
    kind: "Lease",
    metadata: metadata(request, found, { [LOCK]: JSON.stringify(lock) }),
    spec:
      lock.id === undefined ? {} : { holderIdentity: lock.id, leaseDurationSeconds: request.lease_seconds },
  };
}

function lockIn(found) {
  const text = found?.metadata.annotations?.[LOCK];
  return text === undefined ? undefined : JSON.parse(text);
}

/** Who holds the lock instead of the asker: an expired or missing lock is not the asker's either. */
async function holderBeside(request) {
  const lock = lockIn(await find("lease", request));
  return lock?.id === request.lock ? undefined : (lock?.holder ?? {});
}

async function find(kind, request) {
  const text = await kubectl(["get", kind, objectName(request), "--ignore-not-found", "--output=json"]);
  return text.trim() === "" ? undefined : JSON.parse(text);
}

/** @returns false where another write came first */
async function put(found, object) {
  try {
    // The object goes through stdin: arguments can be seen by every user of the machine.
    await kubectl([found === undefined ? "create" : "replace", "--filename=-"], JSON.stringify(object));
    return true;
  } catch (error) {
    if (/AlreadyExists|Conflict|the object has been modified/.test(error.message)) return false;
    throw error;
  }
}

function kubectl(args, input = "") {
  const place = [
    `--namespace=${flags.namespace}`,
    ...(flags.context === undefined ? [] : [`--context=${flags.context}`]),
  ];
  return new Promise((resolve, reject) => {
    const child = spawn(flags.kubectl, [...place, ...args], { stdio: ["pipe", "pipe", "pipe"] });
    let [output, complaint] = ["", ""];
    child.stdout.setEncoding("utf8").on("data", (text) => (output += text));
    child.stderr.setEncoding("utf8").on("data", (text) => (complaint += text));
    child.on("error", reject);
    child.on("close", (status) =>
      status === 0
        ? resolve(output)
        : reject(new Error(`kubectl ${args[0]}: ${complaint.trim() || `status ${status}`}`)),
    );
    child.stdin.on("error", () => undefined);
    child.stdin.end(input);
  });
}
