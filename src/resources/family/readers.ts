/** What is only read. */
import type { Diagnostic } from "../../errors";
import type { Description } from "../../schema";
import type { ObjectValue } from "../../values";
import type { Connection } from "./connection";

export interface DataSource {
  readonly description: Description;
  check(config: ObjectValue): readonly Diagnostic[];
  read(connection: Connection, config: ObjectValue): Promise<ObjectValue>;
}

/** A value that is made for one run and stored nowhere. */
export interface EphemeralResource {
  readonly description: Description;
  open(connection: Connection, config: ObjectValue): Promise<ObjectValue>;
}
