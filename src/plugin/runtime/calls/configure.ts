import { DiagnosticsResponse } from "../messages/common";
import { ConfigureProviderRequest } from "../messages/provider";
import { rpc } from "./rpc";

export const configureProvider = rpc({
  request: ConfigureProviderRequest,
  response: DiagnosticsResponse,
  definition: (provider) => provider,
  async handle({ request, definition, values, call }) {
    const config = values.decodeObject(request.config, definition.schema) ?? {};
    return (
      (await definition.configure?.(config, { ...call, terraformVersion: request.terraformVersion })) ?? {}
    );
  },
});
