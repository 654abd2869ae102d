/** Platforms as Terraform calls them. */

/** Of processors as Node calls them; any other has the same name in both. */
const ARCHITECTURES: Readonly<Record<string, string>> = { x64: "amd64", ia32: "386" };

/** The platform of this machine. */
export function platformOf(system: string, processor: string): string {
  return `${system === "win32" ? "windows" : system}_${ARCHITECTURES[processor] ?? processor}`;
}

/**
 * Those of this machine: its own processor's, and the others' that may run here too, such as Terraform for Intel on Apple's. The provider is
 * the same for all of them.
 */
export function platformsHere(system: string, processor: string): readonly string[] {
  const architectures = new Set([ARCHITECTURES[processor] ?? processor, "amd64", "arm64"]);
  return [...architectures].map((architecture) => `${system}_${architecture}`);
}
