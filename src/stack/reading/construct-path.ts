import { isObject, type ObjectValue } from "../../values";

/** Where the construct of a block stands in the app: CDKTF writes it beside the attributes. */
export function constructPathOf(json: ObjectValue): string | undefined {
  const comment = json["//"];
  const metadata = isObject(comment) ? comment["metadata"] : undefined;
  const path = isObject(metadata) ? metadata["path"] : undefined;
  return typeof path === "string" ? path : undefined;
}
