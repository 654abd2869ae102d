/** Plans one stack: everything up to the first write, which it never does. */
import { AbsentStore, InvalidConfiguration, PlanRefused, type Diagnostic } from "../errors";
import type { Permits } from "../plan";
import type { ObjectValue } from "../values";
import { variableValues } from "./inputs/variable-values";
import { loadStack, type LoadedStack } from "./load-stack";
import type { PlanOptions, StackSource } from "./options";
import { makePlan, type MadePlan } from "./planning/make-plan";
import { loginOf } from "./planning/plan-token";
import { refusedTokens } from "./planning/refused-tokens";
import { selectionOf } from "./planning/selection";
import { unfitArguments } from "./planning/variables";
import { Walk, type Walked } from "./planning/walk";
import { PROVIDER_FUNCTIONS } from "./provider-functions";
import { remoteOutputs } from "./remote-outputs";
import { Run } from "./run";
import { refuseSharedOwner } from "./shared-owner";
import { refusalToMint } from "./store/store-options";
import { Workspace } from "./workspace";

/** A plan with everything that its apply needs. */
export interface PlannedRun extends MadePlan {
  readonly source: StackSource;
  readonly options: PlanOptions;
  readonly loaded: LoadedStack;
  readonly walked: Walked;
  readonly workspace: Workspace;
  readonly run: Run;
}

/** @throws TenancyError; nothing has been written then */
export async function planStack(source: StackSource, options: PlanOptions): Promise<PlannedRun> {
  const loaded = await loadStack(source);
  const { stack } = loaded;
  const variables = stack.blocks.filter((block) => block.kind === "variable");
  const unfit = unfitArguments(variables, options.variables ?? {});
  if (unfit.length > 0) throw new InvalidConfiguration(unfit);
  const plannedAt = new Date();
  const workspace = new Workspace({
    folder: stack.folder,
    functions: PROVIDER_FUNCTIONS,
    plannedAt: plannedAt.toISOString(),
  });
  const selection = selectionOf(stack, options.only ?? [], options.exclude ?? []);
  const run = new Run(options);
  try {
    const walk = new Walk(stack, {
      workspace,
      variables: await variableValues({
        environment: options.environment ?? {},
        projectFolder: options.projectFolder,
        files: options.variableFiles ?? [],
        given: options.variables ?? {},
      }),
      open: (provider, config) => run.open(provider, config),
      outputsOf: (name): Promise<ObjectValue> => remoteOutputs(name, source, options),
      isSelected: selection.hasBlock,
      plannedAt,
      resetPasswords: options.resetPasswords ?? false,
      refusedTokens: (target) =>
        options.verifyTokens ? refusedTokens(target) : Promise.resolve(new Set<string>()),
    });
    const walked = await walk.run();
    await refuseSharedOwner(loaded, options);
    refuseMinting(walked, run, options);
    const made = await makePlan({
      name: source.name,
      stack,
      walked,
      selection,
      permits: permitsOf(options),
      destroy: options.destroy ?? false,
      plannedAt,
      warnings: run.unsettled(),
    });
    return { ...made, source, options, loaded, walked, workspace, run };
  } catch (error) {
    await run.close();
    throw error;
  }
}

/** Judged before anything is sent: where tokens would be kept, and whether they may exist already (design §6). */
function refuseMinting({ objects }: Walked, run: Run, options: PlanOptions): void {
  if (options.destroy) return;
  const minted = objects.filter(
    ({ change }) => change.description.name === "authorization" && change.action === "create",
  );
  if (minted.length === 0) return;
  const diagnostics: Diagnostic[] = [];
  const refusal = refusalToMint(options);
  if (refusal !== undefined) diagnostics.push(...refusal.toDiagnostics());
  const doubtful = minted.filter((object) => {
    const login = loginOf(object);
    const { ledger, snapshot } = object.target;
    return !ledger.exists && login !== undefined && snapshot.profileWithLogin(login) !== undefined;
  });
  if (doubtful.length > 0 && options.initStore !== true) {
    const tokens = doubtful.map(({ change }) => change.key);
    diagnostics.push(...new AbsentStore(run.store.description, tokens).toDiagnostics());
  }
  if (diagnostics.length > 0) throw new PlanRefused(diagnostics);
}

function permitsOf(options: PlanOptions): Permits {
  return {
    accountDeletion: options.allowAccountDeletion ?? false,
    nonempty: options.allowNonempty ?? false,
    selfChange: options.allowSelfChange ?? false,
    maxDeletes: options.maxDeletes,
  };
}
