import { Nonconformity } from "../cty/nonconformity";
import { hasErrors } from "../diagnostics";
import { ReadDataSourceRequest, ReadDataSourceResponse } from "../messages/data-source";
import { deferral } from "./deferral";
import { own, rpc } from "./rpc";

export const readDataSource = rpc({
  request: ReadDataSourceRequest,
  response: ReadDataSourceResponse,
  definition: (provider, { typeName }) => own(provider.dataSources, typeName),

  async handle({ request, definition, values, call }) {
    const config = values.decodeObject(request.config, definition.schema) ?? {};
    const result = await definition.read(config, call);
    const { deferred, faults } = deferral(result, call);
    const diagnostics = [...(result.diagnostics ?? []), ...faults];
    if (hasErrors(diagnostics) || deferred !== undefined)
      return { state: request.config, deferred, diagnostics };
    if (result.state === undefined) throw new Nonconformity([], "what was read", "missing");
    return { state: values.encodeObject(result.state, definition.schema, { unknowns: false }), diagnostics };
  },
});
