import type { Client } from "../../api";
import type { Owners } from "../../ownership";
import type { Directory } from "../directory";

/** One service, seen with one credential. */
export interface Connection {
  readonly client: Client;
  readonly directory: Directory;
  /** Under which names records are ours; undefined where the user chose none (Terraform only). */
  readonly owners: Owners | undefined;
  /** Login of the run's own basic credentials; undefined with a token. */
  readonly username: string | undefined;
  /** Whether `switch_user_header` is configured. */
  readonly canSwitchUser: boolean;
  /** Wall clock. */
  readonly now: () => Date;
}
