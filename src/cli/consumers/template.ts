/** Fills a template with a token: one of a format, or one of the user's own (`tenancy token write --template`). */
import type { TokenSecret } from "../../engine";
import { usage } from "../../problems";
import { nearest } from "../../lib/values";
import { type Consumer, type Handover, markerOf, RESTART_READERS } from "./handover";

/** `{{ name }}` or `{{ name | filter }}`; a text in quotation marks is used as it is. */
const PLACEHOLDERS = /\{\{(.*?)\}\}/g;
const INSIDE = /^\s*(?:"([^"]*)"|(\w+))\s*(?:\|\s*(\w+)\s*)?$/;

const FILTERS: Readonly<Record<string, (text: string) => string>> = {
  base64: (text) => Buffer.from(text, "utf8").toString("base64"),
  json: (text) => JSON.stringify(text),
  shell: (text) => `'${text.replaceAll("'", String.raw`'\''`)}'`,
};

/** A line with a placeholder whose value is undefined is left out. */
export type PlaceholderValues = Readonly<Record<string, string | undefined>>;

/** The placeholders that every template may hold. */
export function placeholderValues(token: TokenSecret, verifiesPeer: boolean): PlaceholderValues {
  const { host, hostname } = new URL(token.baseUrl);
  return {
    access_token: token.secret,
    api_url: `${token.baseUrl.replace(/\/+$/, "")}/api`,
    base_url: token.baseUrl,
    host,
    hostname,
    login: token.login,
    marker: markerOf(token),
    name: token.name,
    serial: token.serial,
    ssl_verify_peer: String(verifiesPeer),
  };
}

/** @throws usage for a placeholder or a filter that is not known, and for an option that only formats have */
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
  const { text, isMarked } = fillIn(file, template, placeholderValues(token, consumer.verifiesPeer));
  return { text, marker: isMarked ? markerOf(token) : undefined, afterwards: RESTART_READERS };
}

/** @returns the text, and whether it holds the marker as it is */
export function fillIn(
  file: string,
  template: string,
  values: PlaceholderValues,
): { readonly text: string; readonly isMarked: boolean } {
  let isMarked = false;
  const lines = template.split(/(?<=\n)/).map((line) => {
    let isComplete = true;
    const text = line.replace(PLACEHOLDERS, (whole, inside: string) => {
      const [, literal, name = "", filter] = INSIDE.exec(inside) ?? [];
      if (literal === undefined && !Object.hasOwn(values, name))
        throw unknownPart(file, whole, name, Object.keys(values), "placeholder");
      if (filter !== undefined && !Object.hasOwn(FILTERS, filter))
        throw unknownPart(file, whole, filter, Object.keys(FILTERS), "filter");
      isMarked ||= name === "marker" && filter === undefined;
      const value = literal ?? values[name];
      isComplete &&= value !== undefined;
      return FILTERS[filter ?? ""]?.(value ?? "") ?? value ?? "";
    });
    return isComplete ? text : "";
  });
  return { text: lines.join(""), isMarked };
}

function unknownPart(
  file: string,
  whole: string,
  name: string,
  known: readonly string[],
  noun: string,
): Error {
  const near = nearest(name, known);
  return usage.error({
    problem: `${file}: ${JSON.stringify(whole)} is no ${noun}`,
    advice: near === undefined ? `There are ${known.join(", ")}.` : `Did you mean ${near}?`,
  });
}
