/** The embedded service with tenants in it, as a process of its own: their size as JSON in the first argument. */
import { derivedUuid } from "../../../src/ownership";
import { RIGHTS } from "../../../src/service/rights";
import { startSimulator, type Simulator } from "../../../src/lib/simulator";
import type { Ready, Request } from "./service";
import { accountBody, OWNER, userBody, type Size } from "./tenants";

async function main(): Promise<void> {
  let seen: Request[] = [];
  const simulator = await startSimulator({
    record: false,
    onRequest: ({ method, path, body }) => seen.push({ method, path, body }),
  });
  seed(simulator, JSON.parse(process.argv[2] ?? "{}") as Size);
  process.on("message", () => {
    process.send?.(seen);
    seen = [];
  });
  const { baseUrl, username, password } = simulator;
  process.send?.({ baseUrl, username, password } satisfies Ready);
}

/** As an apply of the same tenants would have made them. */
function seed({ records }: Simulator, { accounts, usersPerAccount }: Size): void {
  for (let account = 0; account < accounts; account++) {
    const { provisioning, ...body } = accountBody(account);
    records.createAccount({
      ...body,
      provisioning: { ...provisioning, size_reserve_max: null, iops_reserve_max: null, tags_permit: null },
      uuid: derivedUuid(OWNER, { kind: "account", names: [body.name] }),
      user_uuid: derivedUuid(OWNER, { kind: "primary", names: [body.name] }),
    });
    for (let user = 0; user < usersPerAccount; user++) {
      const profile = userBody(account, user);
      const uuid = derivedUuid(OWNER, { kind: "user_profile", names: [body.name, profile.username] });
      records.createProfile(body.name, { ...profile, permissions: exact(profile.permissions), uuid });
    }
  }
}

/** Every right, true or false: what is not named is denied. */
function exact(permissions: ReturnType<typeof userBody>["permissions"]) {
  const named: Readonly<Record<string, Readonly<Record<string, boolean>>>> = { vss: permissions.vss.rights };
  const groups = Object.entries(RIGHTS).map(([group, rights]) => [
    group,
    { rights: Object.fromEntries(rights.map((right) => [right, named[group]?.[right] ?? false])) },
  ]);
  const all = Object.fromEntries(groups) as Record<string, object>;
  return { ...all, vss: { ...all["vss"], all_account_scope: true } };
}

void main();
