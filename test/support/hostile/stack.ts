/** A synthesized app with one stack, `prod`. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export const MANIFEST = {
  version: "0.21.0",
  stacks: {
    prod: {
      name: "prod",
      constructPath: "prod",
      workingDirectory: "stacks/prod",
      synthesizedStackPath: "stacks/prod/cdk.tf.json",
      annotations: [],
      dependencies: [],
    },
  },
};

/** @param stack JSON, or what shall stand in its place */
export function writeStack(outdir: string, stack: object | string | Buffer): void {
  mkdirSync(join(outdir, "stacks/prod"), { recursive: true });
  const text = typeof stack === "string" || Buffer.isBuffer(stack) ? stack : JSON.stringify(stack);
  writeFileSync(join(outdir, "stacks/prod/cdk.tf.json"), text);
  writeFileSync(join(outdir, "manifest.json"), JSON.stringify(MANIFEST));
}
