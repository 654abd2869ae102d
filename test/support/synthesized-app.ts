/** An app as CDKTF synthesizes it: a manifest, and one stack. */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** Name of the stack. */
export const STACK = "prod";

const PATH = `stacks/${STACK}/cdk.tf.json`;

export const MANIFEST = {
  version: "0.21.0",
  stacks: {
    [STACK]: {
      name: STACK,
      constructPath: STACK,
      workingDirectory: dirname(PATH),
      synthesizedStackPath: PATH,
      annotations: [],
      dependencies: [],
    },
  },
};

/** Where the stack's JSON stands. */
export function stackFile(outdir: string): string {
  return join(outdir, PATH);
}

/** @param stack its JSON, or what shall stand in its place */
export function writeStack(outdir: string, stack: object | string | Buffer): void {
  const file = stackFile(outdir);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, typeof stack === "string" || Buffer.isBuffer(stack) ? stack : JSON.stringify(stack));
  writeFileSync(join(outdir, "manifest.json"), JSON.stringify(MANIFEST));
}
