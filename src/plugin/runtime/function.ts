/** What the author of a provider function writes. */
import { type Value } from "../../values";
import { type Type } from "./cty/type";
import { type Awaitable } from "./resource";

export interface Parameter {
  readonly name: string;
  readonly type: Type;
  readonly description?: string;
  /** Whether null may be passed; otherwise Terraform refuses it. */
  readonly allowNull?: boolean;
  /** Whether unknown values may be passed; otherwise Terraform takes the result for unknown without asking. */
  readonly allowUnknown?: boolean;
}

export interface FunctionDefinition {
  readonly summary?: string;
  readonly description?: string;
  readonly deprecated?: string;
  readonly parameters?: readonly Parameter[];
  /** Takes all further arguments. */
  readonly variadic?: Parameter;
  readonly returns: Type;
  /**
   * Arguments come in order, the variadic ones at the end. Functions are pure: they run before the provider is configured.
   * @throws FunctionFailure to blame one argument.
   */
  call(...args: readonly Value[]): Awaitable<Value>;
}
