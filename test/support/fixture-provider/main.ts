import { serveProvider } from "../../../src/plugin/runtime";

void serveProvider(() => import("./provider.js").then(({ fixtureProvider }) => fixtureProvider));
