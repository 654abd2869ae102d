/** Makes the files of a new project. */
import { devDependencies, engines, name as ourName, version } from "../../../package.json";
import type { Deployment } from "./deployments";
import { inclusionOf } from "./gitlab-pipeline";
import { type PipelineHost, pipelineFiles } from "./pipelines";
import { below, type Place } from "../../pipeline";

/** Text of each file, by its path in the repository. */
export function projectFiles(answers: Answers): Readonly<Record<string, string>> {
  const files = {
    "package.json": packageJson(answers),
    "tsconfig.json": tsconfigJson(),
    "cdktf.json": cdktfJson(answers),
    "jest.config.js": jestConfig(),
    "main.ts": mainFile(answers),
    "platform.ts": stackFile(),
    "platform.test.ts": testFile(),
    "README.md": readme(answers),
    ".gitignore": gitignore(),
  };
  const top = below(answers.place);
  const own = Object.fromEntries(Object.entries(files).map(([path, text]) => [top + path, text]));
  if (answers.ci === "none") return own;
  const stacks = answers.deployments.map(({ name }) => name);
  const pipelines = { stacks, place: answers.place, defaultBranch: "main", variables: [] };
  return { ...own, ...pipelineFiles(answers.ci, pipelines) };
}

/** Answers to the question about the pipelines' host. */
export const CI_HOSTS = ["github", "gitlab", "none"] as const satisfies readonly (PipelineHost | "none")[];
export type CiHost = (typeof CI_HOSTS)[number];

/** The settings of a new project. */
export interface Answers {
  /** Name of the folder, fit for package.json. */
  readonly name: string;
  /** In the order in which they are applied; at least one. */
  readonly deployments: readonly Deployment[];
  readonly ci: CiHost;
  /** As CODEOWNERS names them, separated by spaces. */
  readonly codeOwners: string;
  readonly place: Place;
  /** Name of the package file in the project's folder that Tenancy is installed from; undefined if it comes from a registry. */
  readonly packageFile?: string | undefined;
}

/** A file that all projects of a repository share: added to by hand where it is there already. */
interface SharedFile {
  /** The preferred place first, then other places that the host reads. The host uses only one of them. */
  readonly places: readonly [string, ...string[]];
  readonly text: string;
}

export function sharedFiles({ ci, codeOwners, place, packageFile }: Answers): readonly SharedFile[] {
  if (ci === "none") return [];
  const paths = ownedPaths(ci, place, packageFile);
  const owners: SharedFile = {
    places: codeOwnersPlaces(ci),
    text: `# These files decide about the commands of a pipeline, and about its rights.
${paths.map((path) => `${path} ${codeOwners}`).join("\n")}
`,
  };
  if (ci === "github") return [owners];
  return [{ places: [".gitlab-ci.yml"], text: inclusionOf(place) }, owners];
}

/** Paths at which CODEOWNERS can be; it is written to the first. */
export function codeOwnersPlaces(ci: PipelineHost): readonly [string, ...string[]] {
  return [`.${ci}/CODEOWNERS`, "CODEOWNERS", "docs/CODEOWNERS"];
}

/** Every file that decides about the work of a pipeline or about its rights. */
export function ownedPaths(ci: PipelineHost, place: Place, packageFile?: string): readonly string[] {
  const pipelines = ci === "github" ? ["/.github/"] : ["/.gitlab-ci.yml", "/.gitlab/"];
  // `npm ci` prefers a shrinkwrap to the lock file. A host prefers one place of this list to another: GitLab the top to `.gitlab`.
  const packages = ["package.json", "package-lock.json", "npm-shrinkwrap.json", ".npmrc"];
  if (packageFile !== undefined) packages.push(packageFile);
  const files = ["approvals/", "cdktf.json", ...packages].map((file) => `/${below(place)}${file}`);
  // Attributes make Git change files when it checks them out. Those of each folder above the project count.
  const attributes = foldersAbove(place).map((folder) => `/${folder}.gitattributes`);
  return [...pipelines, "/CODEOWNERS", "/docs/CODEOWNERS", ...attributes, ...files];
}

/** The top of the repository and each folder on the way to the project, the project's own among them: "", "teams/", "teams/platform/". */
function foldersAbove(place: Place): readonly string[] {
  const names = below(place).split("/").slice(0, -1);
  return ["", ...names.map((_name, index) => names.slice(0, index + 1).join("/") + "/")];
}

/** The versions that this package is itself tested with. */
function packageJson({ name, packageFile }: Answers): string {
  return json({
    name,
    version: "0.0.0",
    private: true,
    engines,
    scripts: {
      test: "tsc --noEmit && jest",
      plan: "tenancy plan",
      apply: "tenancy apply",
      drift: "tenancy drift",
      doctor: "tenancy doctor",
    },
    dependencies: {
      cdktf: devDependencies.cdktf,
      [ourName]: packageFile === undefined ? `^${version}` : `file:${packageFile}`,
      constructs: devDependencies.constructs,
    },
    devDependencies: {
      "@swc/core": devDependencies["@swc/core"],
      "@swc/jest": devDependencies["@swc/jest"],
      "@types/jest": devDependencies["@types/jest"],
      "@types/node": devDependencies["@types/node"],
      jest: devDependencies.jest,
      typescript: devDependencies.typescript,
    },
  });
}

function cdktfJson({ name }: Answers): string {
  return json({
    language: "typescript",
    // Not run by npx: finding the program would take longer than running it.
    app: `node --require ${ourName}/register main.ts`,
    projectId: name,
    sendCrashReports: "false",
    terraformProviders: [],
    terraformModules: [],
    // Write-only attributes need them where Terraform is used in place of the embedded engine.
    context: { targetVersions: { terraform: ">=1.11.0", opentofu: ">=1.11.0" } },
  });
}

function tsconfigJson(): string {
  return json({
    compilerOptions: {
      target: "es2022",
      module: "node16",
      moduleResolution: "node16",
      types: ["node", "jest"],
      strict: true,
      noUncheckedIndexedAccess: true,
      esModuleInterop: true,
      isolatedModules: true,
      skipLibCheck: true,
      noEmit: true,
    },
    include: ["*.ts"],
  });
}

function jestConfig(): string {
  return `module.exports = {
  testMatch: ["<rootDir>/*.test.ts"],
  // A busy machine takes longer than Jest's 5 seconds to load the constructs and to start a service.
  testTimeout: 60_000,
  transform: { "^.+\\\\.ts$": ["@swc/jest", { jsc: { target: "es2022", parser: { syntax: "typescript" } } }] },
};
`;
}

function gitignore(): string {
  return `node_modules/
cdktf.out/

# Terraform's files without a backend. They hold secrets.
*.tfstate*
.terraform/

# Plans and snapshots. They describe tenants and users.
*.plan
plan.json
*.snapshot

# The state. Encrypted (TENANCY_STATE_KEY is set) it may be committed; plain it must not be.
.tenancy/

# Keys, until the password manager has them.
state-key-*
snapshot-key
`;
}

function json(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

function mainFile({ deployments }: Answers): string {
  const stacks = deployments.map(
    ({ name, baseUrl }) => `new Platform(app, ${JSON.stringify(name)}, ${JSON.stringify(baseUrl)});`,
  );
  return `import { App } from "cdktf";
import { Platform } from "./platform";

const app = new App();
${stacks.join("\n")}
app.synth();
`;
}

function stackFile(): string {
  return `import { TerraformOutput, TerraformStack } from "cdktf";
import { Permissions, TenancyProvider, Tenant } from "tenancy";
import type { Construct } from "constructs";

/** The tenants of our storage. */
export class Platform extends TerraformStack {
  /** @param baseUrl of the service, without \`/api\` */
  constructor(scope: Construct, id: string, baseUrl: string) {
    super(scope, id);

    // Credentials come from the environment: TENANCY_USERNAME and TENANCY_PASSWORD, or TENANCY_TOKEN.
    new TenancyProvider(this, "service", { baseUrl });

    const acme = new Tenant(this, "acme", {
      name: "acme",
      permissions: Permissions.none(),
      primaryContact: { company: "Acme", email: "storage@acme.example" },
      limits: { vssNum: 10 },
      users: {
        jane: { email: "jane@acme.example", permissions: Permissions.operator() },
        csi: { permissions: Permissions.none().allow("vss.manage_snapshots") },
      },
      tokens: { "csi-prod": { user: "csi" } },
    });

    new TerraformOutput(this, "csi_token", { value: acme.token("csi-prod").accessToken, sensitive: true });
  }
}
`;
}

function testFile(): string {
  return `import { Testing } from "cdktf";
import { planOf, setupJest } from "tenancy/testing";
import { Platform } from "./platform";

setupJest();

test("the platform is made as declared, and the machine may do one thing only", async () => {
  const plan = await planOf(new Platform(Testing.app(), "platform", "https://storage.example"));
  expect(plan).toCreate("tenancy_account.acme");
  expect(plan).toGrantExactly("csi@acme", ["vss.manage_snapshots"]);
});
`;
}

/** The command's argument: if there are several stacks, one of them must be named. */
export function firstStack([first, ...others]: readonly Deployment[]): string {
  return first === undefined || others.length === 0 ? "" : ` ${first.name}`;
}

function readme({ name, ci, deployments, packageFile }: Answers): string {
  const stack = firstStack(deployments);
  const keptByPipelines = ci === "none" ? "" : `, as the pipelines in \`.${ci}\` do, on a branch of its own`;
  return `# ${name}

The tenants of our storage, declared in \`platform.ts\`.

\`\`\`sh
npm install
npm test                                    # without any service: against a simulated one
export TENANCY_USERNAME=… TENANCY_PASSWORD=…
${`npx tenancy doctor${stack}`.padEnd(43)} # is everything as it should be?
npx tenancy plan${stack}
npx tenancy apply${stack}
npx tenancy output${stack} csi_token --raw
\`\`\`

Without a service, run \`npx tenancy simulator\`: set the variables that it prints, and write its address into \`main.ts\`.

Tokens, and values that the service does not return, are kept in \`.tenancy/state.json\`. Set \`TENANCY_STATE_KEY\` to encrypt it (once
with \`tenancy apply --encrypt-state\`, if the file is there already); then it may be committed${keptByPipelines}.
${packageFile === undefined ? "" : aboutPackageFile(packageFile)}`;
}

function aboutPackageFile(packageFile: string): string {
  return `
\`${packageFile}\` is the package of Tenancy that \`npm install\` takes. Commit it. When the registry has the package, \`npm install
${ourName}@^${version}\` takes it from there, and you can delete the file.
`;
}
