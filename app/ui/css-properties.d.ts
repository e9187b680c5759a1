import "react";

declare module "react" {
  interface CSSProperties {
    /** Index of a card in a staggered list (app.css). */
    "--i"?: number;
    /** The filled part of a slider's track, in percent (app.css). */
    "--filled"?: string;
  }
}
