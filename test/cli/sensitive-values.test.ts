/** No output of any verb shows a secret: covers src/render and src/engine with sensitive variables. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { commandProjects } from "../support/command";

const start = commandProjects();

const SECRETS = ["keeper", "other", "password", "word"] as const;

const sensitive = { type: "string", sensitive: true };

/** Secrets flow into everything that may hold one, as a whole or as an element. */
const stack = {
  provider: { tenancy: [{}] },
  variable: Object.fromEntries(SECRETS.map((name) => [name, sensitive])),
  resource: {
    tenancy_account: {
      acme: {
        name: "acme",
        password_wo: "${var.password}",
        password_wo_version: 1,
        permissions: {},
      },
    },
    tenancy_authorization: {
      csi: {
        login: "acme",
        name: "csi",
        password_wo: "${var.password}",
        keepers: { "${var.word}": "x", plain: "y", kept: "${var.keeper}" },
        depends_on: ["tenancy_account.acme"],
      },
    },
    terraform_data: { kept: { input: { plain: "shown", secret: "${var.keeper}" } } },
    null_resource: { kept: { triggers: { plain: "shown", secret: "${var.keeper}" } } },
  },
  output: { kept: { value: "${var.keeper}", sensitive: true } },
};

const changed = {
  ...stack,
  resource: {
    ...stack.resource,
    tenancy_account: { acme: { ...stack.resource.tenancy_account.acme, password_wo_version: 2 } },
    tenancy_authorization: {
      csi: {
        ...stack.resource.tenancy_authorization.csi,
        retain_previous: 9,
        keepers: { kept: "${var.other}" },
      },
    },
  },
};

function environment(round: string): Record<string, string> {
  const canaries = SECRETS.map((name): [string, string] => [`TF_VAR_${name}`, `canary-${name}-${round}`]);
  return {
    ...Object.fromEntries(canaries),
    TF_VAR_password: "canary-password",
  };
}

test("what comes from sensitive variables is in no plan, no file and no event, before or after", async () => {
  const project = await start();
  const printed: string[] = [];
  const run = async (words: readonly string[], round: string): Promise<void> => {
    const { code, stdout, stderr } = await project.tenancy(words, { environment: environment(round) });
    expect(stdout + stderr).not.toMatch(/Error:? /);
    expect(code).toBe(0);
    printed.push(stdout, stderr);
  };
  const life: readonly (readonly [declared: object, round: string])[] = [
    [stack, "1"],
    [stack, "1"],
    [changed, "1"],
    [changed, "2"],
  ];
  for (const [declared, round] of life) {
    await project.declare({ prod: declared });
    await run(["plan"], round);
    await run(["plan", "--json"], round);
    await run(["plan", "--out", "plan.json"], round);
    printed.push(await readFile(join(project.folder, "plan.json"), "utf8"));
    await run(["apply", "--yes", "--json"], round);
  }
  await run(["destroy", "--yes", "--json", "--allow-account-deletion", "prod"], "2");
  expect(printed.join("").match(/.{0,60}canary.{0,20}/g)).toBeNull();
});

test("a sensitive keeper is shown by nothing once it is declared no more", async () => {
  const project = await start();
  const declared = (keepers?: object, lifecycle = {}) => ({
    provider: { tenancy: [{}] },
    variable: { keeper: sensitive },
    resource: {
      tenancy_account: { acme: { name: "acme", permissions: {} } },
      tenancy_user_profile: {
        csi: { account_id: "${tenancy_account.acme.id}", username: "csi", permissions: {} },
      },
      ...(keepers !== undefined && {
        tenancy_authorization: {
          csi: {
            login: "${tenancy_user_profile.csi.login}",
            name: "csi",
            login_with: "temporary_password",
            keepers,
            lifecycle,
          },
        },
      }),
    },
  });
  const printed: string[] = [];
  const run = async (code: number, ...words: readonly string[]): Promise<string> => {
    const done = await project.tenancy(words, { environment: { TF_VAR_keeper: "canary-keeper" } });
    expect([done.code, done.stderr]).toEqual([code, expect.not.stringMatching(/Error:? /)]);
    printed.push(done.stdout, done.stderr);
    return done.stdout;
  };
  await project.declare({ prod: declared({ seed: "${var.keeper}" }) });
  await run(0, "apply", "--yes");
  for (const later of [
    declared({ seed: "plain" }),
    declared({}),
    declared(),
    declared({ seed: "plain" }, { ignore_changes: ["keepers"] }),
  ]) {
    await project.declare({ prod: later });
    await run(0, "plan", "--all");
    await run(0, "plan", "--markdown", "-");
    await run(0, "plan", "--html", "-");
    await run(0, "plan", "--json", "--out", "plan.json");
    await run(0, "plan", "--destroy", "--json", "--allow-account-deletion");
    await run(3, "drift", "--json");
    await run(0, "snapshot", "--out", "snapshot.json");
    for (const file of ["plan.json", "snapshot.json"])
      printed.push(await readFile(join(project.folder, file), "utf8"));
  }
  await project.declare({ prod: declared({ seed: "plain" }) });
  await run(0, "apply", "--yes");
  await run(0, "apply", "--yes");
  expect(printed.join("").match(/.{0,60}canary.{0,20}/g)).toBeNull();
  await project.declare({ prod: declared({ seed: "other" }) });
  expect(await run(0, "plan", "--retire-early")).toContain("plain");
});

test("a plan for programs tells which values it hides, and shows the others", async () => {
  const project = await start();
  await project.declare({ prod: stack });
  await project.tenancy(["apply", "--yes"], { environment: environment("1") });
  const { stdout } = await project.tenancy(["plan", "--json"], { environment: environment("1") });
  expect(JSON.parse(stdout)).toMatchObject({
    resource_changes: [
      {
        address: "tenancy_account.acme",
        change: {
          before: { password_wo: null },
          after: { password_wo: null },
          before_sensitive: { password_wo: true },
          after_sensitive: { password_wo: true },
        },
      },
      {
        address: "tenancy_authorization.csi",
        change: {
          before_sensitive: { access_token: true, keepers: true },
          after_sensitive: { access_token: true, keepers: true },
        },
      },
    ],
    planned_values: {
      root_module: {
        resources: expect.arrayContaining([
          expect.objectContaining({
            address: "terraform_data.kept",
            values: expect.objectContaining({ input: { plain: "shown", secret: null } }) as object,
            sensitive_values: { input: { secret: true }, output: { secret: true } },
          }),
          expect.objectContaining({
            address: "null_resource.kept",
            values: { id: null, triggers: { plain: "shown", secret: null } },
            sensitive_values: { id: true, triggers: { secret: true } },
          }),
        ]) as object,
      },
    },
    output_changes: {
      kept: { before: null, after: null, before_sensitive: true, after_sensitive: true },
    },
  });
});

describe("whatever becomes of a run, it tells nothing that comes from a sensitive variable", () => {
  const environment = {
    TF_VAR_name: "canary-name",
    TF_VAR_key: "canary-key",
    TF_VAR_number: "31415926",
  };
  const base = {
    provider: { tenancy: [{}] },
    variable: { name: sensitive, key: sensitive, number: sensitive },
  };
  const acme = { name: "acme", permissions: {} };
  const jane = { account_id: "${tenancy_account.acme.id}", username: "jane", permissions: {} };
  const laterOr = (variable: string) => `tenancy_account.acme.id == "x" ? "a" : ${variable}`;
  const stacks: Readonly<Record<string, object>> = {
    "names and keepers": {
      ...base,
      resource: {
        tenancy_account: { acme: { ...acme, name: "${var.name}" } },
        tenancy_user_profile: { jane: { ...jane, username: "${var.name}" } },
        tenancy_authorization: {
          ci: {
            login: "${tenancy_user_profile.jane.login}",
            name: "${var.name}",
            login_with: "temporary_password",
            keepers: { "${var.key}": "x" },
          },
        },
      },
    },
    "numbers, telephones and scopes": {
      ...base,
      resource: {
        tenancy_account: { acme: { ...acme, limits_vss_num: "${var.number}" } },
        tenancy_user_profile: {
          jane: { ...jane, sms: "+${var.number}", node_scope: ["node:1:${var.number}"] },
        },
      },
    },
    "an account that is not there": {
      ...base,
      resource: { tenancy_user_profile: { jane: { ...jane, account_id: "${var.name}" } } },
    },
    "an owner": {
      ...base,
      provider: { tenancy: [{ owner: "${var.name}" }] },
      resource: { tenancy_account: { acme } },
    },
    "a postcondition that the apply judges": {
      ...base,
      resource: {
        tenancy_account: {
          acme: {
            ...acme,
            lifecycle: {
              postcondition: [{ condition: '${self.id == "x"}', error_message: "not ${var.name}" }],
            },
          },
        },
      },
    },
    "a data source that the apply reads": {
      ...base,
      resource: { tenancy_account: { acme } },
      data: { tenancy_account: { d: { name: "${var.name}", depends_on: ["tenancy_account.acme"] } } },
    },
    "a key that the apply looks for": {
      ...base,
      resource: {
        tenancy_account: { acme },
        terraform_data: { late: { input: `\${ {a = 1}[${laterOr("var.key")}] }` } },
      },
    },
    "a right that the apply learns of": {
      ...base,
      resource: {
        tenancy_account: { acme },
        tenancy_user_profile: { jane: { ...jane, permissions: `\${ {(${laterOr("var.key")}) = true} }` } },
      },
    },
  };

  test.each(Object.entries(stacks))("%s", async (_name, declared) => {
    const project = await start();
    await project.declare({ prod: declared });
    let printed = "";
    for (const words of [
      "validate",
      "plan --all --html page.html --markdown comment.md --out plan.json",
      "plan --json",
      "apply plan.json --require-approval access",
      "apply --yes --json",
      "plan --all",
      "drift",
      "drift --json",
      "doctor",
      "destroy --yes --allow-account-deletion",
    ]) {
      const { stdout, stderr } = await project.tenancy(words.split(" "), { environment });
      printed += stdout + stderr;
    }
    for (const file of ["page.html", "comment.md", "plan.json"])
      printed += await readFile(join(project.folder, file), "utf8").catch(() => "");
    expect(printed.match(/.{0,60}(canary|31415926).{0,20}/g)).toBeNull();
  });
});
