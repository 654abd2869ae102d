/** The credential store: whether it can be read, would be kept, and holds anything unsettled. */
import { openStore, type Ledger } from "../../credentials";
import { OpenIntent, StoreElsewhere, TenancyError, type Diagnostic } from "../../errors";
import type { Owners } from "../../ownership";
import { evaluateStack } from "../evaluate-stack";
import type { PlanOptions, StackSource } from "../options";
import { Run } from "../run";
import { absentStores } from "../store/doubt";
import { refusalToMint, storeOptionsOf } from "../store/store-options";
import { failed, passed, warning, type Check } from "./check";
import { counted } from "./counted";

/** @param lacks what the stack and the service show to be missing in a store; asked for where it may be lost */
export async function storeChecks(
  origin: string,
  owners: Owners | undefined,
  options: PlanOptions,
  lacks: () => Promise<readonly Check[]>,
): Promise<readonly Check[]> {
  try {
    const storeOptions = storeOptionsOf(options);
    const store = openStore(storeOptions);
    const ledger = await store.ledger(origin, owners?.current ?? "", owners?.previous);
    const encrypted = storeOptions.key === undefined ? "plain" : "encrypted";
    const kept = storeOptions.helper === undefined ? `, ${encrypted}` : "";
    const lacking = ledger.exists && ledger.doubtfulTokens.list().length === 0 ? [] : await lacks();
    const isLost = lacking.some(({ outcome }) => outcome === "failed");
    return [
      ...(isLost
        ? []
        : [
            ledger.exists
              ? passed(
                  "store",
                  `${store.description}${kept}: ${counted(ledger.tokens.list().length, "token")}`,
                )
              : passed(
                  "store",
                  ledger.isStoreThere
                    ? `${store.description}${kept}: nothing for this service and owner yet`
                    : `${store.description}: not there yet; the first apply makes it`,
                ),
          ]),
      ...lacking,
      ...unsettled(ledger),
      ...minting(options),
    ];
  } catch (error) {
    return [failed("store", error)];
  }
}

/** Something that the store of a provider configuration should hold, and does not. */
export interface MissedStore {
  readonly provider: string;
  readonly check: Check;
}

/** What a plan would say of a lost store. A stack or service that cannot be read says so itself, in other checks. */
export async function missedStores(
  source: StackSource,
  options: PlanOptions,
): Promise<readonly MissedStore[]> {
  const run = new Run(options);
  try {
    const { walked } = await evaluateStack(source, options, { run, plannedAt: new Date() });
    const absent = absentStores(walked.objects, run.store.description);
    return [
      ...[...absent].map(([{ provider }, error]) => ({ provider, check: failed("store", error) })),
      ...elsewhere(walked.diagnostics),
    ];
  } catch (error) {
    if (error instanceof TenancyError) return elsewhere(error.toDiagnostics());
    throw error;
  } finally {
    await run.close();
  }
}

function elsewhere(diagnostics: readonly Diagnostic[]): readonly MissedStore[] {
  return diagnostics
    .filter(({ code }) => code === StoreElsewhere.code)
    .map(({ address = "", summary, advice = "" }) => ({
      provider: address.slice("provider.".length),
      check: warning("store", summary, advice),
    }));
}

function unsettled({ intents, failedRevocations }: Ledger): readonly Check[] {
  return [
    ...intents.list().map((intent) => {
      const { message, advice = "" } = new OpenIntent(intent);
      return warning("store", message, advice);
    }),
    ...failedRevocations
      .list()
      .map(({ login, name, serial }) =>
        warning(
          "store",
          `the token ${serial} of ${login}/${name} is not revoked yet`,
          "Apply again to revoke it.",
        ),
      ),
  ];
}

function minting(options: PlanOptions): readonly Check[] {
  const refusal = refusalToMint(options);
  if (refusal === undefined) return [];
  return [
    warning("minting", refusal.message, refusal.advice ?? "Keep the store in a place that outlives the job."),
  ];
}
