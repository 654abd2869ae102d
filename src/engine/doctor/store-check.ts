/** The credential store: whether it can be read, would be kept, and holds anything unsettled. */
import { openStore, type Ledger } from "../../credentials";
import { OpenIntent } from "../../errors";
import type { PlanOptions } from "../options";
import { refusalToMint, storeOptionsOf } from "../store/store-options";
import { failed, passed, warning, type Check } from "./check";
import { counted } from "./counted";

export async function storeChecks(
  origin: string,
  owner: string | undefined,
  options: PlanOptions,
): Promise<readonly Check[]> {
  try {
    const storeOptions = storeOptionsOf(options);
    const store = openStore(storeOptions);
    const ledger = await store.ledger(origin, owner ?? "");
    const encrypted = storeOptions.key === undefined ? "plain" : "encrypted";
    const kept = storeOptions.helper === undefined ? `, ${encrypted}` : "";
    return [
      ledger.exists
        ? passed("store", `${store.description}${kept}: ${counted(ledger.tokens.list().length, "token")}`)
        : passed(
            "store",
            `${store.description}: not there yet; it is created when the first secret has to be kept`,
          ),
      ...unsettled(ledger),
      ...minting(options),
    ];
  } catch (error) {
    return [failed("store", error)];
  }
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
