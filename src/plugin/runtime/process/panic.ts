import { writeSync } from "node:fs";

/**
 * Ends the process for an error that nobody caught, in the words that Terraform looks for: it then shows what follows
 * `panic:` to the user.
 */
export function panic(error: unknown): never {
  const story = error instanceof Error ? (error.stack ?? error.message) : String(error);
  try {
    writeSync(2, `panic: ${story}\n`);
  } catch {
    // Nobody reads any more.
  }
  process.exit(2);
}
