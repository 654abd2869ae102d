/** The lock file installs the same packages on every platform, from every registry. */
import { readFileSync } from "node:fs";
import { join } from "node:path";

interface Locked {
  readonly version?: string;
  readonly integrity?: string;
  readonly resolved?: string;
  /** Comes within another package. */
  readonly inBundle?: boolean;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

const file = readFileSync(join(__dirname, "..", "package-lock.json"), "utf8");
const { packages } = JSON.parse(file) as { readonly packages: Readonly<Record<string, Locked>> };

/** What a package finds under a name: in its own folder, or in one of those above. */
function found(from: string, name: string): Locked | undefined {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf("node_modules/") - 1))) {
    const locked = packages[`${folder === "" ? "" : `${folder}/`}node_modules/${name}`];
    if (locked !== undefined || folder === "") return locked;
  }
}

test("each optional package, such as that of another platform, is locked with its integrity", () => {
  const optional = Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies).map((name) => ({ path, name, locked: found(path, name) })),
  );
  // esbuild and the compilers of Rust have one for each platform.
  expect(optional.length).toBeGreaterThan(50);
  const missing = optional.filter(
    ({ locked }) => locked?.integrity === undefined && locked?.inBundle !== true,
  );
  expect(missing.map(({ path, name }) => `${name}, of ${path}`)).toEqual([]);
});

test("every package is locked with its integrity, and none to a registry", () => {
  const { "": _root, ...others } = packages;
  const open = Object.entries(others).filter(
    ([, { integrity, inBundle }]) => integrity === undefined && !inBundle,
  );
  expect(open.map(([path]) => path)).toEqual([]);
  expect(Object.keys(others).filter((path) => others[path]?.resolved !== undefined)).toEqual([]);
  expect(file).not.toContain("://registry.");
});
