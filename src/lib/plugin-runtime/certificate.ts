/** Makes the self-signed certificate of one run, by which Terraform recognises the provider's process. */
import { generateKeyPairSync, type KeyObject, randomBytes, sign, X509Certificate } from "node:crypto";

export interface Certificate {
  /** DER, as the handshake sends it. */
  readonly der: Buffer;
  /** PEM, as node:tls takes it. */
  readonly pem: string;
  readonly key: string;
}

/** Object identifiers, as DER encodes their numbers. */
const OID = {
  ecdsaWithSha256: "2a8648ce3d040302", // 1.2.840.10045.4.3.2
  commonName: "550403", // 2.5.4.3
  keyUsage: "551d0f", // 2.5.29.15
  subjectAltName: "551d11", // 2.5.29.17
  basicConstraints: "551d13", // 2.5.29.19
  extendedKeyUsage: "551d25", // 2.5.29.37
  serverAuth: "2b06010505070301", // 1.3.6.1.5.5.7.3.1
  clientAuth: "2b06010505070302", // 1.3.6.1.5.5.7.3.2
};

/** Terraform expects this name of the server, on every kind of socket. */
const HOST = "localhost";
const DAY = 24 * 60 * 60 * 1000;
/** Longer than any run, and a day back for a clock that is being set. */
const LIFETIME = 365 * DAY;

/**
 * Makes a key on the curve P-256 and a certificate for it. P-256 because its keys are made in a fraction of a millisecond, and
 * by hand because every library that makes certificates takes longer to load than all the rest of the start.
 */
export function createCertificate(now: Date = new Date()): Certificate {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "prime256v1" });
  const algorithm = derSequence(objectIdentifier(OID.ecdsaWithSha256));
  const body = toBeSigned(publicKey, algorithm, now);
  const certificate = derSequence(body, algorithm, bitString(sign("sha256", body, privateKey)));
  return {
    der: certificate,
    pem: new X509Certificate(certificate).toString(),
    key: privateKey.export({ type: "pkcs8", format: "pem" }) as string,
  };
}

function toBeSigned(publicKey: KeyObject, algorithm: Buffer, now: Date): Buffer {
  const name = derSequence(set(derSequence(objectIdentifier(OID.commonName), utf8String(HOST))));
  const version3 = explicit(0, derInteger(Buffer.from([2])));
  return derSequence(
    version3,
    derInteger(serialNumber()),
    algorithm,
    name,
    derSequence(derTime(new Date(now.getTime() - DAY)), derTime(new Date(now.getTime() + LIFETIME))),
    name,
    publicKey.export({ type: "spki", format: "der" }),
    explicit(3, extensions()),
  );
}

/** 16 bytes, the first from 0x40 to 0x7f: neither negative nor with a leading zero, either of which DER forbids. */
function serialNumber(): Buffer {
  const serial = randomBytes(16);
  serial[0] = 0x40 | ((serial[0] as number) & 0x3f);
  return serial;
}

function extensions(): Buffer {
  const digitalSignatureAndCertSign = Buffer.from([0x03, 0x02, 0x02, 0x84]);
  const isAuthority = derSequence(derBoolean(true));
  // Both sides of go-plugin make certificates that would serve either.
  const purposes = derSequence(objectIdentifier(OID.serverAuth), objectIdentifier(OID.clientAuth));
  const dnsName = derElement(0x82, Buffer.from(HOST));
  return derSequence(
    extension(OID.keyUsage, digitalSignatureAndCertSign, true),
    extension(OID.extendedKeyUsage, purposes),
    extension(OID.basicConstraints, isAuthority, true),
    extension(OID.subjectAltName, derSequence(dnsName)),
  );
}

function extension(identifier: string, value: Buffer, critical = false): Buffer {
  return derSequence(
    objectIdentifier(identifier),
    ...(critical ? [derBoolean(true)] : []),
    octetString(value),
  );
}

/** DER, as much of it as a certificate needs. */
function derElement(tag: number, ...contents: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(contents);
  return Buffer.concat([Buffer.from([tag]), derLength(content), content]);
}

function derLength({ length }: Buffer): Buffer {
  if (length < 0x80) return Buffer.from([length]);
  if (length < 0x100) return Buffer.from([0x81, length]);
  return Buffer.from([0x82, length >> 8, length & 0xff]);
}

const derSequence = (...members: readonly Uint8Array[]): Buffer => derElement(0x30, ...members);
const set = (...members: readonly Uint8Array[]): Buffer => derElement(0x31, ...members);
const explicit = (number: number, content: Uint8Array): Buffer => derElement(0xa0 | number, content);
const derBoolean = (value: boolean): Buffer => derElement(0x01, Buffer.from([value ? 0xff : 0]));
const octetString = (content: Uint8Array): Buffer => derElement(0x04, content);
const objectIdentifier = (hex: string): Buffer => derElement(0x06, Buffer.from(hex, "hex"));
const utf8String = (text: string): Buffer => derElement(0x0c, Buffer.from(text));

/** An integer whose bytes are minimal and positive already. */
const derInteger = (bytes: Uint8Array): Buffer => derElement(0x02, bytes);

/** Bits in whole bytes. */
const bitString = (content: Uint8Array): Buffer => derElement(0x03, Buffer.from([0]), content);

/** A time in the form that X.509 prescribes for it: two digits of the year until 2049, four from then on. */
function derTime(at: Date): Buffer {
  const digits = at.toISOString().replace(/[-:T]|\.\d+/g, "");
  return at.getUTCFullYear() < 2050
    ? derElement(0x17, Buffer.from(digits.slice(2)))
    : derElement(0x18, Buffer.from(digits));
}
