/** The description of one attribute: the single source of its schema, validation, diff, wire form and documentation. */
import type { Path, Value } from "../values";

export type Scalar = "string" | "integer" | "bool";

/** What an attribute holds. */
export type Shape =
  | { readonly kind: Scalar }
  | { readonly kind: "list" | "set" | "map"; readonly of: Scalar }
  /** A single nested object. */
  | { readonly kind: "group"; readonly attributes: Attributes }
  /** A list of nested objects. */
  | { readonly kind: "groups"; readonly attributes: Attributes };

export type Attributes = Readonly<Record<string, Attribute>>;

/**
 * Who gives the value.
 * - `required`, `optional`: the user alone;
 * - `managed`: the user where declared, else the service ("optional and computed");
 * - `computed`: the service alone.
 */
export type Presence = "required" | "optional" | "managed" | "computed";

export type Format = "uuid" | "email" | "hex" | "duration" | "timeout" | "login" | "header" | "sharedSecret";

/** The limits of spec section 8, checked while planning. */
export interface Constraints {
  /** Length in characters, both ends included. */
  readonly length?: readonly [min: number, max: number];
  readonly oneOf?: readonly string[];
  readonly format?: Format;
  /** A substring that must not occur. */
  readonly without?: string;
  /** Smallest integer. @default the least that 64 bits hold */
  readonly min?: number;
}

/** Which calls take the attribute as a parameter. */
export type SentWith = "create" | "update" | "both" | "never";

export interface AttributeFacts {
  /** One sentence or more, Markdown. */
  readonly description: string;
  readonly shape: Shape;
  readonly presence: Presence;
  readonly constraints: Constraints;
  readonly sentWith: SentWith;
  /** Where the value stands in a create or PATCH body, relative to the parent; default: the attribute's own name. */
  readonly writtenTo?: Path;
  /** Where it stands in an answer, relative to the parent, where that differs. */
  readonly readPath?: Path;
  /** What part of the text that stands there is the value; default: all of it. */
  readonly readPart?: (text: string) => string;
  /** Whether answers show it at all. False for what only the client knows, and for write-only values. */
  readonly shown: boolean;
  /** A change destroys the object and makes a new one. */
  readonly forcesReplacement: boolean;
  readonly sensitive: boolean;
  /** A secret: never in state or plan. Its version attribute has the same name and the ending `_version`. */
  readonly writeOnly: boolean;
  /** The service accepts null, so `unset` may name it. */
  readonly nullable: boolean;
  /** The service shows only part of the value (`******4567`). */
  readonly masked: boolean;
  /** Planned where the attribute is absent although the group around it is declared; such groups are managed whole. */
  readonly whenAbsent?: Value;
  /** Planned where only the client knows the attribute and the configuration is silent. */
  readonly defaultValue?: Value;
  /** Names of siblings; when one of them changes, this computed value may change with it. */
  readonly follows: readonly string[];
  /** Sent along with an update when one of these siblings changes; never by itself. */
  readonly accompanies: readonly string[];
  /** The record that holds it, where that is not the object's own: an account's primary user profile. */
  readonly of: "self" | "primary";
  /** Kind of object that the value refers to by id. */
  readonly refersTo?: string;
  readonly deprecated?: string;
  /** Default of the service, for the documentation only. */
  readonly serviceDefault?: string;
}

/** An attribute, with the words in which descriptions are written. Immutable: each word gives a new attribute. */
export class Attribute implements AttributeFacts {
  declare readonly description: string;
  declare readonly shape: Shape;
  declare readonly presence: Presence;
  declare readonly constraints: Constraints;
  declare readonly sentWith: SentWith;
  declare readonly writtenTo?: Path;
  declare readonly readPath?: Path;
  declare readonly readPart?: (text: string) => string;
  declare readonly shown: boolean;
  declare readonly forcesReplacement: boolean;
  declare readonly sensitive: boolean;
  declare readonly writeOnly: boolean;
  declare readonly nullable: boolean;
  declare readonly masked: boolean;
  declare readonly whenAbsent?: Value;
  declare readonly defaultValue?: Value;
  declare readonly follows: readonly string[];
  declare readonly accompanies: readonly string[];
  declare readonly of: "self" | "primary";
  declare readonly refersTo?: string;
  declare readonly deprecated?: string;
  declare readonly serviceDefault?: string;

  constructor(facts: Partial<AttributeFacts> & Pick<AttributeFacts, "description" | "shape">) {
    const defaults = {
      presence: "managed",
      constraints: {},
      sentWith: "both",
      shown: true,
      forcesReplacement: false,
      sensitive: false,
      writeOnly: false,
      nullable: false,
      masked: false,
      follows: [],
      accompanies: [],
      of: "self",
    } satisfies Partial<AttributeFacts>;
    Object.assign(this, defaults, facts);
  }

  private with(facts: Partial<AttributeFacts>): Attribute {
    return new Attribute({ ...(this as AttributeFacts), ...facts });
  }

  /** The user must give it. */
  required(): Attribute {
    return this.with({ presence: "required" });
  }

  /** Only the service gives it. `follows` names the siblings that it may change with. */
  computed(options: { follows?: readonly string[] } = {}): Attribute {
    return this.with({ presence: "computed", sentWith: "never", follows: options.follows ?? [] });
  }

  /** A change destroys the object and makes a new one, so no PATCH carries it. */
  replaces(): Attribute {
    return this.with({ forcesReplacement: true, sentWith: this.sentWith === "never" ? "never" : "create" });
  }

  /** Only a create takes it. */
  onCreate(): Attribute {
    return this.with({ sentWith: "create" });
  }

  /** Only an update takes it. */
  onUpdate(): Attribute {
    return this.with({ sentWith: "update" });
  }

  /** A parameter that no answer shows. */
  notShown(): Attribute {
    return this.with({ shown: false, presence: "optional" });
  }

  /** Known to the client alone: neither sent nor shown. */
  clientOnly(defaultValue?: Value): Attribute {
    return this.with({
      sentWith: "never",
      shown: false,
      presence:
        this.presence === "required" ? "required" : defaultValue === undefined ? "optional" : "managed",
      ...(defaultValue !== undefined && { defaultValue }),
    });
  }

  /** Known to the client alone, which finds it out where the user does not say it. */
  foundOut(): Attribute {
    return this.with({ sentWith: "never", shown: false, presence: "managed" });
  }

  /** A parameter that no answer shows; sent with a create, and with an update when one of the siblings changes. */
  accompanying(...siblings: readonly string[]): Attribute {
    return this.with({ shown: false, presence: "optional", accompanies: siblings });
  }

  /** Its texts are of these. */
  among(values: readonly string[]): Attribute {
    return this.with({ constraints: { ...this.constraints, oneOf: values } });
  }

  /** The service accepts null for it. */
  orNull(): Attribute {
    return this.with({ nullable: true });
  }

  /** The service shows only part of it. */
  shownMasked(): Attribute {
    return this.with({ masked: true });
  }

  /**
   * Where answers hold it, where that is not its own name: `sms.number`.
   * @param part takes the value out of the text that stands there
   */
  readFrom(path: string, part?: (text: string) => string): Attribute {
    return this.with({ readPath: path.split("."), ...(part !== undefined && { readPart: part }) });
  }

  /** Where request bodies hold it, where that is not its own name: `two_factor.secret`. */
  writeTo(path: string): Attribute {
    return this.with({ writtenTo: path.split(".") });
  }

  /** What is planned when it is absent from a declared group. */
  absentMeans(value: Value): Attribute {
    return this.with({ whenAbsent: value });
  }

  /** Belongs to the account's primary user profile. */
  ofPrimary(): Attribute {
    return this.with({ of: "primary" });
  }

  secret(): Attribute {
    return this.with({ sensitive: true });
  }

  /** A secret that no state and no plan may hold. */
  onlyWritten(): Attribute {
    return this.with({ sensitive: true, writeOnly: true, shown: false, presence: "optional" });
  }

  /** What the service takes when nothing is given; for the documentation. */
  defaultsTo(text: string): Attribute {
    return this.with({ serviceDefault: text });
  }
}
