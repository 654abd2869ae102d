/** Of undici just what the client takes of it: most of the library is the web's fetch, which takes its time to load. */
export const UNDICI = `
export { default as Agent } from "undici/lib/dispatcher/agent.js";
export { default as ProxyAgent } from "undici/lib/dispatcher/proxy-agent.js";
`;
