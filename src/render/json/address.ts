/** Takes the addresses of resources apart. */

const MODULES = /^(?:module\.[^.[]+(?:\[(?:"(?:[^"\\]|\\.)*"|\d+)\])?\.)+/;

/** @param address `tenancy_account.acme`, `tenancy_account.acme["eu"]`, `data.tenancy_status.s[0]`, `module.a.tenancy_account.acme` */
export function addressParts(address: string): {
  /** The modules that the address leads through, with their instances: `module.a["x"].module.b.`; empty for the root. */
  readonly modules: string;
  /** The module of the object, with instance keys: `module.a["eu"]`; undefined for the root. */
  readonly module: string | undefined;
  readonly mode: "managed" | "data";
  readonly type: string;
  readonly name: string;
  /** Key of the instance, with `count` or `for_each`. */
  readonly index: string | number | undefined;
  /** Without the key of the instance. */
  readonly resource: string;
} {
  const [modules = ""] = MODULES.exec(address) ?? [];
  const local = address.slice(modules.length);
  const bracket = local.indexOf("[");
  const resource = bracket < 0 ? local : local.slice(0, bracket);
  const steps = resource.split(".");
  const data = steps[0] === "data";
  const [type = "", name = ""] = data ? steps.slice(1) : steps;
  return {
    modules,
    module: modules === "" ? undefined : modules.slice(0, -1),
    mode: data ? "data" : "managed",
    type,
    name,
    index: indexOf(local, bracket),
    resource: modules + resource,
  };
}

/** Addresses of imported plans may have any form: text that is no key counts as none. */
function indexOf(address: string, bracket: number): string | number | undefined {
  if (bracket < 0) return undefined;
  try {
    return JSON.parse(address.slice(bracket + 1, -1)) as string | number;
  } catch {
    return undefined;
  }
}
