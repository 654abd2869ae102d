/**
 * Writes a token in a format that its consumer reads (`tenancy token write`). The formats are templates in examples/token-formats. This
 * file holds the input that each format refuses, and the steps that remain after the file has changed.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { TokenSecret } from "../../engine";
import { usage } from "../../problems";
import { ownPackageFolder } from "../own-package";
import { type Consumer, type Handover, markerOf, RESTART_READERS } from "./handover";
import { fillIn, type PlaceholderValues, placeholderValues } from "./template";

export const FORMATS = ["kubernetes", "proxmox", "cinder", "docker", "env", "json"] as const;
export type Format = (typeof FORMATS)[number];

/** @throws usage if the format cannot say what it has to, or does not have an option */
export function handover(format: Format, token: TokenSecret, consumer: Consumer): Handover {
  for (const option of ["namespace", "driver", "name"] as const)
    if (consumer[option] !== undefined && !TAKES[option].includes(format))
      throw usage.error({
        problem: `--as ${format} takes no --${option}`,
        advice: `It is for ${TAKES[option].map((one) => `--as ${one}`).join(", ")}.`,
      });
  const { name = token.name, namespace, driver = "storage", verifiesPeer } = consumer;
  if (!verifiesPeer && !TAKES.peer.includes(format))
    throw usage.error({
      problem: `--as ${format} has no setting for the verification of certificates`,
      advice: "Have the consumer trust the service's certificate authority, or write a template.",
    });
  if (!/^[a-z][a-z0-9_]*$/.test(driver))
    throw usage.error({
      problem: `--driver ${JSON.stringify(driver)} is no name of a driver`,
      advice: "It has lower-case letters, digits and _, and begins with a letter.",
    });
  REQUIREMENTS[format]?.({ secret: token.secret, name, namespace });

  const { port } = new URL(token.baseUrl);
  const values: PlaceholderValues = {
    ...placeholderValues(token, verifiesPeer),
    consumer: name,
    namespace,
    driver,
    port: port === "" ? undefined : port,
    ssl_verify_peer_digit: verifiesPeer ? "1" : "0",
  };
  const file = join(ownPackageFolder(), "examples", "token-formats", `${format}.tpl`);
  const { text } = fillIn(file, readFileSync(file, "utf8"), values);
  const afterwards = AFTERWARDS[format]?.(name) ?? RESTART_READERS;
  return { text, marker: markerOf(token), afterwards };
}

const TAKES: Readonly<Record<"namespace" | "driver" | "name" | "peer", readonly Format[]>> = {
  namespace: ["kubernetes"],
  driver: ["proxmox", "cinder"],
  name: ["kubernetes", "proxmox", "cinder"],
  peer: ["kubernetes", "proxmox", "json"],
};

const AFTERWARDS: Readonly<Partial<Record<Format, (name: string) => string>>> = {
  kubernetes: () =>
    "Hand it over with `kubectl apply --server-side -f FILE`, and restart the pods that read it, such as those of the storage driver.",
  proxmox: () => "Restart pvedaemon and pvestatd on every node of the cluster.",
  cinder: (name) =>
    `Name ${name} in enabled_backends, add volume_driver as its vendor says, and restart cinder-volume.`,
  docker: () =>
    "Create the containers that use it (--env-file) again: a restart keeps their old environment.",
};

interface Written {
  readonly secret: string;
  readonly name: string;
  readonly namespace: string | undefined;
}

/** Each function throws usage for values that its format would read differently. */
const REQUIREMENTS: Readonly<Partial<Record<Format, (input: Written) => void>>> = {
  kubernetes({ name, namespace }) {
    requireObjectName(name, "Secret");
    if (namespace !== undefined) requireObjectName(namespace, "namespace");
  },

  proxmox({ secret, name }) {
    if (!/^[a-z][a-z0-9._-]*[a-z0-9]$/i.test(name))
      throw usage.error({
        problem: `Proxmox takes no storage named ${JSON.stringify(name)}`,
        advice:
          "A name begins with a letter and ends with a letter or digit. Between them, - _ and full stops are also allowed. Pass --name.",
      });
    requireOneWord(secret, "Proxmox");
  },

  cinder({ secret, name }) {
    if (!/^[\w.-]+$/.test(name) || /^default$/i.test(name))
      throw usage.error({
        problem: `Cinder takes no backend named ${JSON.stringify(name)}`,
        advice: "Pass --name with letters, digits, and - _ or full stops, other than DEFAULT.",
      });
    requireOneWord(secret, "Cinder");
    if (secret.includes("$") || /^["']/.test(secret))
      throw usage.error({
        problem:
          "Cinder would read this token as something else: it holds $, or begins with a quotation mark",
        advice: CREATE_ANOTHER,
      });
  },

  docker: ({ secret }) => requireOneWord(secret, "Docker"),

  env({ secret }) {
    if (/['\n\r\\]/.test(secret))
      throw usage.error({
        problem:
          "an environment file cannot hold this token: it holds a quotation mark, a backslash or a line break",
        advice: CREATE_ANOTHER,
      });
  },
};

const CREATE_ANOTHER = "Create another one: tenancy token rotate.";

/** A space or a control character would end the secret. */
function requireOneWord(secret: string, consumer: string): void {
  if (!/^[\x21-\x7e]+$/.test(secret))
    throw usage.error({
      problem: `${consumer}'s file cannot hold this token: it holds a space, or a character beyond ASCII`,
      advice: CREATE_ANOTHER,
    });
}

/** Kubernetes names a namespace by one label of RFC 1123, a Secret by one or several. */
function requireObjectName(name: string, noun: "Secret" | "namespace"): void {
  const label = "[a-z0-9]([a-z0-9-]*[a-z0-9])?";
  const [pattern, longest] = noun === "Secret" ? [`^${label}(\\.${label})*$`, 253] : [`^${label}$`, 63];
  if (name.length <= longest && new RegExp(pattern).test(name)) return;
  const [option, stops] =
    noun === "Secret" ? ["name", " The same goes for each part between full stops."] : ["namespace", ""];
  throw usage.error({
    problem: `Kubernetes takes no ${noun} named ${JSON.stringify(name)}`,
    advice: `Pass --${option} with at most ${longest} lower-case letters, digits and -, beginning and ending with a letter or digit.${stops}`,
  });
}
