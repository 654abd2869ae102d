/** The pages of a team that the tutorial shows: a pull request with its plan, and the issue about drift, as the pipelines of GitHub write them in a real run. */
import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { strFromU8, unzipSync } from "fflate";
import { Permissions } from "../../src";
import { built, tenancy } from "../../test/support/built-command";
import { PipedProject } from "../../test/support/piped-project";

/** Pages by the name of their picture. */
export async function teamPages(): Promise<Readonly<Record<string, string>>> {
  await built();
  const folder = await realpath(await mkdtemp(join(tmpdir(), "picture-")));
  const project = await PipedProject.start(folder, ["platform"]);
  const { api } = project.host;
  try {
    // Two users are live, and the pipeline has a snapshot of them.
    project.mergeCommit(project.branch(declared(project, 10, Permissions.operator())).sha);
    const applied = await tenancy(["apply", "platform", "--yes"], {
      folder: project.clone,
      environment: { ...project.statePlace, ...project.credentials("platform") },
    });
    if (applied.code !== 0) throw new Error(applied.stderr);
    await project.pushed();

    // A pull request lets jane do more. At night the pipeline finds a change by hand.
    const wider = declared(project, 20, Permissions.operator().allow("vss.format_disks"));
    await project.pullRequest(wider);
    project.services["platform"]?.records.patchProfile("csi@acme", {
      permissions: { vss: { rights: { remove_vss: true } } },
    });
    await project.nightly();

    const origin = project.services["platform"]?.baseUrl ?? "";
    const atService = (text = "") =>
      text.replaceAll(origin, "https://storage.example").replaceAll(/file:\/\/[^)]*/g, "https://github.com");
    const [comment, issue, status] = [api.comments.at(-1), api.issues.at(-1), api.statuses.at(-1)];
    const pages = unzipSync(api.artifacts.find(({ name }) => name === "tenancy-pages")?.zip ?? Buffer.of());
    const check = `<p class="check">✗ <b>${status?.context}</b> — ${status?.description}</p>`;
    return {
      "pull-request.png": await hostPage(
        "Let jane format disks",
        "commented",
        atService(comment?.body),
        check,
      ),
      "pull-request-page.png": atService(strFromU8(pages["platform.html"] ?? new Uint8Array())),
      "drift-issue.png": await hostPage(issue?.title ?? "", "opened this issue", atService(issue?.body)),
    };
  } finally {
    await project.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** The account acme and its two users, as the tutorial declares them. */
function declared(project: PipedProject, limit: number, jane: Permissions): Record<string, string> {
  const user = (username: string, permissions: Permissions, others: object = {}) => ({
    ...{ account_id: "${tenancy_account.acme.id}", username, ...others },
    ...{ access_web: true, access_api: true, vss_scope: ["*"] },
    permissions: permissions.toAttributes().permissions,
  });
  const stacks = JSON.parse(project.stacks([], limit)) as { platform: { resource: object } };
  const users = {
    jane: user("jane", jane, { email: "jane@acme.example" }),
    csi: user("csi", Permissions.none().allow("vss.manage_snapshots")),
  };
  Object.assign(stacks.platform.resource, { tenancy_user_profile: users });
  return { "stacks.json": JSON.stringify(stacks) };
}

/** A text of Markdown in a frame like that of a host of repositories. @param below HTML that follows the comment, such as a check */
async function hostPage(title: string, deed: string, text: string, below = ""): Promise<string> {
  const { createMarkdownRenderer } = await import("vitepress");
  const renderer = await createMarkdownRenderer(tmpdir(), { html: true });
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><style>${STYLE}</style></head><body>
<h1>${title}</h1>
<article><header><b>github-actions</b> <i>bot</i> ${deed}</header><div>${renderer.render(text)}</div></article>
${below}</body></html>`;
}

const STYLE = `
body { font: 14px/1.5 -apple-system, "Segoe UI", "Liberation Sans", Arial, sans-serif; color: #1f2328; margin: 20px 24px }
h1 { font-size: 24px; font-weight: 400 } h3 { font-size: 18px } h4 { font-size: 14px } h3, h4 { margin: 16px 0 8px }
article, .check { border: 1px solid #d1d9e0; border-radius: 6px }
header { background: #f6f8fa; border-bottom: 1px solid #d1d9e0; padding: 8px 16px; color: #59636e } header b { color: #1f2328 }
i { font-style: normal; font-size: 12px; border: 1px solid #d1d9e0; border-radius: 1em; padding: 0 6px } article div { padding: 0 16px 8px }
code { font: 85% "Liberation Mono", monospace; background: #eff1f3; border-radius: 6px; padding: .2em .4em }
table { border-collapse: collapse } td, th { border: 1px solid #d1d9e0; padding: 6px 13px; text-align: left; vertical-align: top }
a { color: #0969da } .check { padding: 12px 16px; color: #d1242f } .check b { color: #1f2328 } .header-anchor { display: none }
`;
