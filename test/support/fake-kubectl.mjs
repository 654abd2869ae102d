#!/usr/bin/env node
/** Stands in for kubectl: objects are files in $FAKE_CLUSTER, with the resource versions and refusals of a real cluster. */
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";

const words = process.argv.slice(2).filter((word) => !word.startsWith("--"));
const flags = process.argv.slice(2).filter((word) => word.startsWith("--"));
const namespace = flags.find((flag) => flag.startsWith("--namespace="))?.slice(12);
const fileOf = (kind, name) =>
  join(process.env.FAKE_CLUSTER, `${namespace}.${kind.toLowerCase()}.${name}.json`);

function fail(message) {
  process.stderr.write(`Error from server ${message}\n`);
  process.exit(1);
}

const [verb, kind, name] = words;
if (verb === "get") {
  if (existsSync(fileOf(kind, name))) process.stdout.write(readFileSync(fileOf(kind, name)));
  else if (!flags.includes("--ignore-not-found")) fail(`(NotFound): ${name}`);
} else if (verb === "delete") {
  rmSync(fileOf(kind, name), { force: flags.includes("--ignore-not-found") });
} else if (verb === "create" || verb === "replace") {
  const object = JSON.parse(await text(process.stdin));
  const file = fileOf(object.kind, object.metadata.name);
  const there = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : undefined;
  if (verb === "create" && there) fail(`(AlreadyExists): ${object.metadata.name} already exists`);
  if (verb === "replace" && !there) fail(`(NotFound): ${object.metadata.name} not found`);
  if (there && object.metadata.resourceVersion !== there.metadata.resourceVersion)
    fail("(Conflict): the object has been modified; please apply your changes to the latest version");
  const resourceVersion = String(Number(there?.metadata.resourceVersion ?? 0) + 1);
  writeFileSync(file, JSON.stringify({ ...object, metadata: { ...object.metadata, resourceVersion } }));
} else {
  fail(`(BadRequest): ${verb}`);
}
