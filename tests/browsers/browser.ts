/** What the flows need of a browser with one open tab. Elements are named by XPath. */
export interface Browser {
  /** Sets the width of the page's viewport, and a height that suits it. In CSS pixels. */
  resize(width: number): Promise<void>;
  /** Resolves after the page's `load` event. */
  goto(url: string): Promise<void>;
  click(xpath: string): Promise<void>;
  /** Presses the keys of a text in a field. */
  type(xpath: string, text: string): Promise<void>;
  /** Chooses a file in a file input, which may be hidden. */
  upload(xpath: string, file: string): Promise<void>;
  /** @returns the value of a JavaScript expression; it must survive JSON. */
  evaluate(expression: string): Promise<unknown>;
  /** Ends the browser and everything that was started for it. */
  close(): Promise<void>;
}
