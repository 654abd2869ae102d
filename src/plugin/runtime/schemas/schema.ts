/** What a provider's configuration, its resources and its data sources are made of. */
import { type Type } from "../cty/type";

/** What is true of every attribute. Descriptions are Markdown. */
interface Traits {
  readonly description?: string;
  /** The user must set it. */
  readonly required?: boolean;
  /** The user may set it. */
  readonly optional?: boolean;
  /** The provider sets it, where the user doesn't. */
  readonly computed?: boolean;
  /** Terraform hides it in its output; it is in the state all the same. */
  readonly sensitive?: boolean;
  /** In configuration only, never in plan or state. Needs `required` or `optional`; for managed resources only. */
  readonly writeOnly?: boolean;
  /** What to use instead, or true. */
  readonly deprecated?: boolean | string;
}

/** An attribute with a value of one type. */
export interface PlainAttribute extends Traits {
  readonly type: Type;
  readonly nested?: never;
}

/** An attribute that has attributes. */
export interface NestedAttribute extends Traits {
  readonly nested: Nested;
  readonly type?: never;
}

export type Attribute = PlainAttribute | NestedAttribute;

export interface Attributes {
  readonly [name: string]: Attribute;
}

/** One object, or a collection of objects, each with these attributes. */
export interface Nested {
  readonly nesting: "single" | "list" | "set" | "map";
  readonly attributes: Attributes;
}

/** A block in a block. `group` is a single one that is never null. */
export interface NestedBlock {
  readonly nesting: "single" | "group" | "list" | "set" | "map";
  readonly block: Block;
  readonly minItems?: number;
  readonly maxItems?: number;
}

export interface Block {
  readonly attributes?: Attributes;
  readonly blocks?: { readonly [name: string]: NestedBlock };
  readonly description?: string;
  /** What to use instead, or true. */
  readonly deprecated?: boolean | string;
}

export interface Schema extends Block {
  /** Counts up when stored state needs an upgrade. @default 0 */
  readonly version?: number;
}
