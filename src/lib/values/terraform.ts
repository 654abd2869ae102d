/** Defines schemas in the JSON that `terraform providers schema -json` prints, as far as the provider uses it. */

/** The type of a value. Every type here is known without the value. */
export type TerraformType =
  "string" | "number" | "bool" | readonly ["list" | "set" | "map", TerraformType] | TerraformObjectType;

export type TerraformObjectType = readonly ["object", Readonly<Record<string, TerraformType>>];

export type TerraformAttributes = Readonly<Record<string, TerraformAttribute>>;

export type TerraformAttribute = {
  readonly description?: string;
  readonly description_kind?: "markdown";
  /** The user must set it. */
  readonly required?: true;
  /** The user may set it. */
  readonly optional?: true;
  /** The provider sets it if the user doesn't. */
  readonly computed?: true;
  /** Terraform hides it in its output; state holds it all the same. */
  readonly sensitive?: true;
  /** It is in the configuration alone, never in a plan or state. */
  readonly write_only?: true;
  readonly deprecated?: true;
} & (
  | { readonly type: TerraformType; readonly nested_type?: undefined }
  | {
      /** One object, or a list of objects, each with these attributes. */
      readonly nested_type: {
        readonly nesting_mode: "single" | "list";
        readonly attributes: TerraformAttributes;
      };
      readonly type?: undefined;
    }
);

export interface TerraformSchema {
  /** Version of the layout of stored states. */
  readonly version: number;
  readonly block: {
    readonly attributes: TerraformAttributes;
    readonly description?: string;
    readonly description_kind?: "markdown";
  };
}
