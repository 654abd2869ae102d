/** What every credential helper has in common: the verb from the command line, JSON from stdin, JSON to stdout. */
import { createHash } from "node:crypto";

/**
 * Answers one call and ends the process: with status 0 and the verb's answer, or with status 1 and a word on stderr.
 * @param verbs `get`, `store`, `erase`, `lock` and `unlock`: each takes the request and gives the answer
 */
export async function answer(verbs) {
  try {
    const verb = process.argv.at(-1);
    if (!Object.hasOwn(verbs, verb))
      throw new Error(`the last argument is one of: ${Object.keys(verbs).join(", ")}`);
    const request = JSON.parse(await readAll(process.stdin));
    if (request.protocol !== 1) throw new Error(`this helper speaks protocol 1, not ${request.protocol}`);
    process.stdout.write(JSON.stringify((await verbs[verb](request)) ?? {}));
  } catch (error) {
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  }
}

/** A name for what belongs to one provider configuration of a stack, fit for paths and for names of Kubernetes objects. */
export function entryName({ origin, stack, provider }) {
  return createHash("sha256")
    .update(JSON.stringify([origin, stack, provider]))
    .digest("hex")
    .slice(0, 40);
}

/** Who holds a lock as it was kept, or nothing where it is free, has expired, or is the asker's own. */
export function otherHolder(lock, id, now = Date.now()) {
  if (lock === undefined || lock.id === undefined || lock.id === id || lock.expires <= now) return undefined;
  return lock.holder ?? {};
}

/** A lock as it is kept. */
export function lockOf({ lock, lease_seconds, holder }, now = Date.now()) {
  return { id: lock, holder, expires: now + lease_seconds * 1000 };
}

async function readAll(stream) {
  let text = "";
  for await (const chunk of stream.setEncoding("utf8")) text += chunk;
  return text;
}
