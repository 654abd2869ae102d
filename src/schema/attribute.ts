/** Describes one attribute. Schema, validation, diff, wire form and documentation all follow from this description. */
import type { ObjectValue, Path, Value } from "../lib/values";

export type Scalar = "string" | "integer" | "bool";

/** The kind of value that an attribute has. */
export type AttributeShape =
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

/** The limits of spec section 8, checked while planning. */
export interface Constraints {
  /** Length in characters, both ends included. */
  readonly length?: readonly [min: number, max: number];
  readonly oneOf?: readonly string[];
  readonly format?:
    "uuid" | "email" | "hex" | "day" | "duration" | "timeout" | "login" | "header" | "sharedSecret" | "phone";
  /** A substring that must not occur. */
  readonly without?: string;
  /** An element of a set that has a meaning of its own, and so must be the only one. */
  readonly alone?: string;
  /** The rights that a map may name. */
  readonly keys?: Keys;
  /** Smallest integer. @default the least that 64 bits hold */
  readonly min?: number;
}

/** The rights that a map may name. */
export interface Keys {
  readonly known: readonly string[];
  /** A sentence for the message that suggests the right: the right lets its holder do this. */
  readonly explain: (right: string) => string;
  /** The rights that took the place of one that the API deprecates; undefined for all others. */
  readonly successors: (right: string) => readonly string[] | undefined;
}

/**
 * Reads an attribute from answers and writes it into request bodies, if its value is not simply one of their members. `siblings` are the attributes of
 * the same object: a codec may look at them.
 */
export interface Codec {
  /** The member of an answer that shows it. */
  readonly member: string;
  /** The value that a record shows; undefined if the record shows nothing of it. */
  read(record: ObjectValue): Value | undefined;
  /** The part of a shown value that state holds. @default all of it */
  state?(shownValue: Value, siblings: ObjectValue | null): Value;
  /**
   * The declared parts that the record shows otherwise, each with the step from the attribute to it.
   * @default the value is compared as a whole
   */
  differences?(declaredValue: Value, record: ObjectValue, siblings: ObjectValue): readonly Difference[];
  /**
   * Members of a request body that bring the object from prior to planned; an empty object where nothing is to be sent.
   * @param prior null for a create
   */
  write(planned: ObjectValue, prior: ObjectValue | null): ObjectValue;
  /** The place in the attribute that a member of a request body came from; undefined if the member is of another attribute. */
  attributeOf(member: Path): Path | undefined;
}

export interface Difference {
  /** Path from the attribute on. */
  readonly path: Path;
  readonly value: Value;
  readonly shown: Value;
}

/** An object of the API, whose members are separate attributes. */
export interface ApiObject {
  readonly name: string;
  /** One sentence or more, for the constructs that keep the object. */
  readonly description: string;
  /** In the constructs that keep the object, a member that is absent has no value, or is empty. */
  readonly whole: boolean;
}

/** The snapshots that hold the value: all, only snapshots with a managed record, or only full ones on request. */
export type Privacy = "public" | "personal" | "internal";

/** The calls that take the attribute as a parameter. */
type SentWith = "create" | "update" | "both" | "never";

export interface AttributeFacts {
  /** One sentence or more, Markdown. */
  readonly description: string;
  readonly shape: AttributeShape;
  readonly presence: Presence;
  readonly constraints: Constraints;
  readonly sentWith: SentWith;
  /** The path of the value in a create or PATCH body, relative to the parent. @default the attribute's own name */
  readonly writtenTo?: Path;
  /** The path in an answer, relative to the parent. @default the attribute's own name */
  readonly readPath?: Path;
  /** The part of the text that is the value; default: all of it. */
  readonly readPart?: (text: string) => string;
  /** The object of the API that it is a member of, where there is one. */
  readonly memberOf?: ApiObject;
  /** Reads it from answers and writes it into bodies, if that takes more than a path. */
  readonly codec?: Codec;
  /** True if answers show it. False for client-only attributes and write-only values. */
  readonly shown: boolean;
  /** A change destroys the object and makes a new one. */
  readonly forcesReplacement: boolean;
  readonly sensitive: boolean;
  /** A secret: never in state or plan. Its version attribute has the same name and the ending `_version`. */
  readonly writeOnly: boolean;
  /** Its values may be sensitive: they are compared, and neither sent nor shown. True of every write-only attribute. */
  readonly takesSensitive: boolean;
  /** The service accepts null, so `unset` may name it. */
  readonly nullable: boolean;
  /** The service shows only part of the value (`******4567`). */
  readonly masked: boolean;
  readonly privacy: Privacy;
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
  declare readonly shape: AttributeShape;
  declare readonly presence: Presence;
  declare readonly constraints: Constraints;
  declare readonly sentWith: SentWith;
  declare readonly writtenTo?: Path;
  declare readonly readPath?: Path;
  declare readonly readPart?: (text: string) => string;
  declare readonly memberOf?: ApiObject;
  declare readonly codec?: Codec;
  declare readonly shown: boolean;
  declare readonly forcesReplacement: boolean;
  declare readonly sensitive: boolean;
  declare readonly writeOnly: boolean;
  declare readonly takesSensitive: boolean;
  declare readonly nullable: boolean;
  declare readonly masked: boolean;
  declare readonly privacy: Privacy;
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
      takesSensitive: false,
      nullable: false,
      masked: false,
      privacy: "public",
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

  /** The service shows only part of it, since it is personal. */
  shownMasked(): Attribute {
    return this.with({ masked: true, privacy: "personal" });
  }

  /** Personal data: a snapshot holds it only if a stack manages the record. */
  personal(): Attribute {
    return this.with({ privacy: "personal" });
  }

  /** No stack manages it: only a full snapshot holds it. */
  internal(): Attribute {
    return this.with({ privacy: "internal" });
  }

  /**
   * Answers have it at this path, not under its own name: `sms.number`.
   * @param part takes the value out of the text at the path
   */
  readFrom(path: string, part?: (text: string) => string): Attribute {
    return this.with({ readPath: path.split("."), ...(part !== undefined && { readPart: part }) });
  }

  /** Request bodies have it at this path, not under its own name: `two_factor.secret`. */
  writeTo(path: string): Attribute {
    return this.with({ writtenTo: path.split(".") });
  }

  /** Answers and bodies hold it in a form of its own. */
  codedBy(codec: Codec): Attribute {
    return this.with({ codec });
  }

  /**
   * A member of an object of the API, which answers and bodies hold in that object.
   * @param nameOf the attribute names of its siblings
   */
  within(memberOf: ApiObject, name: string, nameOf: (sibling: string) => string): Attribute {
    const { readPath = [name], writtenTo = [name], follows } = this;
    return this.with({
      memberOf,
      readPath: [memberOf.name, ...readPath],
      writtenTo: [memberOf.name, ...writtenTo],
      follows: follows.map(nameOf),
    });
  }

  /** Belongs to the account's primary user profile. */
  ofPrimary(): Attribute {
    return this.with({ of: "primary" });
  }

  secret(): Attribute {
    return this.with({ sensitive: true });
  }

  /** Sensitive values may flow into it, although it is no secret itself. */
  orSensitive(): Attribute {
    return this.with({ takesSensitive: true });
  }

  /** A secret that no state and no plan may hold. */
  onlyWritten(): Attribute {
    return this.with({
      sensitive: true,
      writeOnly: true,
      takesSensitive: true,
      shown: false,
      presence: "optional",
    });
  }

  /** The service's default, for the documentation. */
  defaultsTo(text: string): Attribute {
    return this.with({ serviceDefault: text });
  }
}
