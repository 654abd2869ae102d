/** The stacks of a new project: each is deployed to a service of its own, and promoted in the order in which they were named. */
import { parseBaseUrl } from "../../api";
import { usage } from "../../problems";

export interface Deployment {
  /** Name of the stack, and of its environment at the host. It is also part of the names of jobs, branches and artifacts. */
  readonly name: string;
  /** Without `/api`. */
  readonly baseUrl: string;
  /** Scheme, host and port, as `TENANCY_ALLOWED_ORIGINS` has them. */
  readonly origin: string;
}

/** True for a name that hosts accept for branches, jobs and environments, and that a shell reads as one word. */
export function isFitForPipelines(name: string): boolean {
  return /^[a-z][a-z0-9-]{0,30}$/.test(name);
}

/**
 * @param texts as `staging=https://storage.example`
 * @throws usage, invalidSetting, plainHttp
 */
export function deploymentsOf(texts: readonly string[]): readonly Deployment[] {
  const deployments = texts.map((text) => {
    const at = text.indexOf("=");
    if (at === -1) throw unfitEnvironment(`--environment "${text}" has no address`);
    return deployment(text.slice(0, at), text.slice(at + 1), "--environment");
  });
  const twice = deployments.find(
    ({ name }, at) => deployments.findIndex((other) => other.name === name) !== at,
  );
  if (twice !== undefined) throw unfitEnvironment(`--environment "${twice.name}" is given twice`);
  return deployments;
}

/** @throws usage, invalidSetting, plainHttp */
export function deployment(name: string, url: string, option: "--base-url" | "--environment"): Deployment {
  if (!isFitForPipelines(name))
    throw unfitEnvironment(
      `"${name}" is no name of an environment: small letters, digits and hyphens, beginning with a letter`,
    );
  const baseUrl = url
    .trim()
    .replace(/\/+$/, "")
    .replace(/\/api$/, "");
  parseBaseUrl(baseUrl, option);
  return { name, baseUrl, origin: new URL(baseUrl).origin };
}

function unfitEnvironment(problem: string): Error {
  return usage.error({ problem, advice: "Such as --environment staging=https://storage.example." });
}
