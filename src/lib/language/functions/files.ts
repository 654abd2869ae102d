/** Defines the functions of files, paths and templates. */
import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  type Stats,
  statSync,
} from "node:fs";
import { homedir } from "node:os";
import { isAbsolute, join, posix, relative, resolve, sep } from "node:path";
import picomatch from "picomatch";
import { expressionFailed, invalidExpression } from "../../../problems";
import { parseTemplate } from "../grammar";
import { MAX_ELEMENTS, MAX_FILE } from "../limits";
import { makeSet, type Marked, type MarkedObject } from "../../values";
import type { CallEnvironment, ExpressionFunction, Scope } from "../scope";
import { define } from "./define";
import { hash, textFromBytes } from "./encoding";
import { mapping, text } from "./parameters";

const abspath = define("abspath", [text("path")], ([path], { scope }) => resolve(scope.folder, path));

const basename = define("basename", [text("path")], ([path]) =>
  path === "" ? "." : posix.basename(path) || "/",
);

const dirname = define("dirname", [text("path")], ([path]) =>
  posix.join(path.replace(/[^/]*$/, ""), ".").replace(/(?<=.)\/$/, ""),
);

const file = define("file", [text("path")], ([path], { scope }) => textFromBytes(readBytes(path, scope)));

const filebase64 = define("filebase64", [text("path")], ([path], { scope }) =>
  readBytes(path, scope).toString("base64"),
);

const filebase64sha256 = define("filebase64sha256", [text("path")], ([path], { scope }) =>
  hash("sha256", readBytes(path, scope), "base64"),
);

const filebase64sha512 = define("filebase64sha512", [text("path")], ([path], { scope }) =>
  hash("sha512", readBytes(path, scope), "base64"),
);

const fileexists = define("fileexists", [text("path")], ([path], { scope }) => isFile(path, scope));

const filemd5 = define("filemd5", [text("path")], ([path], { scope }) =>
  hash("md5", readBytes(path, scope), "hex"),
);

/** The files below a folder whose paths match, as a set of paths relative to it; `**` matches any depth. */
const fileset = define("fileset", [text("path"), text("pattern")], ([path, pattern], { scope }) => {
  const matches = picomatch(pattern, { dot: true, nonegate: true, noextglob: true });
  return makeSet(
    "string",
    filesBelow(path, scope).filter((name) => matches(name)),
  );
});

const filesha1 = define("filesha1", [text("path")], ([path], { scope }) =>
  hash("sha1", readBytes(path, scope), "hex"),
);

const filesha256 = define("filesha256", [text("path")], ([path], { scope }) =>
  hash("sha256", readBytes(path, scope), "hex"),
);

const filesha512 = define("filesha512", [text("path")], ([path], { scope }) =>
  hash("sha512", readBytes(path, scope), "hex"),
);

const pathexpand = define("pathexpand", [text("path")], ([path]) => expandHome(path));

/** The file's text with its template sequences evaluated; it sees the given variables and nothing else. */
const templatefile = define("templatefile", [text("path"), mapping("vars")], ([path, vars], environment) =>
  renderTemplate(textFromBytes(readBytes(path, environment.scope)), vars, environment),
);

/** A text with its template sequences evaluated; it sees the given variables and nothing else. */
const templatestring = define(
  "templatestring",
  [text("template"), mapping("vars")],
  ([template, vars], environment) => renderTemplate(template, vars, environment),
);

// Access to files. The functions read regular files in the folders that the run allows; paths are relative to the stack's folder. A pull
// request may change a stack, and must not read what else the run can read: its environment, its keys, another project.

/** @throws expressionFailed if it is not there, outside of the folders that may be read, too large, or no regular file */
function readBytes(path: string, scope: Scope): Buffer {
  const file = requireReadable(path, scope);
  try {
    // A fifo without a writer would otherwise block the run as soon as it is opened.
    const handle = openSync(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    try {
      const stats = fstatSync(handle);
      if (!stats.isFile())
        throw new UnfitFile(stats.isDirectory() ? "it is a folder" : "it is not a regular file");
      if (stats.size > MAX_FILE) throw new UnfitFile(`it is larger than ${MAX_FILE / 2 ** 20} MiB`);
      return readFileSync(handle);
    } finally {
      closeSync(handle);
    }
  } catch (error) {
    throw expressionFailed.error(`the file "${path}" cannot be read: ${reason(error)}`, { cause: error });
  }
}

/** The reason why a file is not read, for cases without a system error. */
class UnfitFile extends Error {}

/** The state's folder: no stack has any business there. */
const STATE_FOLDER = ".tenancy";

/** The place that a path leads to, symbolic links resolved. @throws expressionFailed if nothing there may be read */
function requireReadable(path: string, scope: Scope): string {
  const { folder, contents = folder, readable = [folder] } = scope;
  const absolutePath = resolve(folder, expandHome(path));
  const file = isWithin(folder, absolutePath) ? join(contents, relative(folder, absolutePath)) : absolutePath;
  const place = resolveLinks(file) ?? file;
  const roots = [...readable, contents].map((root) => resolveLinks(root) ?? root);
  const root = roots.find((one) => isWithin(one, place));
  if (root !== undefined && !relative(root, place).split(sep).includes(STATE_FOLDER)) return place;
  throw root === undefined
    ? expressionFailed.error(`"${path}" leads outside of the project's folder`, {
        advice:
          "Move the file into the project's folder, or allow the folder that it is in: --allow-files DIR.",
      })
    : expressionFailed.error(`"${path}" leads into the state's folder`, {
        advice: "Keep files of the stack elsewhere in the project.",
      });
}

function isWithin(root: string, place: string): boolean {
  const way = relative(root, place);
  return way === "" || !(way === ".." || way.startsWith(`..${sep}`) || isAbsolute(way));
}

/** Undefined if nothing is there, or nothing can be there. */
function resolveLinks(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}

/** @throws expressionFailed if the path is something else than a file, or nothing can have it: too long a name, a loop of links. */
function isFile(path: string, scope: Scope): boolean {
  const stats = statsOf(path, scope);
  if (stats === undefined) return false;
  if (stats.isFile()) return true;
  throw expressionFailed.error(`"${path}" is not a file`);
}

/** Paths relative to the folder, with forward slashes. */
function filesBelow(path: string, scope: Scope): string[] {
  const root = requireReadable(path, scope);
  const paths: string[] = [];
  const folders = [""];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    for (const entry of entriesIn(join(root, folder))) {
      const name = folder === "" ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory()) folders.push(name);
      else if (entry.isFile() || leadsToFile(join(root, name), scope)) paths.push(name);
      if (paths.length > MAX_ELEMENTS)
        throw expressionFailed.error(`there are too many files below "${path}"`);
    }
  }
  return paths;
}

/** `~` at the beginning is the user's home. */
function expandHome(path: string): string {
  if (/^~[^/\\]/.test(path))
    throw expressionFailed.error("the home folder of another user cannot be looked up");
  return path.replace(/^~(?=$|[/\\])/, () => homedir());
}

function statsOf(path: string, scope: Scope): Stats | undefined {
  const file = requireReadable(path, scope);
  try {
    return statSync(file, { throwIfNoEntry: false });
  } catch (error) {
    throw expressionFailed.error(`cannot check whether there is a file "${path}": ${reason(error)}`, {
      cause: error,
    });
  }
}

function entriesIn(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

/** True of symbolic links to files that may be read; links to folders are not followed, they may go round in circles. */
function leadsToFile(path: string, scope: Scope): boolean {
  try {
    return statSync(requireReadable(path, scope)).isFile();
  } catch {
    return false;
  }
}

function reason(error: unknown): string {
  if (error instanceof UnfitFile) return error.message;
  const { code } = error as NodeJS.ErrnoException;
  if (code === "ENOENT") return "it does not exist";
  // The error of opening a socket, or a device without a driver.
  if (code === "ENXIO") return "it is not a regular file";
  return code === "EISDIR" ? "it is a folder" : (code ?? String(error));
}

/** Evaluates the text of a template, in which every name is one of the variables. */
function renderTemplate(text: string, variables: MarkedObject, environment: CallEnvironment): Marked {
  const expression = readTemplateText(text);
  return environment.render(expression, new Map(Object.entries(variables)));
}

function readTemplateText(text: string) {
  try {
    return parseTemplate(text, { free: true });
  } catch (error) {
    if (!invalidExpression.is(error)) throw error;
    throw expressionFailed.error(`the template cannot be read: ${error.message}`, {
      ...(error.detail !== undefined && { detail: error.detail }),
      cause: error,
    });
  }
}

export const fileFunctions: readonly ExpressionFunction[] = [
  abspath,
  basename,
  dirname,
  file,
  filebase64,
  filebase64sha256,
  filebase64sha512,
  fileexists,
  filemd5,
  fileset,
  filesha1,
  filesha256,
  filesha512,
  pathexpand,
  templatefile,
  templatestring,
];
