/** Where the service is, and what may be asked of it there. */
import { InvalidReference, InvalidUrl, PlainHttp } from "../errors";
import { plainText } from "../values";

/** What gave the address: the provider's attribute, the variable of the environment, or the option of a verb. */
export type BaseUrlSetting = "base_url" | "TENANCY_BASE_URL" | "--base-url";

/** A checked base URL. */
export interface BaseUrl {
  /** Scheme, host and port: what credentials are bound to. */
  readonly origin: string;
  /** Origin and, where the service lives below one, the path; without a slash at the end. */
  readonly base: string;
}

/**
 * Checks the address of the service.
 * @throws InvalidUrl, PlainHttp
 */
export function parseBaseUrl(text: string, setting: BaseUrlSetting = "base_url"): BaseUrl {
  const url = URL.canParse(text.trim()) ? new URL(text.trim()) : undefined;
  if (url === undefined) throw new InvalidUrl(setting, "it is not a valid URL");
  if (url.protocol !== "https:" && url.protocol !== "http:")
    throw new InvalidUrl(setting, `it begins with ${plainText(url.protocol, 20)}, not https:`);
  if (url.username !== "" || url.password !== "")
    throw new InvalidUrl(setting, "it contains a username or a password");
  if (url.search !== "" || url.hash !== "")
    throw new InvalidUrl(setting, "it contains a query or a fragment");
  const path = url.pathname.replace(/\/+$/, "");
  if (/\/api$/i.test(path)) throw new InvalidUrl(setting, "it ends in /api, which is added to it");
  if (url.protocol === "http:" && !isLoopback(url.hostname)) throw new PlainHttp(setting, url.hostname);
  return { origin: url.origin, base: url.origin + path };
}

/** Whether a host name, as `URL` writes it, can only mean this very machine. */
export function isLoopback(hostname: string): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}

/**
 * An id or serial as one segment of a path.
 * @throws InvalidReference where it would make another path than meant
 */
export function segment(reference: string): string {
  if (reference === "" || reference === "." || reference === ".." || /\p{Surrogate}/u.test(reference))
    throw new InvalidReference(plainText(reference, 80));
  return encodeURIComponent(reference).replaceAll("%3A", ":");
}
