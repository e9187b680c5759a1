/**
 * Replaces a page that cannot be rendered by the server's, which start-scripts.ts leaves without scripts. The mark is in the
 * history's entry, because a browser may deny all storage.
 */
export function showWithoutScripts(): void {
  if (!navigator.onLine) return;
  try {
    history.replaceState({ ...history.state, withoutScripts: true }, "");
  } catch {
    // Some browsers limit how often a page may do this. Without the mark, the page might be loaded again and again.
    return;
  }
  location.reload();
}
