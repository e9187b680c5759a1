import "react";

declare module "react" {
  interface CSSProperties {
    /** The place of a card in a staggered row, see app.css. */
    "--i"?: number;
    /** How far a slider is filled, in percent. */
    "--filled"?: string;
  }
}
