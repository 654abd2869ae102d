/**
 * The plugin protocol as it is published. `tfplugin6.json` has the names, types and numbers of `docs/plugin-protocol/tfplugin6.10.proto` of
 * OpenTofu 1.12.6 (MPL-2.0), for the calls that the runtime answers, in the form of protobufjs.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Root, type Type } from "protobufjs";

const root = Root.fromJSON(
  JSON.parse(readFileSync(join(__dirname, "tfplugin6.json"), "utf8")) as object,
).resolveAll();

/** @param name such as `PlanResourceChange.Request` */
export function publishedMessage(name: string): Type {
  return root.lookupType(`tfplugin6.${name}`);
}
