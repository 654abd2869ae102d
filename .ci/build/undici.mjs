/**
 * Of undici just what the client takes of it: most of the library is the web's fetch, which takes its time to load. A tunnel through a proxy
 * is made with a method that the library's entry gives to all dispatchers.
 */
export const UNDICI = `
import connect from "undici/lib/api/api-connect.js";
import Dispatcher from "undici/lib/dispatcher/dispatcher.js";
export { default as Agent } from "undici/lib/dispatcher/agent.js";
export { default as ProxyAgent } from "undici/lib/dispatcher/proxy-agent.js";
Dispatcher.prototype.connect = connect;
`;

/** A plugin for esbuild: the client speaks HTTP/1.1, and loading HTTP/2 takes as long as a request. */
export const withoutHttp2 = {
  name: "without-http2",
  setup: ({ onLoad }) => onLoad({ filter: /client-h2\.js$/ }, () => ({ contents: "" })),
};
