import { serveProvider } from "../../../src/lib/plugin-runtime";
import { nullProvider } from "./provider";

void serveProvider(nullProvider);
