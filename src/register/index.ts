/**
 * Preloaded into the app's process: `node --require tenancy/register main.ts`. It lets Node load TypeScript, and keeps the compiler's
 * output in `node_modules/.cache`: until the source changes, no compiler is loaded. Node 22.1 and later also keeps the code that V8 makes
 * of all modules. Sources are CommonJS; their types are not checked.
 */
import { createHash } from "node:crypto";
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import Module, { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { runInThisContext } from "node:vm";

type Extension = (module: { _compile(code: string, file: string): void }, file: string) => void;

const node = Module as unknown as {
  readonly _extensions: Record<string, Extension>;
  _resolveFilename(
    request: string,
    parent: { readonly filename?: string } | undefined,
    ...others: unknown[]
  ): string;
  /** From Node 22.1 on. */
  enableCompileCache?(folder: string): void;
};

/** A source's name decides what the compiler takes it for. */
const TYPESCRIPT_FILE = /\.[cm]?ts$/;

function register(): void {
  const cache = cacheOf(process.cwd());
  if (cache !== undefined) node.enableCompileCache?.(join(cache, "node"));
  process.setSourceMapsEnabled(true);

  const plain = node._extensions[".js"] as Extension;
  let depth = 0;
  // Libraries are not debugged here, and Node would read the source map of each.
  node._extensions[".js"] = (module, file) => {
    if (depth++ === 0) process.setSourceMapsEnabled(false);
    try {
      plain(module, file);
    } finally {
      if (--depth === 0) process.setSourceMapsEnabled(true);
    }
  };
  node._extensions[".ts"] = node._extensions[".cts"] = (module, file) => {
    const around = depth;
    depth = 0;
    process.setSourceMapsEnabled(true);
    try {
      module._compile(compileFile(file), file);
    } finally {
      depth = around;
      if (depth > 0) process.setSourceMapsEnabled(false);
    }
  };

  const resolve = node._resolveFilename.bind(node);
  node._resolveFilename = (request, parent, ...others) => {
    try {
      return resolve(request, parent, ...others);
    } catch (error) {
      // TypeScript's sources name the file that would be made of another one.
      const sourcePath = /^(\.{1,2}\/.*\.c?)js$/.exec(request)?.[1];
      if (sourcePath === undefined || !TYPESCRIPT_FILE.test(parent?.filename ?? "")) throw error;
      try {
        return resolve(`${sourcePath}ts`, parent, ...others);
      } catch {
        throw error;
      }
    }
  };
}

/** JavaScript, as kept if it was made of this very source. */
function compileFile(file: string): string {
  const source = readFileSync(file, "utf8");
  const require = createRequire(file);
  const key = digest(`${compilerVersion(require)}\0${file}\0${source}`);
  const cache = cacheOf(dirname(file));
  const place = cache === undefined ? undefined : join(cache, `${digest(file).slice(0, 32)}.js`);
  const cached = place === undefined ? undefined : readKept(place, key);
  if (cached !== undefined) return cached;
  const code = compileSource(source, file, require);
  if (place !== undefined) keep(place, key, code);
  return code;
}

function compileSource(source: string, file: string, require: NodeJS.Require): string {
  const { transformSync } = require("@swc/core") as {
    readonly transformSync: (source: string, options: object) => { readonly code: string };
  };
  try {
    return transformSync(source, {
      filename: file,
      swcrc: false,
      configFile: false,
      sourceMaps: "inline",
      module: { type: "commonjs" },
      jsc: { target: "es2022", parser: { syntax: "typescript", decorators: true } },
    }).code;
  } catch (error) {
    return throwBriefly(error, file);
  }
}

/**
 * The compiler's error without its own backtrace. The command that runs the app gets a message, and shows only file, line and message. Node
 * shows the line of code that throws, which would be all of this program; so the throw has a short line of its own.
 */
function throwBriefly(error: unknown, file: string): never {
  if (!(error instanceof Error)) throw error;
  const text = error.message.replace(/\n+Caused by:[^]*$/, "").trimEnd();
  const [, message = "the file does not compile"] = /^\s*[x×] (.+)$/m.exec(text) ?? [];
  const [, place = ""] = /\[.*(:\d+:\d+)\]$/m.exec(text) ?? [];
  const brief = new SyntaxError(message);
  brief.stack = `SyntaxError: ${message}\n    at ${file}${place}\n${text}`;
  const notes = process.env["TENANCY_APP_FAILURE"] ?? "";
  if (notes !== "") {
    const findings = [{ code: "TENANCY_SYNTHESIS_FAILED", summary: message }];
    try {
      appendFileSync(notes, `${JSON.stringify({ findings, stack: brief.stack })}\n`);
    } catch {
      // Then the command shows what Node prints.
    }
  }
  const toss = runInThisContext("(error) => { throw error; }", "tenancy/register") as (error: Error) => never;
  return toss(brief);
}

function compilerVersion(require: NodeJS.Require): string {
  try {
    return (require("@swc/core/package.json") as { readonly version: string }).version;
  } catch {
    throw new Error(
      'tenancy/register compiles with @swc/core, which is not installed: npm install --save-dev @swc/core. Or let "app" in cdktf.json run main.ts in another way, such as "npx tsx main.ts".',
    );
  }
}

/** The folder for it that tools use; undefined if no packages are installed. */
function cacheOf(folder: string): string | undefined {
  for (let at = folder; ; at = dirname(at)) {
    const packages = join(at, "node_modules");
    if (existsSync(packages)) return join(packages, ".cache", "tenancy");
    if (dirname(at) === at) return undefined;
  }
}

/** Undefined if nothing was kept, or of another source, or where the file is broken. */
function readKept(place: string, key: string): string | undefined {
  try {
    const [, code = "", seal] = /^([\s\S]*)\n\/\/ (\w+)\n$/.exec(readFileSync(place, "utf8")) ?? [];
    return seal === digest(key + code) ? code : undefined;
  } catch {
    return undefined;
  }
}

/** If it cannot be kept, the next run compiles again. */
function keep(place: string, key: string, code: string): void {
  const draft = `${place}.${process.pid}`;
  try {
    mkdirSync(dirname(place), { recursive: true });
    writeFileSync(draft, `${code}\n// ${digest(key + code)}\n`);
    // Another run may be reading it.
    renameSync(draft, place);
  } catch {
    try {
      rmSync(draft, { force: true });
    } catch {
      // Its folder is no folder.
    }
  }
}

function digest(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

register();
