/** The default theme, with colors that everyone can read. */
import theme from "vitepress/theme";
import "./readable.css";

export default theme;
