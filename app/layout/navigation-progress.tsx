import { useNavigation } from "react-router";

/** A line along the header while the next page is on its way; a quick page never shows it. */
export function NavigationProgress() {
  const { state } = useNavigation();
  if (state === "idle") return null;
  return (
    <div
      data-screen
      aria-hidden="true"
      className="travel absolute inset-x-0 -bottom-px h-0.5 bg-clay"
    />
  );
}
