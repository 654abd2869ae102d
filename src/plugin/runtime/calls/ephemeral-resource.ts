import { Nonconformity } from "../cty/nonconformity";
import { hasErrors } from "../diagnostics";
import { DiagnosticsResponse } from "../messages/common";
import {
  CloseEphemeralResourceRequest,
  OpenEphemeralResourceRequest,
  OpenEphemeralResourceResponse,
  RenewEphemeralResourceRequest,
  RenewEphemeralResourceResponse,
} from "../messages/ephemeral-resource";
import { decodePrivate, encodePrivate } from "../private-state";
import { deferral } from "./deferral";
import { own, rpc } from "./rpc";

export const openEphemeralResource = rpc({
  request: OpenEphemeralResourceRequest,
  response: OpenEphemeralResourceResponse,
  definition: (provider, { typeName }) => own(provider.ephemeralResources, typeName),
  async handle({ request, definition, values, call }) {
    const config = values.decodeObject(request.config, definition.schema) ?? {};
    const opened = await definition.open(config, call);
    const { deferred, faults } = deferral(opened, call);
    const diagnostics = [...(opened.diagnostics ?? []), ...faults];
    if (hasErrors(diagnostics) || deferred !== undefined)
      return { result: request.config, deferred, diagnostics };
    if (opened.result === undefined) throw new Nonconformity([], "the result", "missing");
    return {
      result: values.encodeObject(opened.result, definition.schema, { unknowns: false }),
      private: opened.private && encodePrivate(opened.private),
      renewAt: timestamp(opened.renewAt),
      diagnostics,
    };
  },
});

export const renewEphemeralResource = rpc({
  request: RenewEphemeralResourceRequest,
  response: RenewEphemeralResourceResponse,
  definition: (provider, { typeName }) => own(provider.ephemeralResources, typeName),
  failed: (request) => ({ private: request.private }),
  async handle({ request, definition, call }) {
    const renewed = (await definition.renew?.(decodePrivate(request.private), call)) ?? {};
    return {
      private: renewed.private === undefined ? request.private : encodePrivate(renewed.private),
      renewAt: timestamp(renewed.renewAt),
      diagnostics: renewed.diagnostics,
    };
  },
});

export const closeEphemeralResource = rpc({
  request: CloseEphemeralResourceRequest,
  response: DiagnosticsResponse,
  definition: (provider, { typeName }) => own(provider.ephemeralResources, typeName),
  handle: async ({ request, definition, call }) =>
    (await definition.close?.(decodePrivate(request.private), call)) ?? {},
});

function timestamp(at: Date | undefined): { readonly seconds: number; readonly nanos: number } | undefined {
  if (at === undefined) return undefined;
  const milliseconds = at.getTime();
  const seconds = Math.floor(milliseconds / 1000);
  return { seconds, nanos: (milliseconds - seconds * 1000) * 1_000_000 };
}
