import "react";

declare module "react" {
  interface CSSProperties {
    /** Index of a card in a staggered list (app.css). */
    "--i"?: number;
    /** Where a slider's thumb is, as a share of its track (app.css). */
    "--share"?: number;
  }
}
