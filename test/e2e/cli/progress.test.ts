/** An apply at a terminal while the service is away for a while: what it shows, and that it ends well. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { commandProjects } from "../../support/command";
import { built, COMMAND } from "../../support/built-command";
import { describeWith } from "../../support/programs";

beforeAll(built);
const start = commandProjects();

// By hand, with the acceptance's own figures: USERS=2000 OUTAGE_MS=45000
const USERS = Number(process.env["USERS"] ?? 200);
const OUTAGE_MS = Number(process.env["OUTAGE_MS"] ?? 5_000);
const LATENCY_MS = 60;

describeWith(["script"], "at a terminal", ({ script }) => {
  test(
    "an apply goes on after an outage, and shows how far it is, how long it takes, and why it waits",
    async () => {
      const project = await start();
      await project.declare({ prod: tenantWith(USERS) });
      let posts = 0;
      project.service.fail({
        method: "POST",
        path: "/api/user-profile",
        where: () => posts++ >= USERS / 2,
        status: 503,
        lasts: OUTAGE_MS,
      });
      project.service.fail({ delay: LATENCY_MS, times: Infinity });

      const { code, output } = await recorded(script, project.folder, project.environment);

      expect(output).toContain(`Applied: ${USERS + 1} created.`);
      expect(code).toBe(0);
      expect(project.service.records.profiles.filter(({ login }) => login.endsWith("@acme"))).toHaveLength(
        USERS,
      );
      const lines = output.split(/[\r\n]+/);
      const matching = (pattern: RegExp) => lines.filter((line) => pattern.test(line));
      expect(matching(/^\[\d+\/\d+\] \d.* s, about .* s left · creating /)).not.toEqual([]);
      expect(
        matching(/^\[\d+\/\d+\] \d.* s · 503 from POST \/api\/user-profile, attempt \d+, next in \d+ s/),
      ).not.toEqual([]);
    },
    OUTAGE_MS + USERS * 100 + 60_000,
  );
});

/** Runs `tenancy apply` in a pseudo-terminal of its own. */
async function recorded(script: string, folder: string, environment: Readonly<Record<string, string>>) {
  const child = spawn(
    script,
    ["-qec", `stty cols 120; ${process.execPath} ${COMMAND} apply --yes`, "/dev/null"],
    {
      cwd: folder,
      env: { PATH: process.env["PATH"], TERM: "xterm", ...environment },
      stdio: ["ignore", "pipe", "pipe"],
    },
  );
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (piece: Buffer) => (output += piece.toString()));
  const [code] = (await once(child, "close")) as [number | null];
  return { code, output };
}

function tenantWith(users: number): Record<string, unknown> {
  const profiles: [string, object][] = Array.from({ length: users }, (_, index) => [
    `u${index}`,
    { username: `u${index}`, account_id: "${tenancy_account.acme.id}", permissions: {} },
  ]);
  return {
    provider: { tenancy: [{}] },
    resource: {
      tenancy_account: { acme: { name: "acme", permissions: {} } },
      tenancy_user_profile: Object.fromEntries(profiles),
    },
  };
}
