/** Hands a token to the program that works with it (`tenancy token write`): the formats, templates, and the file that is kept up to date. */
import { constants } from "node:fs";
import { type FileHandle, lstat, open } from "node:fs/promises";
import { resolve } from "node:path";
import type { TokenSecret } from "../engine";
import { consumerUnfit, foreignFile, usage } from "../problems";
import { escapedUnits, nearest } from "../values";
import type { Io } from "./io";
import { replaceNamedFile, unreadable } from "./named-files";

export const FORMATS = ["kubernetes", "proxmox", "cinder", "docker", "env", "json"] as const;
export type Format = (typeof FORMATS)[number];

/** What the user says of the consumer, besides the format. */
export interface Consumer {
  /** Name of the Secret, the section or the backend. @default the token's name */
  readonly name?: string | undefined;
  /** Kubernetes' namespace. @default none is named, so kubectl chooses */
  readonly namespace?: string | undefined;
  /** What Proxmox and Cinder call the service's driver. @default "storage" */
  readonly driver?: string | undefined;
  /** Whether the consumer verifies the service's certificate. */
  readonly verifiesPeer: boolean;
}

/** What stands in the file, and what has to be done after it has changed. */
export interface Handover {
  readonly text: string;
  /** A line by which a file is known for one that was written here; undefined where a template has no place for it. */
  readonly marker: string | undefined;
  readonly afterwards: string;
}

/** @throws consumerUnfit where the format cannot say what it has to; usage for an option that the format does not have */
export function handover(format: Format, token: TokenSecret, consumer: Consumer): Handover {
  for (const option of ["namespace", "driver", "name"] as const)
    if (consumer[option] !== undefined && !TAKES[option].includes(format))
      throw usage.error({
        problem: `--as ${format} takes no --${option}`,
        advice: `It is for ${TAKES[option].map((one) => `--as ${one}`).join(", ")}.`,
      });
  if (!consumer.verifiesPeer && !TAKES.peer.includes(format))
    throw usage.error({
      problem: `--as ${format} has no setting for the verification of certificates`,
      advice: "Have the consumer trust the service's certificate authority, or write a template.",
    });
  const marker = markerOf(token);
  const [text, afterwards] = WRITERS[format](token, marker, consumer);
  return { text, marker, afterwards };
}

const TAKES: Readonly<Record<"namespace" | "driver" | "name" | "peer", readonly Format[]>> = {
  namespace: ["kubernetes"],
  driver: ["proxmox", "cinder"],
  name: ["kubernetes", "proxmox", "cinder"],
  peer: ["kubernetes", "proxmox", "json"],
};

const MARKER = "Written by `tenancy token write`: ";

/** One line for every reader, whatever the names hold. The names are last, in quotation marks, so that no marker is the beginning of another one. */
function markerOf({ login, name, origin }: TokenSecret): string {
  return `${MARKER}${origin} ${JSON.stringify(`${login}/${name}`).replace(UNSEEN, escapedUnits)}`;
}

/** YAML ends lines, and so comments, at some of them, and takes no others. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cn}]/gu;

type Writer = (
  token: TokenSecret,
  marker: string,
  consumer: Consumer,
) => readonly [text: string, afterwards: string];

/** Where nobody knows what reads it. */
export const RESTART_READERS = "Restart what reads it.";

const WRITERS: Readonly<Record<Format, Writer>> = {
  kubernetes(token, marker, { name, namespace, verifiesPeer }) {
    const secret = requireObjectName(name ?? token.name, "Secret");
    const data = {
      "api-url": apiUrl(token),
      "access-token": token.secret,
      "ssl-verify-peer": String(verifiesPeer),
    };
    const lines = [
      `# ${marker}`,
      "apiVersion: v1",
      "kind: Secret",
      "metadata:",
      `  name: ${JSON.stringify(secret)}`,
      ...(namespace === undefined
        ? []
        : [`  namespace: ${JSON.stringify(requireObjectName(namespace, "namespace"))}`]),
      "type: Opaque",
      "data:",
      ...Object.entries(data).map(([key, value]) => `  ${key}: ${base64(value)}`),
    ];
    return [
      joinLines(lines),
      `Hand it over with \`kubectl apply --server-side -f FILE\`, and restart the pods that read it, such as those of the storage driver.`,
    ];
  },

  proxmox(token, marker, { name, driver, verifiesPeer }) {
    const id = name ?? token.name;
    if (!/^[a-z][a-z0-9._-]*[a-z0-9]$/i.test(id))
      throw consumerUnfit.error({
        problem: `Proxmox takes no storage named ${JSON.stringify(id)}`,
        advice:
          "A name begins with a letter and ends with a letter or digit; between them also stand - _ and full stops. Pass --name.",
      });
    const lines = [
      `# ${marker}`,
      `${driverOf(driver)}: ${id}`,
      `\tapi_url ${apiUrl(token)}`,
      `\tauth_token ${oneWord(token, "Proxmox")}`,
      `\tssl_verify_peer ${verifiesPeer ? 1 : 0}`,
    ];
    return [joinLines(lines), "Restart pvedaemon and pvestatd on every node of the cluster."];
  },

  cinder(token, marker, { name, driver }) {
    const section = name ?? token.name;
    if (!/^[\w.-]+$/.test(section) || /^default$/i.test(section))
      throw consumerUnfit.error({
        problem: `Cinder takes no backend named ${JSON.stringify(section)}`,
        advice: "Pass --name with letters, digits, and - _ or full stops, other than DEFAULT.",
      });
    const { hostname, port } = new URL(token.baseUrl);
    const secret = oneWord(token, "Cinder");
    if (secret.includes("$") || /^["']/.test(secret))
      throw consumerUnfit.error({
        problem:
          "Cinder would read this token as something else: it holds $, or begins with a quotation mark",
        advice: "Mint another one: tenancy token rotate.",
      });
    const prefix = driverOf(driver);
    const lines = [
      `# ${marker}`,
      `[${section}]`,
      `volume_backend_name = ${section}`,
      `${prefix}_api_host = ${hostname}`,
      ...(port === "" ? [] : [`${prefix}_api_port = ${port}`]),
      `${prefix}_auth_scheme = token`,
      `${prefix}_auth_token = ${secret}`,
    ];
    return [
      joinLines(lines),
      `Name ${section} in enabled_backends, add volume_driver as its vendor says, and restart cinder-volume.`,
    ];
  },

  docker(token, marker) {
    const lines = [
      `# ${marker}`,
      `API_HOST=${new URL(token.baseUrl).host}`,
      `API_KEY=${oneWord(token, "Docker")}`,
    ];
    return [
      joinLines(lines),
      "Make the containers that take it (--env-file) anew: a restart keeps their old environment.",
    ];
  },

  env(token, marker) {
    const lines = [
      `# ${marker}`,
      `TENANCY_BASE_URL=${shellLiteral(token.baseUrl)}`,
      `TENANCY_TOKEN=${shellLiteral(token.secret)}`,
    ];
    return [joinLines(lines), RESTART_READERS];
  },

  json({ login, name, serial, baseUrl, ...token }, marker, { verifiesPeer }) {
    const members = {
      written_by: marker,
      base_url: baseUrl,
      api_url: apiUrl({ baseUrl }),
      access_token: token.secret,
      ssl_verify_peer: verifiesPeer,
      login,
      name,
      serial,
    };
    return [`${JSON.stringify(members, null, 2)}\n`, RESTART_READERS];
  },
};

function joinLines(lines: readonly string[]): string {
  return `${lines.join("\n")}\n`;
}

function apiUrl({ baseUrl }: Pick<TokenSecret, "baseUrl">): string {
  return `${baseUrl.replace(/\/+$/, "")}/api`;
}

function base64(text: string): string {
  return Buffer.from(text, "utf8").toString("base64");
}

/** A value in the single quotes of a shell, which environment files' readers take too. */
function shellLiteral(text: string): string {
  if (/['\n\r\\]/.test(text))
    throw consumerUnfit.error({
      problem:
        "an environment file cannot hold this token: it holds a quotation mark, a backslash or a line break",
      advice: "Mint another one: tenancy token rotate.",
    });
  return `'${text}'`;
}

/** The secret, where a space or a control character would end it. */
function oneWord({ secret }: TokenSecret, consumer: string): string {
  if (/^[\x21-\x7e]+$/.test(secret)) return secret;
  throw consumerUnfit.error({
    problem: `${consumer}'s file cannot hold this token: it holds a space, or a character beyond ASCII`,
    advice: "Mint another one: tenancy token rotate.",
  });
}

/** What Kubernetes calls an object: a namespace has one label of RFC 1123, a Secret one or several. */
function requireObjectName(name: string, noun: "Secret" | "namespace"): string {
  const label = "[a-z0-9]([a-z0-9-]*[a-z0-9])?";
  const [pattern, longest] = noun === "Secret" ? [`^${label}(\\.${label})*$`, 253] : [`^${label}$`, 63];
  if (name.length <= longest && new RegExp(pattern).test(name)) return name;
  const [option, stops] =
    noun === "Secret" ? ["name", " The same goes for each part between full stops."] : ["namespace", ""];
  throw consumerUnfit.error({
    problem: `Kubernetes takes no ${noun} named ${JSON.stringify(name)}`,
    advice: `Pass --${option} with at most ${longest} lower-case letters, digits and -, beginning and ending with a letter or digit.${stops}`,
  });
}

function driverOf(driver = "storage"): string {
  if (/^[a-z][a-z0-9_]*$/.test(driver)) return driver;
  throw usage.error({
    problem: `--driver ${JSON.stringify(driver)} is no name of a driver`,
    advice: "It has lower-case letters, digits and _, and begins with a letter.",
  });
}

// Templates.

/** `{{ name }}` or `{{ name | filter }}`; a text in quotation marks stands for itself. */
const PLACEHOLDER = /\{\{(.*?)\}\}/g;
const INSIDE = /^\s*(?:"([^"]*)"|(\w+))\s*(?:\|\s*(\w+)\s*)?$/;

const FILTERS: Readonly<Record<string, (text: string) => string>> = {
  base64,
  json: (text) => JSON.stringify(text),
  shell: (text) => `'${text.replaceAll("'", String.raw`'\''`)}'`,
};

/** @throws consumerUnfit for what the template asks for, and nobody knows */
export function filledTemplate(
  file: string,
  template: string,
  token: TokenSecret,
  consumer: Consumer,
): Handover {
  for (const option of ["namespace", "driver", "name"] as const)
    if (consumer[option] !== undefined)
      throw usage.error({
        problem: `--template takes no --${option}`,
        advice: "Write it into the template.",
      });
  const marker = markerOf(token);
  const { host, hostname } = new URL(token.baseUrl);
  const values: Readonly<Record<string, string>> = {
    access_token: token.secret,
    api_url: apiUrl(token),
    base_url: token.baseUrl,
    host,
    hostname,
    login: token.login,
    marker,
    name: token.name,
    serial: token.serial,
    ssl_verify_peer: String(consumer.verifiesPeer),
  };
  let isMarked = false;
  const text = template.replace(PLACEHOLDER, (whole, inside: string) => {
    const [, literal, name = "", filter] = INSIDE.exec(inside) ?? [];
    const value = literal ?? (Object.hasOwn(values, name) ? values[name] : undefined);
    if (value === undefined) throw unknown(file, whole, name, Object.keys(values), "placeholder");
    if (filter === undefined) {
      isMarked ||= name === "marker";
      return value;
    }
    const filtered = Object.hasOwn(FILTERS, filter) ? FILTERS[filter] : undefined;
    if (filtered === undefined) throw unknown(file, whole, filter, Object.keys(FILTERS), "filter");
    return filtered(value);
  });
  return { text, marker: isMarked ? marker : undefined, afterwards: RESTART_READERS };
}

function unknown(file: string, whole: string, name: string, known: readonly string[], noun: string): Error {
  const near = nearest(name, known);
  return consumerUnfit.error({
    problem: `${file}: ${JSON.stringify(whole)} is no ${noun}`,
    advice: near === undefined ? `There are ${known.join(", ")}.` : `Did you mean ${near}?`,
  });
}

// The file.

const LARGEST_FILE = 2 ** 20;

/**
 * Writes the file whole, unless it holds this already. A file is replaced only where its marker says that it was written here, for this token.
 * @returns whether anything was written
 * @throws foreignFile, fileUnusable
 */
export async function writeHandover(file: string, { text, marker }: Handover, io: Io): Promise<boolean> {
  const present = await contentsOf(file, resolve(io.folder, file));
  if (present === text) return false;
  if (present !== undefined) {
    if (marker === undefined) throw foreignFile.error({ file, kind: "unmarked" });
    const line = present.split("\n").find((one) => one.includes(MARKER));
    if (line === undefined) throw foreignFile.error({ file, kind: "of others" });
    // JSON escapes the quotation marks in it.
    if (!line.includes(marker) && !line.includes(JSON.stringify(marker).slice(1, -1)))
      throw foreignFile.error({ file, kind: "of another token" });
  }
  await replaceNamedFile(file, text, io, 0o600);
  return true;
}

/** What the file holds; undefined where there is none. Nobody else may read it from now on. */
async function contentsOf(file: string, place: string): Promise<string | undefined> {
  let handle: FileHandle | undefined;
  try {
    const before = await lstat(place).catch(ifMissing);
    if (before === undefined) return undefined;
    if (!before.isFile() || before.size > LARGEST_FILE) throw foreignFile.error({ file, kind: "of others" });
    handle = await open(place, constants.O_RDONLY | constants.O_NOFOLLOW);
    const text = await handle.readFile("utf8");
    if (text.includes(MARKER) && (before.mode & 0o077) !== 0) await handle.chmod(0o600);
    return text;
  } catch (error) {
    if (foreignFile.is(error)) throw error;
    throw unreadable(file, error, "Name a file that you can read and write.");
  } finally {
    await handle?.close();
  }
}

function ifMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== "ENOENT" && error.code !== "ENOTDIR") throw error;
}
