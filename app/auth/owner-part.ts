import type { MouseEvent } from "react";

/** Parts of the page for signed-in users (app/manage/start/owner-part.tsx). Loaded on demand: visitors do not need them. */
export interface OwnerPartProps {
  part: "manage link" | "messages link";
  className?: string;
  /** Whether the link's page is open. */
  current?: boolean;
  onClick?: (event: MouseEvent<HTMLElement>) => void;
}
