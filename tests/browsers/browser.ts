/**
 * The operations that the flows need of a browser with one open tab. Elements are found by XPath.
 */
export interface Browser {
  /** Sets the width of the page's viewport, with a suitable height. In CSS pixels. */
  resize(width: number): Promise<void>;
  /** Resolves after the page's `load` event. */
  goto(url: string): Promise<void>;
  click(xpath: string): Promise<void>;
  /** Types a text into a field. */
  type(xpath: string, text: string): Promise<void>;
  /** Chooses a file in a file input, which may be hidden. */
  upload(xpath: string, file: string): Promise<void>;
  /** @returns the value of a JavaScript expression, which must be serializable as JSON. */
  evaluate(expression: string): Promise<unknown>;
  /** Ends the browser and every process that was started for it. */
  close(): Promise<void>;
}
