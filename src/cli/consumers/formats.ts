/** Hands a token to the program that works with it (`tenancy token write`), in a format that the program reads. */
import type { TokenSecret } from "../../engine";
import { consumerUnfit, usage } from "../../problems";
import { type Handover, markerOf, RESTART_READERS } from "./handover";

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

type Writer = (
  token: TokenSecret,
  marker: string,
  consumer: Consumer,
) => readonly [text: string, afterwards: string];

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

export function apiUrl({ baseUrl }: Pick<TokenSecret, "baseUrl">): string {
  return `${baseUrl.replace(/\/+$/, "")}/api`;
}

export function base64(text: string): string {
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
