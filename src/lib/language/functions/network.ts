/** Defines the functions of IP networks. */
import { isIPv4 } from "node:net";
import ipaddr from "ipaddr.js";
import { expressionFailed } from "../../../problems";
import type { ExpressionFunction } from "../scope";
import { collectionOf } from "../../values";
import { define } from "./define";
import { integer, number, rest, text } from "./parameters";

/** True if the network holds the address, or all of the other network. */
const cidrcontains = define(
  "cidrcontains",
  [text("containing_prefix"), text("contained_ip_or_prefix")],
  ([containing, contained]) => {
    const outer = unmapped(parseNetwork(containing));
    const isAddress = !contained.includes("/");
    const length = contained.includes(":") ? 128 : 32;
    const inner = unmapped(parseNetwork(isAddress ? `${contained}/${length}` : contained));
    if (outer.size !== inner.size)
      throw expressionFailed.error("one of the two is an IPv4 address, and the other an IPv6 address");
    const hostBits = BigInt(outer.size - outer.prefix);
    return inner.prefix >= outer.prefix && inner.base >> hostBits === outer.base >> hostBits;
  },
);

const cidrhost = define("cidrhost", [text("prefix"), number("hostnum")], ([prefix, hostnum]) =>
  hostIn(prefix, BigInt(requireWhole(hostnum))),
);

const cidrnetmask = define("cidrnetmask", [text("prefix")], ([network]) => {
  const { size, prefix } = parseNetwork(network);
  if (size !== 32) throw expressionFailed.error("only IPv4 networks have a netmask");
  return formatAddress(((1n << 32n) - 1n) ^ ((1n << BigInt(32 - prefix)) - 1n), 32);
});

const cidrsubnet = define(
  "cidrsubnet",
  [text("prefix"), integer("newbits"), number("netnum")],
  ([prefix, newbits, netnum]) => subnetOf(prefix, newbits, BigInt(requireWhole(netnum))),
);

const cidrsubnets = define("cidrsubnets", [text("prefix"), rest(integer("newbits"))], ([prefix, newbits]) =>
  collectionOf("string", consecutiveSubnetsOf(prefix, newbits)),
);

// Networks and addresses in CIDR notation.

interface Network {
  readonly base: bigint;
  /** Bits of an address: 32 or 128. */
  readonly size: number;
  readonly prefix: number;
}

function parseNetwork(text: string): Network {
  const [addressText = "", prefix = ""] = text.split("/");
  // Octets are decimal, also with zeros before them.
  const address = addressText.replace(/(?<=^|[.:])0+(?=\d+(?:\.|$))/g, (zeros) =>
    addressText.includes(".") ? "" : zeros,
  );
  const valid =
    !address.includes("%") &&
    ipaddr.isValid(address) &&
    (address.includes(":") || isIPv4(address)) &&
    /^\d{1,3}$/.test(prefix);
  const bytes = valid ? ipaddr.parse(address).toByteArray() : [];
  const size = bytes.length * 8;
  if (!valid || Number(prefix) > size || text.split("/").length !== 2) {
    throw expressionFailed.error("the prefix must be a network in CIDR notation, such as 10.0.0.0/8");
  }
  const whole = bytes.reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n);
  const hostBits = BigInt(size - Number(prefix));
  return { base: (whole >> hostBits) << hostBits, size, prefix: Number(prefix) };
}

/** An IPv4 network that is written as a part of IPv6, such as ::ffff:10.0.0.0/104, is that IPv4 network. */
function unmapped(network: Network): Network {
  const { base, size, prefix } = network;
  if (size === 32 || prefix < 96 || base >> 32n !== 0xffffn) return network;
  return { base: base & ((1n << 32n) - 1n), size: 32, prefix: prefix - 96 };
}

function formatAddress(address: bigint, size: number): string {
  const bytes = Array.from({ length: size / 8 }, (_unused, index) =>
    Number((address >> BigInt(size - 8 * (index + 1))) & 255n),
  );
  if (size === 32) return bytes.join(".");
  return new ipaddr.IPv6(bytes).toRFC5952String();
}

function formatNetwork({ base, size, prefix }: Network): string {
  return `${formatAddress(base, size)}/${prefix}`;
}

/** A negative number counts from the end. */
function hostIn(text: string, host: bigint): string {
  const { base, size, prefix } = parseNetwork(text);
  const count = 1n << BigInt(size - prefix);
  const offset = host < 0n ? count + host : host;
  if (offset < 0n || offset >= count) {
    throw expressionFailed.error(`a prefix of ${prefix} bits has no host number ${host}`);
  }
  return formatAddress(base + offset, size);
}

function subnetOf(text: string, newBits: number, number: bigint): string {
  const network = parseNetwork(text);
  const prefix = extendPrefix(network, newBits);
  if (number < 0n || number >= 1n << BigInt(newBits)) {
    throw expressionFailed.error(`${newBits} more bits have no network number ${number}`);
  }
  return formatNetwork({
    ...network,
    prefix,
    base: network.base + (number << BigInt(network.size - prefix)),
  });
}

/** Subnets of the given sizes, one behind the other, each where its size allows it to begin. */
function consecutiveSubnetsOf(text: string, newBits: readonly number[]): string[] {
  const network = parseNetwork(text);
  const end = network.base + (1n << BigInt(network.size - network.prefix));
  let next = network.base;
  return newBits.map((bits) => {
    const prefix = extendPrefix(network, bits);
    const length = 1n << BigInt(network.size - prefix);
    const base = ((next + length - 1n) / length) * length;
    next = base + length;
    if (next > end) throw expressionFailed.error("the network does not have enough room for all subnets");
    return formatNetwork({ ...network, base, prefix });
  });
}

function extendPrefix({ prefix, size }: Network, newBits: number): number {
  if (newBits < 0 || prefix + newBits > size) {
    throw expressionFailed.error(`a prefix of ${prefix} bits cannot be extended by ${newBits}`);
  }
  return prefix + newBits;
}

/** @throws expressionFailed if the number has a fraction. */
function requireWhole(number: number | bigint): number | bigint {
  if (typeof number === "number" && !Number.isInteger(number))
    throw expressionFailed.error("a whole number is required");
  return number;
}

export const networkFunctions: readonly ExpressionFunction[] = [
  cidrcontains,
  cidrhost,
  cidrnetmask,
  cidrsubnet,
  cidrsubnets,
];
