import { type App, Testing, TerraformStack } from "cdktf";
import { TenancyProvider } from "tenancy";

/** An app whose engine knows write-only attributes; cdktn wants that said. */
export function app(): App {
  return Testing.app({ context: { targetVersions: { terraform: ">=1.11.0", opentofu: ">=1.11.0" } } });
}

/** A stack as people write it, and what it synthesizes to. */
export class Synthesized {
  readonly stack: TerraformStack;

  constructor(scope: App = app(), name = "platform") {
    this.stack = new TerraformStack(scope, name);
    new TenancyProvider(this.stack, "service", { owner: "platform" });
  }

  /** The synthesized stack as Terraform reads it, validated. */
  get json(): Json {
    return JSON.parse(Testing.synth(this.stack, true)) as Json;
  }

  /** As `json`, with the `//` metadata. */
  get whole(): Json {
    return this.stack.toTerraform() as Json;
  }

  account(name: string): Json {
    return this.resource("tenancy_account", name);
  }

  profile(name: string): Json {
    return this.resource("tenancy_user_profile", name);
  }

  authorization(name: string): Json {
    return this.resource("tenancy_authorization", name);
  }

  private resource(type: string, name: string): Json {
    const resource = (this.json["resource"] as Record<string, Record<string, Json>>)[type]?.[name];
    if (resource === undefined) throw new Error(`no ${type}.${name} is synthesized`);
    return resource;
  }
}

export type Json = Readonly<Record<string, unknown>>;
