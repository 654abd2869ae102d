/** Reading the certificates that `ca_file` names. */
import { X509Certificate } from "node:crypto";
import { readFile, stat } from "node:fs/promises";
import { InvalidCaFile } from "../errors";

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[\s\S]*?-----END CERTIFICATE-----/g;

/**
 * The certificates of a PEM file, as text for {@link ClientOptions.ca}.
 * @throws InvalidCaFile where it cannot be read, or holds no certificate or a broken one
 */
export async function readCaFile(path: string): Promise<string> {
  const text = await read(path).catch((error: NodeJS.ErrnoException) => {
    throw new InvalidCaFile(
      path,
      WHY[error.code ?? ""] ?? `it cannot be read (${error.code ?? "unknown error"})`,
    );
  });
  const certificates = text.match(CERTIFICATE) ?? [];
  if (certificates.length === 0) throw new InvalidCaFile(path, "it contains no certificate in PEM form");
  certificates.forEach((certificate, index) => {
    if (!isCertificate(certificate))
      throw new InvalidCaFile(path, `certificate ${index + 1} in it is broken`);
  });
  return certificates.join("\n");
}

/** A fifo or a device would keep the run waiting. */
async function read(path: string): Promise<string> {
  const stats = await stat(path);
  if (!stats.isFile() && !stats.isDirectory()) throw Object.assign(new Error("unfit"), { code: "ENOTREG" });
  return readFile(path, "latin1");
}

const WHY: Record<string, string> = {
  ENOTREG: "it is not a regular file",
  ENOENT: "there is no such file",
  EACCES: "it may not be read",
  EISDIR: "it is a folder",
};

function isCertificate(pem: string): boolean {
  try {
    return new X509Certificate(pem).raw.length > 0;
  } catch {
    return false;
  }
}
