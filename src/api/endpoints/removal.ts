/** Removing, where "not there" is an answer too. */
import { Gone, NotFound } from "../../errors";
import type { Channel } from "../channel";

/** `deleted`: by this call. `absent`: the service knew no such object when first asked. */
export type Removal = "deleted" | "absent";

/** Only a 2xx, a 404 or a 410 means that the object is gone; all else throws. */
export async function remove(channel: Channel, path: string): Promise<Removal> {
  try {
    await channel.send({ method: "DELETE", path });
    return "deleted";
  } catch (error) {
    if (!(error instanceof NotFound || error instanceof Gone)) throw error;
    // Where an earlier attempt was lost, it may well have been that one.
    return (error.request.attempt ?? 1) > 1 ? "deleted" : "absent";
  }
}
