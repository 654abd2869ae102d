/** The TypeScript types of the values that a schema describes, so that the compiler knows what a resource may return. */
import { type ObjectValue, type Unknown, type Value } from "../../../values";
import { type Type } from "../cty/type";
import { type Attribute, type Attributes, type NestedBlock, type Schema } from "./schema";

/** A value that may not be known yet: `U` is `Unknown` for those, `never` where all is known. */
type Part<T extends Type, U> = OfType<T, U> | null | U;

type OfType<T extends Type, U> = T extends "string"
  ? string
  : T extends "number"
    ? number | bigint
    : T extends "bool"
      ? boolean
      : T extends "dynamic"
        ? Exclude<Value, null | Unknown> | U
        : T extends readonly ["list" | "set", infer E extends Type]
          ? readonly Part<E, U>[]
          : T extends readonly ["map", infer E extends Type]
            ? { readonly [key: string]: Part<E, U> }
            : T extends readonly ["object", infer M extends { readonly [name: string]: Type }]
              ? { readonly [N in keyof M]: Part<M[N], U> }
              : readonly Value[];

/** `W`: whether write-only attributes have their value, as in configuration, or are null, as in plans and states. */
type OfAttribute<A extends Attribute, U, W> = A extends { readonly writeOnly: true }
  ? W extends true
    ? Bare<A, U, W> | null
    : null
  : A extends { readonly required: true }
    ? Bare<A, U, W>
    : Bare<A, U, W> | null;

type Bare<A extends Attribute, U, W> = A extends { readonly type: infer T extends Type }
  ? OfType<T, U> | U
  : A extends {
        readonly nested: { readonly nesting: infer N; readonly attributes: infer M extends Attributes };
      }
    ? | (N extends "single"
          ? Members<M, U, W>
          : N extends "map"
            ? { readonly [key: string]: Members<M, U, W> }
            : readonly Members<M, U, W>[])
      | U
    : Value;

type Members<M extends Attributes, U, W> = { readonly [N in keyof M]: OfAttribute<M[N], U, W> };

type OfBlock<S extends Schema, U, W> = string extends keyof S["attributes"]
  ? ObjectValue
  : Members<NonNullable<S["attributes"]>, U, W> &
      (S["blocks"] extends { readonly [name: string]: NestedBlock }
        ? { readonly [N in keyof S["blocks"]]: Value }
        : unknown);

/** A wide `Schema`, not known to the compiler in its parts, has objects of any shape; they are checked when they are sent. */
type Of<S extends Schema, U, W> = Schema extends S ? ObjectValue : OfBlock<S, U, W>;

/** What the user wrote; parts may be unknown while planning. */
export type ConfigOf<S extends Schema> = Of<S, Unknown, true>;
/** What the user wrote, once all of it is known. */
export type KnownConfigOf<S extends Schema> = Of<S, never, true>;
/** What an object will be; parts may be unknown. */
export type PlanOf<S extends Schema> = Of<S, Unknown, false>;
/** What an object is. */
export type StateOf<S extends Schema> = Of<S, never, false>;
