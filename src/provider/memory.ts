/** Reduces the memory of the provider's process. A file of its own, which is loaded after the greeting. */
import { getHeapStatistics, setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** Garbage that may gather until it is collected, in bytes. With twice as much, a plan with nothing to do takes four megabytes more. */
const MOST_GARBAGE = 4 * 2 ** 20;
/** In milliseconds. */
const INTERVAL = 50;

/**
 * Keeps the process small, since it runs as long as Terraform and makes short-lived values by the thousand. Set at run time: with flags on
 * the command line, Node would start without its own compiled code, which takes longer than the flags save.
 */
export function reduceMemory(): void {
  // New values are collected in a space that does not grow: 30 MB less, for collections that find next to nothing alive.
  setFlagsFromString("--semi-space-growth-factor=1");
  // The HTTP parser is WebAssembly; to optimize it takes 30 MB for a moment, and longer than a run's few answers. Node 24 heeds
  // the first flag only from its start.
  setFlagsFromString("--liftoff-only");
  setFlagsFromString("--wasm-tiering-budget=100000000");
  collectSoon();
}

/** V8 would wait much longer: a refresh of 1,000 objects leaves 30 MB behind, of which 11 are in use. */
function collectSoon(): void {
  let collect: (() => void) | undefined;
  let bytesInUse = inUse();
  setInterval(() => {
    if (inUse() - bytesInUse < MOST_GARBAGE) return;
    // It costs a context of its own, which most of a run's processes end without.
    if (collect === undefined) setFlagsFromString("--expose-gc");
    collect ??= runInNewContext("gc") as () => void;
    collect();
    bytesInUse = inUse();
  }, INTERVAL).unref();
}

function inUse(): number {
  const { used_heap_size: heap, external_memory: external } = getHeapStatistics();
  return heap + external;
}
