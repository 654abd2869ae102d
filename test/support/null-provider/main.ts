import { serveProvider } from "../../../src/plugin/runtime";
import { nullProvider } from "./provider";

void serveProvider(nullProvider);
