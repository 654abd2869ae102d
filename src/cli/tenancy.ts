#!/usr/bin/env node
/** Starts the process `tenancy`. */
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { paint } from "../render/text/paint";
import { hideEnvironmentFromReports } from "../lib/values";
import type * as CodeCache from "./code-cache";
import { failureText } from "./failure";
import { EXIT, type Io, type StopReason } from "./io";
import { type LoadVerbs, main, requireNode } from "./main";
import type * as Verbs from "./verbs";

hideEnvironmentFromReports();

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** The work in progress, which is reported when the output is lost. */
const listeners = new Set<(because: StopReason) => void>();
/** True if work has begun that must not be cut off. */
let hasBegun = false;
let isUnread = false;

const io: Io = {
  stdout: process.stdout,
  stderr: process.stderr,
  // Opened for the first question; most runs ask nothing.
  get stdin() {
    return process.stdin;
  },
  environment: process.env,
  folder: process.cwd(),
  onStop(callback) {
    const onSignal = (): void => callback("asked");
    for (const signal of SIGNALS) process.on(signal, onSignal);
    hasBegun = true;
    listeners.add(callback);
    if (isUnread) callback("unread");
    return () => {
      for (const signal of SIGNALS) process.off(signal, onSignal);
      listeners.delete(callback);
    };
  },
  exit(code) {
    // Node's own exit waits for its threads: for a read from a fifo, or for a DNS query without an answer. A signal does not wait, and
    // shells report it as the same code.
    if (code === EXIT.stopped && process.platform !== "win32") {
      process.removeAllListeners("SIGINT");
      process.kill(process.pid, "SIGINT");
    }
    process.exit(code);
  },
};

// The reader of the output may stop, as `head` does, or the disk may be full. Then text ends, but the work goes on: an apply that
// ended at once would leave its lock, and its work half done.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (!hasBegun) process.exit(error.code === "EPIPE" ? EXIT.ok : EXIT.failed);
  stopUnread();
});
process.stderr.on("error", () => {
  if (hasBegun) stopUnread();
});

function stopUnread(): void {
  isUnread = true;
  process.exitCode = EXIT.failed;
  for (const listener of listeners) listener("unread");
}

for (const event of ["uncaughtException", "unhandledRejection"] as const) {
  process.on(event, (error: unknown) => {
    io.stderr.write(`${failureText(error, io, paint(false))}\n`);
    process.exit(1);
  });
}

/** Modules of Node that the verbs use, and modules that load only before requests to a service. */
const NODES_OWN = [
  ...["assert", "crypto", "dns", "fs/promises", "http", "module", "os", "perf_hooks", "stream/consumers"],
  ...["readline/promises", "timers/promises", "tls", "vm", "zlib"],
];

/**
 * V8 optimises code for processes that live longer than a run of this one does, on a thread of its own, and the process does not end
 * earlier for it. Of WebAssembly, with which undici reads answers, that would take a tenth of a second after a few answers; the second
 * flag is for Node 24, which heeds the first one only from its start. The third lets JavaScript run twice as long before V8
 * optimises it: a plan of 5,000 users takes a fifth less of the processor's time. Node's own modules come first: once a flag is set, V8
 * takes none of the code that Node holds of them ready compiled.
 */
function optimiseLess(): void {
  for (const name of NODES_OWN) process.getBuiltinModule(`node:${name}`);
  setFlagsFromString("--liftoff-only");
  setFlagsFromString("--wasm-tiering-budget=100000000");
  setFlagsFromString("--interrupt-budget=250000");
}

/** The verbs are a bundle of their own in the same folder. */
const loadVerbs: LoadVerbs = (verb) => {
  requireNode(process.versions.node);
  optimiseLess();
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- it loads cryptography, which the help does without
  const { loadCached } = require("./code-cache") as typeof CodeCache;
  return loadCached(join(__dirname, "verbs.js"), verb) as typeof Verbs;
};

void main(process.argv.slice(2), io, loadVerbs).then((code) => {
  process.exitCode = isUnread ? EXIT.failed : code;
});
