/** The signature of a release's checksums, by which a registry of providers knows who published them. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/**
 * Writes the signature of a file beside it, as `.sig`.
 * @param key the private key, as `gpg --armor --export-secret-keys` prints it
 * @param passphrase of the key; empty if it has none
 */
export function sign(file, key, passphrase = "") {
  // gpg has a home of its own, so that the key is not left on the machine.
  const home = mkdtempSync(join(tmpdir(), "gpg-"));
  const gpg = (words, input) =>
    execFileSync("gpg", ["--homedir", home, "--batch", "--quiet", "--no-tty", "--yes", ...words], {
      input,
      stdio: ["pipe", "ignore", "pipe"],
    });
  try {
    gpg(["--import"], key);
    const words = ["--pinentry-mode", "loopback", "--passphrase-fd", "0", "--detach-sign"];
    gpg([...words, "--output", `${file}.sig`, file], passphrase);
  } catch (cause) {
    const reason = cause.stderr?.toString().trim() || cause.message;
    throw new Error(`The checksums could not be signed with RELEASE_SIGNING_KEY: ${reason}`, { cause });
  } finally {
    execFileSync("gpgconf", ["--homedir", home, "--kill", "all"], { stdio: "ignore" });
    rmSync(home, { recursive: true, force: true });
  }
}
