import { devDependencies, engines, name as ourName, version } from "../../../package.json";
import type { Answers } from "./answers";

/** The versions that this package is itself tested with. */
export function packageJson({ name }: Answers): string {
  return json({
    name,
    version: "0.0.0",
    private: true,
    engines,
    scripts: {
      test: "tsc --noEmit && jest",
      plan: "tenancy plan",
      apply: "tenancy apply",
    },
    dependencies: {
      cdktf: devDependencies.cdktf,
      [ourName]: `^${version}`,
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

export function cdktfJson({ name }: Answers): string {
  return json({
    language: "typescript",
    // Not by npx: to find the program would take longer than to run it.
    app: `node --require ${ourName}/register main.ts`,
    projectId: name,
    sendCrashReports: "false",
    terraformProviders: [],
    terraformModules: [],
    // Write-only attributes need them where Terraform is used in place of the embedded engine.
    context: { targetVersions: { terraform: ">=1.11.0", opentofu: ">=1.11.0" } },
  });
}

export function tsconfigJson(): string {
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

export function jestConfig(): string {
  return `module.exports = {
  testMatch: ["<rootDir>/*.test.ts"],
  transform: { "^.+\\\\.ts$": ["@swc/jest", { jsc: { target: "es2022", parser: { syntax: "typescript" } } }] },
};
`;
}

export function gitignore(): string {
  return `node_modules/
cdktf.out/

# What Terraform writes where no backend is declared: it holds secrets.
*.tfstate*
.terraform/

# The credential store. Encrypted (TENANCY_STORE_KEY is set) it may be committed; plain it must not be.
.tenancy/
`;
}

function json(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
