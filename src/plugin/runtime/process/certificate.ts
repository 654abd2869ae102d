/** The certificate by which Terraform knows this very process: self-signed, for one run. */
import { generateKeyPairSync, randomBytes, sign, type KeyObject } from "node:crypto";
import * as der from "./der";

export interface Certificate {
  /** DER, as the handshake sends it. */
  readonly der: Buffer;
  /** PEM, as node:tls takes it. */
  readonly pem: string;
  readonly key: string;
}

const OID = {
  ecdsaWithSha256: "1.2.840.10045.4.3.2",
  commonName: "2.5.4.3",
  keyUsage: "2.5.29.15",
  subjectAltName: "2.5.29.17",
  basicConstraints: "2.5.29.19",
  extendedKeyUsage: "2.5.29.37",
  serverAuth: "1.3.6.1.5.5.7.3.1",
  clientAuth: "1.3.6.1.5.5.7.3.2",
};

/** Terraform expects the server to be called so, whatever socket it listens on. */
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
  const algorithm = der.sequence(der.objectIdentifier(OID.ecdsaWithSha256));
  const body = toBeSigned(publicKey, algorithm, now);
  const certificate = der.sequence(body, algorithm, der.bitString(sign("sha256", body, privateKey)));
  return {
    der: certificate,
    pem: toPem("CERTIFICATE", certificate),
    key: privateKey.export({ type: "pkcs8", format: "pem" }) as string,
  };
}

function toBeSigned(publicKey: KeyObject, algorithm: Buffer, now: Date): Buffer {
  const name = der.sequence(
    der.set(der.sequence(der.objectIdentifier(OID.commonName), der.utf8String(HOST))),
  );
  const version3 = der.explicit(0, der.integer(Buffer.from([2])));
  return der.sequence(
    version3,
    der.integer(serialNumber()),
    algorithm,
    name,
    der.sequence(der.time(new Date(now.getTime() - DAY)), der.time(new Date(now.getTime() + LIFETIME))),
    name,
    publicKey.export({ type: "spki", format: "der" }),
    der.explicit(3, extensions()),
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
  const isAuthority = der.sequence(der.boolean(true));
  // Both sides of go-plugin make certificates that would serve either.
  const purposes = der.sequence(der.objectIdentifier(OID.serverAuth), der.objectIdentifier(OID.clientAuth));
  const dnsName = der.tagged(0x82, Buffer.from(HOST));
  return der.sequence(
    extension(OID.keyUsage, digitalSignatureAndCertSign, true),
    extension(OID.extendedKeyUsage, purposes),
    extension(OID.basicConstraints, isAuthority, true),
    extension(OID.subjectAltName, der.sequence(dnsName)),
  );
}

function extension(identifier: string, value: Buffer, critical = false): Buffer {
  return der.sequence(
    der.objectIdentifier(identifier),
    ...(critical ? [der.boolean(true)] : []),
    der.octetString(value),
  );
}

/** PEM, without the blank line that a careless wrapper leaves where the last line is full. */
export function toPem(label: string, bytes: Buffer): string {
  const lines = bytes.toString("base64").match(/.{1,64}/g) ?? [];
  return [`-----BEGIN ${label}-----`, ...lines, `-----END ${label}-----`, ""].join("\n");
}
