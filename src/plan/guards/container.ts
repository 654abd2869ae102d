import { resources, type Container } from "../../resources";
import type { Change } from "../change";

/** What lives in an object of the change's family; undefined where nothing does. */
export function containerOf({ description }: Change): Container | undefined {
  return resources.get(description.type)?.container;
}
