/**
 * Makes generated constructs cost what they declare. The generators' classes make a reference object for each nested attribute as soon as a
 * construct is made, and each such object captures a stack trace; at synthesis they hand over every attribute, also those that nobody has
 * set, and the library looks for tokens in all of them. Here reference objects are made when somebody asks for them, and only what is set is
 * handed over. What is synthesized stays the same.
 */

/** @throws Error where a source is not written as the generators wrote them when this was made: nothing is left eager without a word */
export function lean(source: string): string {
  return refusingUnknown(withoutUnset(madeWhenAsked(source)));
}

const CONSTRUCTOR =
  /^ {2}public constructor\(scope: Construct, id: string, config: \w+(?: = \{\})?\) \{[\s\S]*?^ {2}\}$/gm;

/** A construct refuses members that it does not have, instead of ignoring them; so do the objects in it. */
function refusingUnknown(source: string): string {
  const interfaces = new Map(
    [...source.matchAll(/^export interface (\w+)[^{]*\{\n([\s\S]*?)^\}/gm)].map(
      ([, type = "", body = ""]) => [
        type,
        [...body.matchAll(/^ {2}readonly (\w+)\??: (\w+)/gm)].map(([, name = "", of = ""]) => ({ name, of })),
      ],
    ),
  );
  const inside = (type: string, path: readonly string[]): readonly string[] =>
    (interfaces.get(type) ?? []).flatMap(({ name, of }) => {
      const members = interfaces.get(of);
      if (members === undefined) return [];
      const place = [...path, name];
      const names = JSON.stringify(members.map((member) => member.name));
      const owner = `'${JSON.stringify(place.join("."))} of ' + this.constructor.name`;
      return [
        `    refuseUnknownMembers(config.${place.join("?.")}, ${names}, ${owner}, { construct: this });`,
        ...inside(of, place),
      ];
    });
  const checked = source.replace(CONSTRUCTOR, (body) => {
    const names = [...new Set([...body.matchAll(/\bconfig\.(\w+)/g)].map(([, name]) => name))];
    const [, type = ""] = /config: (\w+)/.exec(body) ?? [];
    const checks = [
      `    refuseUnknownMembers(config, ${JSON.stringify(names)}, this.constructor.name, { construct: this });`,
      ...inside(type, []),
    ];
    return body.replace(/^ {4}\}\);$/m, `    });\n${checks.join("\n")}`);
  });
  if (checked === source) return source;
  const at = checked.indexOf("\n\n");
  return `${checked.slice(0, at)}\nimport { refuseUnknownMembers } from "../../members";${checked.slice(at)}`;
}

const EAGER = /^ {2}private _(\w+) = new ([\w.]+)\((this, .*)\);$/gm;

function madeWhenAsked(source: string): string {
  // A member's name says nothing about another class of the file: there it may be a plain value.
  const lazy = classesOf(source).map((text) => {
    const names = [...text.matchAll(EAGER)].map(([, name = ""]) => name);
    if (names.length === 0) return text;
    const either = `this\\._(${names.join("|")})`;
    return text
      .replace(
        EAGER,
        (_line, name: string, made: string, arguments_: string) =>
          `  private _${name}Made?: ${made};\n` +
          `  private get _${name}(): ${made} {\n` +
          `    return (this._${name}Made ??= new ${made}(${arguments_}));\n  }`,
      )
      .replace(
        new RegExp(`^( +)(${either}\\.internalValue = (undefined|(?:config|value)\\.\\w+);)$`, "gm"),
        (_line, indent: string, assignment: string, name: string, value: string) =>
          `${indent}if (this._${name}Made !== undefined${value === "undefined" ? "" : ` || ${value} !== undefined`}) ${assignment}`,
      )
      .replace(
        new RegExp(`${either}\\??\\.internalValue(?! = )`, "g"),
        (_read, name: string) => `this._${name}Made?.internalValue`,
      );
  });
  const text = lazy.join("");
  const eager = /^ {2}private _\w+ = new .*/m.exec(text);
  if (eager !== null) throw unexpected(eager[0]);
  return text;
}

/** The source in parts, of which each but the first begins with a class. */
function classesOf(source: string): readonly string[] {
  return source.split(/^(?=export class )/m);
}

const TO_TERRAFORM =
  /^export function \w+ToTerraform\([\s\S]*?^\}$|^ {2}protected synthesizeAttributes\(\)[\s\S]*?^ {2}\}$/gm;
const HANDED_OVER = /^( +)return \{\n((?:.+,\n)*)\1\};?$/m;

function withoutUnset(source: string): string {
  return source.replace(TO_TERRAFORM, (body) => {
    // What is written as HCL leaves out what is not set by itself.
    if (body.includes("HclTerraform(struct")) return body;
    const handedOver = HANDED_OVER.exec(body);
    if (handedOver === null) throw unexpected(body);
    const [text, indent = "", members = ""] = handedOver;
    const lines = members
      .split("\n")
      .slice(0, -1)
      .map((line) => indent + memberIfSet(line));
    return body.replace(text, () =>
      [`${indent}const set: { [name: string]: any } = {};`, ...lines, `${indent}return set;`].join("\n"),
    );
  });
}

function memberIfSet(line: string): string {
  const [, name, value, input] = /^ +(\w+): (.*\(((?:this|struct!)\.[\w?.]+)\)+),$/.exec(line) ?? [];
  if (name === undefined || value === undefined || input === undefined) throw unexpected(line);
  return `if (${input} !== undefined) set["${name}"] = ${value};`;
}

function unexpected(text: string): Error {
  return new Error(`not as the generators wrote it: ${text.trim()}`);
}
