/** Defines `Secret`: a value that no code, state or plan may hold. */
import { TerraformStack, TerraformVariable, Token } from "cdktf";
import { Construct } from "constructs";
import { invalidValue, literalSecret } from "../problems";
import { refuseUnknownMembers } from "./members";

/** Options of every secret. */
export interface SecretOptions {
  /**
   * Raise it when the value has changed: values cannot be compared, so only a new version sends the value again.
   *
   * @default 1
   */
  readonly version?: number;
}

/** Options of a secret that is the value of a variable. */
export interface SecretVariableOptions extends SecretOptions {
  /** The description that people see when they are asked for the value. */
  readonly description?: string;
  /**
   * An ephemeral variable is in no plan file either; its value has to be given again when a saved plan is applied.
   *
   * @default true
   */
  readonly ephemeral?: boolean;
}

/** A secret by reference: the source of the value, and the version of the value. */
export class Secret {
  /**
   * The variable of this name, which is made where the secret is used unless the stack has it already. It is given as `TF_VAR_<name>`
   * or in a `.tfvars` file.
   *
   * @throws TENANCY_INVALID_VALUE if no variable can have that name
   */
  static variable(name: string, options: SecretVariableOptions = {}): Secret {
    refuseUnknownMembers(options, ["version", "description", "ephemeral"], "Secret.variable");
    if (!/^[A-Za-z_][\w-]*$/.test(name)) {
      throw invalidValue.error(`${JSON.stringify(name)} cannot be the name of a variable`, {
        advice: "Use letters, digits and underscores, and begin with a letter.",
      });
    }
    return new Secret((stack) => variableOf(stack, name, options).stringValue, options.version ?? 1);
  }

  /**
   * Value of an expression: a variable of your own, an ephemeral resource, another provider's output.
   *
   * @throws TENANCY_LITERAL_SECRET if it is plain text
   */
  static of(expression: string | TerraformVariable, options: SecretOptions = {}): Secret {
    refuseUnknownMembers(options, ["version"], "Secret.of");
    const value = typeof expression === "string" ? expression : expression.stringValue;
    if (!Token.isUnresolved(value)) throw literalSecret.error("Secret.of(…)");
    return new Secret(() => value, options.version ?? 1);
  }

  private constructor(
    private readonly resolve: (stack: TerraformStack) => string,
    /** Version of the value. */
    readonly version: number | undefined,
  ) {}

  /** @internal The same value where its version is of no concern. */
  unversioned(): Secret {
    return new Secret(this.resolve, undefined);
  }

  /** The expression for a write-only attribute of a construct. */
  valueFor(user: Construct): string {
    return this.resolve(TerraformStack.of(user));
  }
}

const FOLDER = "Secrets";

/** The stack's own variable of this name, or one that is made for all who use the name. */
function variableOf(stack: TerraformStack, name: string, options: SecretVariableOptions): TerraformVariable {
  const folder = stack.node.tryFindChild(FOLDER) ?? new Construct(stack, FOLDER);
  const existing = [stack, folder]
    .map(({ node }) => node.tryFindChild(name))
    .find((one) => one instanceof TerraformVariable);
  if (existing !== undefined) return existing;

  const variable = new TerraformVariable(folder, name, {
    type: "string",
    sensitive: true,
    ...(options.description !== undefined && { description: options.description }),
  });
  variable.overrideLogicalId(name);
  if (options.ephemeral ?? true) variable.addOverride("ephemeral", true);
  return variable;
}
