import type { Ledger, LiveObject } from "../../credentials";
import type { Memory } from "../../plan";
import { formatPath } from "../../values";

/**
 * What the store remembers of one live object.
 * @param refused paths of secrets that the service was found to refuse: whatever was sent, it is not what is declared
 */
export function memoryOf(ledger: Ledger, object: LiveObject, refused?: ReadonlySet<string>): Memory {
  return {
    digest(path, value) {
      const isSame = ledger.objects.isSameValue(object, path, value);
      return isSame === undefined ? "none" : isSame ? "same" : "different";
    },
    version(path) {
      if (refused?.has(formatPath(path))) return null;
      return ledger.objects.sentVersion(object, path)?.version;
    },
  };
}
