import { createContext } from "react-router";

/**
 * A word that only this rendering knows. A script of ours carries it, so that the server can tell it
 * from one that found its way into the text; nothing of it reaches the browser.
 */
export const nonceContext = createContext<string>();
