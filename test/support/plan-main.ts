/** A program that plans a stack with the engine and does not close the plan: `plan-main.ts NAME OUTDIR FOLDER`. */
import { plan } from "../../src/engine";

const [name = "", outdir = "", projectFolder = ""] = process.argv.slice(2);

void plan({ name, outdir }, { environment: process.env, projectFolder }).then(
  ({ summary }) => process.stdout.write(`${summary.create} to create\n`),
  (error: unknown) => process.stdout.write(`${String(error)}\n`),
);
