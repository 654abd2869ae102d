import type { Connection } from "../../src/service";
import { type DataSource, dataSources } from "../../src/resources";
import type { ObjectValue } from "../../src/lib/values";

/** Reads a data source as an engine would: checked first. */
export async function dataOf(
  type: string,
  connection: Connection,
  config: ObjectValue = {},
): Promise<ObjectValue> {
  const source = dataSourceOf(type);
  expect(source.check(config)).toEqual([]);
  return source.read(connection, config);
}

export function dataSourceOf(type: string): DataSource {
  const source = dataSources.get(type);
  if (source === undefined) throw new Error(`there is no data source ${type}`);
  return source;
}
