import type { MouseEvent } from "react";

/** Loads the signed-in user's parts of visitors' pages (app/manage/start/owner-part.tsx) on demand. */
export interface OwnerPartProps {
  part: "manage link" | "messages link" | "waiting count" | "setup line";
  className?: string;
  onClick?: (event: MouseEvent<HTMLElement>) => void;
}
