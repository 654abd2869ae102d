/** Which way requests take: straight, or through the proxy that the environment names. */
import { BlockList, isIP } from "node:net";
import { InvalidUrl } from "../errors";

/** What `HTTPS_PROXY` and `NO_PROXY` hold. */
export interface ProxySettings {
  readonly https?: string | undefined;
  /** Host names (with their subdomains), addresses, `10.0.0.0/8`, each with `:port` or without; `*` for all. */
  readonly no?: string | undefined;
}

/** The proxy settings of an environment, in capitals or small letters (these win, as with curl). */
export function proxyFromEnvironment(
  environment: Readonly<Record<string, string | undefined>>,
): ProxySettings {
  return {
    https: environment["https_proxy"] ?? environment["HTTPS_PROXY"],
    no: environment["no_proxy"] ?? environment["NO_PROXY"],
  };
}

/**
 * The proxy for an origin. Plain http goes to this machine only, and never through one.
 * @throws InvalidUrl
 */
export function proxyFor(origin: string, settings: ProxySettings | undefined): URL | undefined {
  const address = settings?.https?.trim();
  const target = new URL(origin);
  if (!address || target.protocol !== "https:" || isExempt(target, settings?.no ?? "")) return undefined;
  const text = /^[a-z][a-z\d+.-]*:\/\//i.test(address) ? address : `http://${address}`;
  if (!URL.canParse(text)) throw new InvalidUrl("HTTPS_PROXY", "it is not a valid URL");
  const url = new URL(text);
  if (url.protocol !== "http:" && url.protocol !== "https:")
    throw new InvalidUrl("HTTPS_PROXY", `${url.protocol} proxies are not supported`);
  if (!isDecodable(url.username + url.password))
    throw new InvalidUrl("HTTPS_PROXY", "a % in its username or password must be written as %25");
  return url;
}

function isDecodable(text: string): boolean {
  try {
    return decodeURIComponent(text) !== undefined;
  } catch {
    return false;
  }
}

function isExempt(target: URL, exemptions: string): boolean {
  const host = target.hostname.replace(/^\[|\]$/g, "");
  const port = target.port === "" ? "443" : target.port;
  return exemptions
    .toLowerCase()
    .split(/[,\s]+/)
    .filter((entry) => entry !== "")
    .some((entry) => {
      const [, name = entry, itsPort] = /^(.*?):(\d+)$/.exec(isIP(entry) === 6 ? "" : entry) ?? [];
      return (itsPort === undefined || itsPort === port) && covers(name.replace(/^\[|\]$/g, ""), host);
    });
}

function covers(entry: string, host: string): boolean {
  if (entry === "*") return true;
  const [network = "", prefix] = entry.split("/");
  if (prefix !== undefined) return inSubnet(network, Number(prefix), host);
  const name = entry.replace(/^\*?\./, "");
  return host === name || host.endsWith(`.${name}`);
}

function inSubnet(network: string, prefix: number, host: string): boolean {
  const family = isIP(network);
  if (family === 0 || isIP(host) !== family) return false;
  if (!Number.isInteger(prefix) || prefix > (family === 4 ? 32 : 128)) return false;
  const subnet = new BlockList();
  const kind = family === 4 ? "ipv4" : "ipv6";
  subnet.addSubnet(network, prefix, kind);
  return subnet.check(host, kind);
}
