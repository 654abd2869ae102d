/**
 * Reports the mistake that has ended the app to the command. Node prints an uncaught error with lines of code around it, and programs that
 * start the app print theirs; the command shows only the mistake.
 */
import { appendFileSync } from "node:fs";
import { TenancyError } from "../problems";

/** To be called once in a process. The command names a file of its own in the app's environment. */
export function noteFailures(): void {
  const file = process.env["TENANCY_APP_FAILURE"];
  if (file === undefined || file === "") return;
  process.on("uncaughtExceptionMonitor", (error) => {
    if (!(error instanceof TenancyError)) return;
    try {
      appendFileSync(file, `${JSON.stringify({ findings: error.toDiagnostics(), stack: error.stack })}\n`);
    } catch {
      // Then the command shows what Node prints.
    }
  });
}
