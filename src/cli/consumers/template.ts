/** Fills a user's template with a token, for programs that read none of the formats (`tenancy token write --template`). */
import type { TokenSecret } from "../../engine";
import { consumerUnfit, usage } from "../../problems";
import { nearest } from "../../lib/values";
import { apiUrl, base64, type Consumer } from "./formats";
import { type Handover, markerOf, RESTART_READERS } from "./handover";

/** `{{ name }}` or `{{ name | filter }}`; a text in quotation marks stands for itself. */
const PLACEHOLDER = /\{\{(.*?)\}\}/g;
const INSIDE = /^\s*(?:"([^"]*)"|(\w+))\s*(?:\|\s*(\w+)\s*)?$/;

const FILTERS: Readonly<Record<string, (text: string) => string>> = {
  base64,
  json: (text) => JSON.stringify(text),
  shell: (text) => `'${text.replaceAll("'", String.raw`'\''`)}'`,
};

/** @throws consumerUnfit for a placeholder or a filter that is not known */
export function filledTemplate(
  file: string,
  template: string,
  token: TokenSecret,
  consumer: Consumer,
): Handover {
  for (const option of ["namespace", "driver", "name"] as const)
    if (consumer[option] !== undefined)
      throw usage.error({
        problem: `--template takes no --${option}`,
        advice: "Write it into the template.",
      });
  const marker = markerOf(token);
  const { host, hostname } = new URL(token.baseUrl);
  const values: Readonly<Record<string, string>> = {
    access_token: token.secret,
    api_url: apiUrl(token),
    base_url: token.baseUrl,
    host,
    hostname,
    login: token.login,
    marker,
    name: token.name,
    serial: token.serial,
    ssl_verify_peer: String(consumer.verifiesPeer),
  };
  let isMarked = false;
  const text = template.replace(PLACEHOLDER, (whole, inside: string) => {
    const [, literal, name = "", filter] = INSIDE.exec(inside) ?? [];
    const value = literal ?? (Object.hasOwn(values, name) ? values[name] : undefined);
    if (value === undefined) throw unknownPart(file, whole, name, Object.keys(values), "placeholder");
    if (filter === undefined) {
      isMarked ||= name === "marker";
      return value;
    }
    const filtered = Object.hasOwn(FILTERS, filter) ? FILTERS[filter] : undefined;
    if (filtered === undefined) throw unknownPart(file, whole, filter, Object.keys(FILTERS), "filter");
    return filtered(value);
  });
  return { text, marker: isMarked ? marker : undefined, afterwards: RESTART_READERS };
}

function unknownPart(
  file: string,
  whole: string,
  name: string,
  known: readonly string[],
  noun: string,
): Error {
  const near = nearest(name, known);
  return consumerUnfit.error({
    problem: `${file}: ${JSON.stringify(whole)} is no ${noun}`,
    advice: near === undefined ? `There are ${known.join(", ")}.` : `Did you mean ${near}?`,
  });
}
