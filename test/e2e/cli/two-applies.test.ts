/** Two real processes apply to one service with one state: covers src/engine/plan.ts and src/cli/verbs/locked-plan.ts. */
import { commandProjects } from "../../support/command";
import { built, type Ended, tenancy } from "../../support/built-command";

const start = commandProjects();

beforeAll(built, 300_000);

const USERS = 60;

/** A project whose users all have an e-mail address at the variable `domain`. */
async function projectOfUsers() {
  const project = await start();
  const users = Array.from({ length: USERS }, (_, index) => `user-${index}`);
  await project.declare({
    prod: {
      provider: { tenancy: [{}] },
      variable: { domain: { type: "string" } },
      resource: {
        tenancy_account: { acme: { name: "acme", permissions: {} } },
        tenancy_user_profile: Object.fromEntries(
          users.map((username) => [
            username,
            {
              username,
              account_id: "${tenancy_account.acme.id}",
              email: `${username}@\${var.domain}`,
              permissions: {},
            },
          ]),
        ),
      },
    },
  });
  const words = (domain: string) => ["apply", "--yes", "--parallelism", "1", "--var", `domain=${domain}`];
  const { folder, environment, service } = project;
  const apply = (domain: string, onOutput?: (printed: string) => void, more: readonly string[] = []) =>
    tenancy([...words(domain), ...more], { folder, environment, ...(onOutput && { onOutput }) });
  const domains = () =>
    new Set(
      service.records.profiles
        .map(({ email }) => String(email ?? "").split("@")[1])
        .filter((domain) => domain !== undefined && domain !== ""),
    );
  return { apply, domains };
}

test("the second of two applies plans after the first has ended, and its declaration holds in full", async () => {
  const { apply, domains } = await projectOfUsers();
  expect(await apply("two.example")).toMatchObject({ code: 0 });

  let second: Promise<Ended> | undefined;
  const first = await apply("one.example", (printed) => {
    if (printed.includes("reading ")) second ??= apply("two.example");
  });
  expect(first).toMatchObject({ code: 0 });
  const { code, stdout, stderr } = await second!;
  expect(stderr).toMatch(
    /waiting up to 20s for another run, which holds the state: process \d+ on \S+ since 20\d\d-/,
  );
  // It waits before it asks the service anything.
  expect(stderr.indexOf("waiting up to")).toBeLessThan(stderr.indexOf("reading "));
  expect({ code, stdout: stdout.match(/Applied: .*/)?.[0] }).toEqual({
    code: 0,
    stdout: `Applied: ${USERS} updated.`,
  });
  expect(domains()).toEqual(new Set(["two.example"]));
});

test("a run that has waited for --lock-timeout fails, says who holds the lock, and has sent nothing", async () => {
  const { apply, domains } = await projectOfUsers();
  await apply("one.example");
  let second: Promise<Ended> | undefined;
  const first = await apply("two.example", (printed) => {
    if (printed.includes("reading ")) second ??= apply("three.example", undefined, ["--lock-timeout", "0s"]);
  });
  const { code, stderr } = await second!;
  expect({ code, first: first.code }).toEqual({ code: 1, first: 0 });
  expect(stderr).toMatch(/Error TENANCY_STATE_LOCKED: .* process \d+ on \S+ since 20\d\d-/);
  expect(stderr).not.toContain("reading ");
  expect(domains()).toEqual(new Set(["two.example"]));
});
