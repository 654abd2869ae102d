/**
 * Makes the Terraform addresses of L2's resources from the ids of the constructs, so that an address stays when other constructs come and
 * go: `tenancy_account.acme`, `tenancy_user_profile.acme_jane`.
 */
import { createHash } from "node:crypto";
import { TerraformElement, type TerraformProvider, TerraformResource, TerraformStack, Token } from "cdktf";
import type { Construct, IConstruct } from "constructs";
import { duplicateAddress, duplicateTenant, invalidValue, type TenancyError } from "../problems";

/**
 * Names an element after the constructs above it, from the stack down, and a name of its own.
 *
 * @param names to add to the path of the scope
 */
export function nameAfter(scope: Construct, element: TerraformElement, ...names: readonly string[]): void {
  const scopes = scope.node.scopes;
  const inside = scopes.slice(scopes.indexOf(TerraformStack.of(scope)) + 1);
  const name = [...inside.map(({ node }) => node.id), ...names].map(part).join("_");
  // A name must not begin with a digit or a hyphen.
  element.overrideLogicalId(/^[A-Za-z_]/.test(name) ? name : `_${name}`);
}

/**
 * One part of an address. Different names give different parts: an underscore, which joins the parts, is doubled. A name with characters
 * other than letters, digits, `-` and `_` gets eight digits of its digest.
 */
function part(name: string): string {
  if (Token.isUnresolved(name)) {
    throw invalidValue.error(
      "the name of a user or token is known only after apply, so it can have no address",
      { advice: "Write it out." },
    );
  }
  const plain = name.replaceAll("_", "__");
  if (/^[A-Za-z0-9-](?:[\w-]*[A-Za-z0-9-])?$/.test(name)) return plain;
  return `${plain.replace(/[^\w-]+/g, "-").replace(/^[-_]+|[-_]+$/g, "")}-${nameDigest(name)}`;
}

/** Id of the construct for a user or token: its name, but for a slash, which would part it, and names that every object has. */
export function constructId(name: string): string {
  return name.includes("/") || name in Object.prototype ? `${part(name)}-${nameDigest(name)}` : name;
}

function nameDigest(name: string): string {
  return createHash("sha256").update(name).digest("hex").slice(0, 8);
}

// Uniqueness: one tenant of a name in a service, one resource of an address.

interface NamedConstruct extends IConstruct {
  readonly name: string;
  readonly provider: TerraformProvider | undefined;
}

const watchedStacks = new WeakSet<TerraformStack>();

/** Has the stack validated when it is synthesized, once for all of its tenants. */
export function keepUnique(
  tenant: NamedConstruct,
  isTenant: (construct: IConstruct) => construct is NamedConstruct,
): void {
  const stack = TerraformStack.of(tenant);
  if (watchedStacks.has(stack)) return;
  watchedStacks.add(stack);
  stack.node.addValidation({ validate: () => duplicatesIn(stack, isTenant).map(sentenceOf) });
}

function duplicatesIn(
  stack: TerraformStack,
  isTenant: (construct: IConstruct) => construct is NamedConstruct,
): readonly TenancyError[] {
  const tenants = new Map<string, string>();
  const resources = new Map<string, string>();
  const errors: TenancyError[] = [];
  for (const construct of stack.node.findAll()) {
    const { path } = construct.node;
    if (isTenant(construct)) {
      const key = JSON.stringify([construct.provider?.alias ?? "", construct.name.normalize("NFC")]);
      const first = tenants.get(key);
      if (first === undefined) tenants.set(key, path);
      else errors.push(duplicateTenant.error({ name: construct.name, first, second: path }));
    } else if (TerraformResource.isTerraformResource(construct)) {
      const address = `${construct.terraformResourceType}.${construct.friendlyUniqueId}`;
      const first = resources.get(address);
      if (first === undefined) resources.set(address, path);
      else errors.push(duplicateAddress.error({ address, first, second: path }));
    }
  }
  return errors;
}

/** A finding as `validate` of a construct answers it. */
export function sentenceOf(error: TenancyError): string {
  return `${error.code}: ${error.message}. ${error.advice ?? ""}`;
}

/**
 * An `import` block: declares that a live record is imported. The library's own `importFrom` writes the same block, but refuses to
 * synthesize where no Terraform is installed, which the embedded engine does not need.
 */
export class ImportBlock extends TerraformElement {
  /** The block of a resource. A later one for the same resource replaces it. */
  static of(target: TerraformResource, importId: string, provider: TerraformProvider | undefined): void {
    target.node.tryRemoveChild(ImportBlock.ID);
    new ImportBlock(target, importId, provider);
  }

  private static readonly ID = "Import";

  private constructor(
    private readonly target: TerraformResource,
    private readonly importId: string,
    private readonly provider: TerraformProvider | undefined,
  ) {
    super(target, ImportBlock.ID);
  }

  override toTerraform(): object {
    const { terraformResourceType, friendlyUniqueId } = this.target;
    return {
      import: [
        {
          to: `${terraformResourceType}.${friendlyUniqueId}`,
          id: escapedText(this.importId),
          ...(this.provider !== undefined && { provider: this.provider.fqn }),
        },
      ],
    };
  }
}

// User text in a synthesized stack, where every string is a template.

/** The form of tokens in strings. The library defines the content of the brackets. */
const TOKEN_PATTERN = String.raw`\$\{TfToken\[`;
const DOLLARS_BEFORE_TOKEN = new RegExp(String.raw`\$+(?=${TOKEN_PATTERN})`, "g");
const TEMPLATE = new RegExp(String.raw`\$\{(?!TfToken\[|"\$+"\})`, "g");

/**
 * The text so that Terraform reads it back letter by letter: `${` and `%{` are escaped. Tokens in it stay tokens.
 *
 * @throws TENANCY_INVALID_VALUE if a number token was put into the text: the library cannot find it there again
 */
export function escapedText(text: string): string {
  assertNoNumberToken(text);
  if (!/[$%]\{/.test(text)) return text;
  return (
    text
      // A dollar sign just before a token would turn it into an escape.
      .replace(DOLLARS_BEFORE_TOKEN, (dollars) => `\${"${dollars}"}`)
      .replace(TEMPLATE, "$$${")
      .replaceAll("%{", "%%{")
  );
}

function assertNoNumberToken(text: string): void {
  const numbers = text.match(/-\d(?:\.\d+)?e\+\d+/g) ?? [];
  if (!numbers.some((number) => Token.isUnresolved(Number(number)))) return;
  throw invalidValue.error("a number that is known only after apply was put into a string", {
    advice: "Wrap it first: `${Token.asString(count)}`.",
  });
}
