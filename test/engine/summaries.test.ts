/** Services that leave out members of records, in lists or everywhere: a member that is not shown is never taken for an empty one. */
import { plain } from "../../src/render/text/paint";
import { viewText } from "../../src/render/text";
import { planView } from "../../src/render/view";
import { type Answered, alteredService } from "../support/altered-service";
import { actions, codes, projects } from "../support/projects";
import { writeStack } from "../support/synthesized-app";

const start = projects();

/**
 * A stack after its apply: the permissions of the account are not declared, those of its user jane are, and eve is made by hand.
 * @param alter changes the answers of the next plan
 */
async function planOfApplied(alter: (path: string, answer: Answered) => Answered) {
  const project = await start({ behaviors: ["summaryLists"] });
  writeStack(project.folder, {
    provider: { tenancy: [{ owner: "acme-platform" }] },
    resource: {
      tenancy_account: { acme: { name: "acme" } },
      tenancy_user_profile: {
        jane: {
          account_id: "${tenancy_account.acme.id}",
          username: "jane",
          permissions: { "vss.manage_snapshots": true },
        },
      },
    },
  });
  const { requests, baseUrl, records } = project.service;
  let isApplied = false;
  const url = await alteredService(baseUrl, ({ path }, answer) => (isApplied ? alter(path, answer) : answer));
  const options = { environment: { TENANCY_BASE_URL: url } };
  const stack = { name: "prod", outdir: project.folder };
  await project.apply(stack, { ...options, initState: true });

  records.createProfile("acme", {
    username: "eve",

    permissions: { vss: { rights: { resize_disks: true } } },
  });
  isApplied = true;
  const before = requests.length;
  const plan = await project.plan(stack, options);
  const text = viewText(planView(plan, { all: true }), plain);
  return { plan, text, reads: requests.slice(before).filter(({ method }) => method === "GET") };
}

test("lists of summaries are completed by one read of each account and user", async () => {
  const { plan, text, reads } = await planOfApplied((_path, answer) => answer);
  expect(actions(plan)).toEqual([]);
  expect(codes(plan.warnings)).toEqual(["TENANCY_UNDECLARED_PERMISSIONS"]);
  expect(text).toContain('"acme" has 39 rights that no configuration declares');
  expect(text).toMatch(/eve@acme\s+39 rights/);
  // The log-in aside: the caller, two lists, two accounts and four users.
  expect(reads).toHaveLength(9);
});

test("permissions that no answer shows are neither denied nor none", async () => {
  const { plan, text } = await planOfApplied((_path, { status, body }) => {
    const revised = JSON.stringify(body, (name, value: unknown) =>
      name === "permissions" ? undefined : value,
    );
    return { status, body: JSON.parse(revised) as unknown };
  });
  expect(actions(plan)).toEqual(["update tenancy_user_profile.jane"]);
  expect(text).toContain("sent once, because the service does not show the live value: permissions");
  expect(text).toContain('The service does not show the rights of "acme".');
  expect(text).toMatch(/eve@acme\s+rights not shown/);
});

test("records that may not be read one by one stay summaries, and the plan names them", async () => {
  const { plan, text } = await planOfApplied((path, answer) =>
    path.includes("/user-profile/") && (answer.body as { login: string }).login !== "system"
      ? { status: 403, body: {} }
      : answer,
  );
  expect(codes(plan.warnings)).toEqual(["TENANCY_LIST_REFUSED", "TENANCY_UNDECLARED_PERMISSIONS"]);
  expect(text).toContain("3 records were not read one by one");
  expect(text).toMatch(/eve@acme\s+rights not shown/);
});
