/**
 * Loads a bundle of the command with the code that V8 made of it in an earlier run: compiling takes a short run a quarter of its time. The
 * code is in the bundle's folder, which only users who could change the bundle itself may write.
 */
import { isAscii } from "node:buffer";
import { hash } from "node:crypto";
import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { createRequire, wrap } from "node:module";
import { dirname, resolve } from "node:path";
import { Script } from "node:vm";

interface Kept {
  readonly code: Buffer;
  /** The verbs that ran with it: each verb needs functions that no other one does. */
  readonly purposes: readonly string[];
}

/**
 * The first line of the file, before the code. V8 itself checks only the length of the source. It would not notice a broken file, and it
 * would run the code of another Node that has the same version of V8.
 */
interface Header {
  readonly runtime: string;
  readonly source: string;
  readonly code: string;
  readonly purposes: readonly string[];
}

const RUNTIME = `${process.version} ${process.platform} ${process.arch}`;

type Wrapper = (
  exports: unknown,
  require: (id: string) => unknown,
  module: { exports: unknown },
  file: string,
  folder: string,
) => void;

/**
 * @param purpose the kind of run: the first run of a kind keeps the code that it needed for the next one
 * @returns the exports of the bundle. Bundles that it requires are loaded from the cache, too.
 */
export function loadCached(file: string, purpose: string): unknown {
  const source = readFileSync(file);
  const cached = readKept(file, source);
  const options = cached === undefined ? { filename: file } : { filename: file, cachedData: cached.code };
  // Read as UTF-8, a bundle of a megabyte leaves four megabytes behind.
  const text = source.toString(isAscii(source) ? "latin1" : "utf8");
  const script = new Script(wrap(text), options);
  const purposes = cached === undefined || script.cachedDataRejected === true ? [] : cached.purposes;
  if (!purposes.includes(purpose)) {
    // By now everything that this run needs has been compiled.
    process.once("exit", () =>
      keep(file, source, { code: script.createCachedData(), purposes: [...purposes, purpose] }),
    );
  }
  const module = { exports: {} };
  (script.runInThisContext() as Wrapper)(
    module.exports,
    siblings(file, purpose),
    module,
    file,
    dirname(file),
  );
  return module.exports;
}

function siblings(file: string, purpose: string): (id: string) => unknown {
  const require = createRequire(file);
  const loaded = new Map<string, unknown>();
  return (id) => {
    if (!id.startsWith("./")) return require(id) as unknown;
    const known = loaded.get(id) ?? loadCached(resolve(dirname(file), id), purpose);
    loaded.set(id, known);
    return known;
  };
}

function codeFileOf(file: string): string {
  return `${file}.code`;
}

/** Undefined if nothing was kept, or of another source, or where the file is broken. */
function readKept(file: string, source: Buffer): Kept | undefined {
  try {
    const bytes = readFileSync(codeFileOf(file));
    const end = bytes.indexOf("\n");
    const header = JSON.parse(bytes.toString("utf8", 0, end)) as Header;
    const code = bytes.subarray(end + 1);
    const isWhole = header.source === digest(source) && header.code === digest(code);
    return isWhole && header.runtime === RUNTIME && Array.isArray(header.purposes)
      ? { code, purposes: header.purposes }
      : undefined;
  } catch {
    return undefined;
  }
}

/** If it cannot be kept, the next run compiles again. */
function keep(file: string, source: Buffer, { code, purposes }: Kept): void {
  const place = codeFileOf(file);
  const draft = `${place}.${process.pid}`;
  const header: Header = { runtime: RUNTIME, source: digest(source), code: digest(code), purposes };
  try {
    writeFileSync(draft, Buffer.concat([Buffer.from(`${JSON.stringify(header)}\n`), code]));
    // Others may be reading it.
    renameSync(draft, place);
  } catch {
    rmSync(draft, { force: true });
  }
}

function digest(bytes: Buffer): string {
  return hash("sha256", bytes);
}
