/** The embedded service with tenants in it, as a process of its own: the size as JSON in the first argument. */
import { ownedUuid } from "../../../src/ownership";
import { startSimulator } from "../../../src/simulator";
import { RIGHTS } from "../../../src/resources/rights";
import { accountBody, OWNER, userBody, type Size } from "./tenants";

async function main(): Promise<void> {
  const size = JSON.parse(process.argv[2] ?? "{}") as Size;
  const simulator = await startSimulator({ record: false });
  for (let account = 0; account < size.accounts; account++) {
    const { provisioning, ...body } = accountBody(account);
    const key = { owner: OWNER, account: body.name } as const;
    simulator.records.createAccount({
      ...body,
      provisioning: { ...provisioning, size_reserve_max: null, iops_reserve_max: null, tags_permit: null },
      uuid: ownedUuid({ ...key, kind: "account" }),
      user_uuid: ownedUuid({ ...key, kind: "primary" }),
    });
    for (let user = 0; user < size.usersPerAccount; user++) {
      const profile = userBody(account, user);
      const uuid = ownedUuid({ ...key, kind: "user_profile", username: profile.username });
      simulator.records.createProfile(body.name, { ...profile, permissions: exact(profile.permissions), uuid });
    }
  }
  process.stdout.write(
    `${JSON.stringify({ baseUrl: simulator.baseUrl, username: simulator.username, password: simulator.password })}\n`,
  );
  process.on("SIGTERM", () => process.exit(0));
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
