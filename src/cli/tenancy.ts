#!/usr/bin/env node
/** The process `tenancy`. */
import { paint } from "../render/text";
import { failureText } from "./failure";
import type { Io } from "./io";
import { main } from "./main";

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

const io: Io = {
  stdout: process.stdout,
  stderr: process.stderr,
  stdin: process.stdin,
  environment: process.env,
  folder: process.cwd(),
  onStop(callback) {
    for (const signal of SIGNALS) process.on(signal, callback);
    return () => {
      for (const signal of SIGNALS) process.off(signal, callback);
    };
  },
  exit: (code) => process.exit(code),
};

// Whoever reads the output may stop doing so, as `head` does.
process.stdout.on("error", (error: NodeJS.ErrnoException) => process.exit(error.code === "EPIPE" ? 0 : 1));
process.stderr.on("error", () => undefined);

for (const event of ["uncaughtException", "unhandledRejection"] as const) {
  process.on(event, (error: unknown) => {
    io.stderr.write(`${failureText(error, io, paint(false))}\n`);
    process.exit(1);
  });
}

void main(process.argv.slice(2), io).then((code) => {
  process.exitCode = code;
});
