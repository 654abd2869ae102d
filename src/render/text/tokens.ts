/** The tokens of a credential store; no part of a secret is in it. */
import { plainText } from "../../values";
import type { Paint } from "./paint";

export interface ShownTokens {
  readonly store: string;
  readonly origin: string;
  readonly owner: string;
  readonly exists: boolean;
  readonly tokens: readonly ShownToken[];
  readonly intents: readonly {
    readonly id: string;
    readonly login: string;
    readonly name: string;
    readonly startedAt: string;
  }[];
  readonly failedRevocations: readonly {
    readonly login: string;
    readonly name: string;
    readonly serial: string;
    readonly failedAt: string;
  }[];
  readonly doubtful: readonly { readonly login: string; readonly name: string | null }[];
}

export interface ShownToken {
  readonly login: string;
  readonly name: string;
  readonly serial: string;
  readonly createdAt: string | null;
  readonly previous: readonly {
    readonly serial: string;
    readonly createdAt: string | null;
    readonly retiredAt: string;
  }[];
}

export function tokensText(kept: ShownTokens, paint: Paint): string {
  const { store, origin, owner, tokens, exists } = kept;
  const unsettled = unsettledLines(kept);
  return [
    paint.bold(plainText(`${origin} · owner ${owner} · ${store}`)),
    ...(exists ? [] : ABSENT),
    ...(tokens.length > 0 ? tokenLines(tokens) : exists ? ["  no tokens"] : []),
    ...(unsettled.length === 0 ? [] : ["", paint.warned("Unsettled"), ...unsettled]),
  ].join("\n");
}

const ABSENT = [
  "  The store keeps nothing for this service and owner. Nothing was applied yet, or the store is elsewhere, or lost:",
  "      tenancy plan tells which. Bring a store that is elsewhere here (--store PATH, or --credential-helper).",
];

function tokenLines(tokens: readonly ShownToken[]): readonly string[] {
  const rows = tokens.flatMap(({ login, name, serial, createdAt, previous }) => [
    [`${login}/${name}`, serial, minted(createdAt)],
    ...previous.map((one) => [
      "  replaced",
      one.serial,
      `${minted(one.createdAt)}, replaced ${one.retiredAt}`,
    ]),
  ]);
  const plain = rows.map((row) => row.map(cell));
  const widths = [0, 1].map((column) => Math.max(...plain.map((row) => row[column]?.length ?? 0)));
  return plain.map((row) => `  ${row.map((text, column) => text.padEnd(widths[column] ?? 0)).join("  ")}`);
}

function unsettledLines({ intents, failedRevocations, doubtful }: ShownTokens): readonly string[] {
  return [
    ...doubtful.flatMap(({ login, name }) => [
      `  ${plainText(name === null ? `any token of ${login}` : `${login}/${name}`)}  may be known to an earlier store, since lost`,
      "      Bring that store here, or mint a new token: tenancy apply --init-store",
    ]),
    ...intents.flatMap(({ id, login, name, startedAt }) => [
      `  ${plainText(`${login}/${name}`)}  may have been minted at ${plainText(startedAt)} without being kept`,
      `      Check in the service whether ${plainText(login)} has an authorization from that time that is not listed here, and`,
      `      revoke it. Then forget this note: tenancy token revoke ${plainText(id)}`,
    ]),
    ...failedRevocations.flatMap(({ login, name, serial, failedAt }) => [
      `  ${plainText(`${login}/${name}`)}  ${plainText(serial)} is still to be revoked, tried last at ${plainText(failedAt)}`,
      `      The next apply tries again; so does tenancy token revoke ${plainText(serial)}`,
    ]),
  ];
}

function minted(createdAt: string | null): string {
  return createdAt === null ? "minted at an unknown time" : `minted ${createdAt}`;
}

/** Indentation stays. */
function cell(text: string): string {
  return `${/^ */.exec(text)?.[0] ?? ""}${plainText(text)}`;
}
