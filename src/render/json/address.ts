/** The parts of a resource's address. */

export interface AddressParts {
  readonly mode: "managed" | "data";
  readonly type: string;
  readonly name: string;
  /** Key of the instance, with `count` or `for_each`. */
  readonly index: string | number | undefined;
  /** Without the key of the instance. */
  readonly resource: string;
}

/** @param address `tenancy_account.acme`, `tenancy_account.acme["eu"]`, `data.tenancy_status.s[0]` */
export function addressParts(address: string): AddressParts {
  const bracket = address.indexOf("[");
  const resource = bracket < 0 ? address : address.slice(0, bracket);
  const steps = resource.split(".");
  const data = steps[0] === "data";
  const [type = "", name = ""] = data ? steps.slice(1) : steps;
  return { mode: data ? "data" : "managed", type, name, index: indexOf(address, bracket), resource };
}

function indexOf(address: string, bracket: number): string | number | undefined {
  if (bracket < 0) return undefined;
  return JSON.parse(address.slice(bracket + 1, -1)) as string | number;
}
