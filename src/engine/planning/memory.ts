import type { Ledger, LiveObject } from "../../credentials";
import type { Memory } from "../../plan";

/** What the store remembers of one live object. */
export function memoryOf(ledger: Ledger, object: LiveObject): Memory {
  return {
    digest(path, value) {
      const isSame = ledger.objects.isSameValue(object, path, value);
      return isSame === undefined ? "none" : isSame ? "same" : "different";
    },
    version: (path) => ledger.objects.sentVersion(object, path)?.version,
  };
}
