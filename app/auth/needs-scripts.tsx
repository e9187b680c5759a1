/** Said where the session, which lives in the browser only, can't be read. */
export function NeedsScripts({ what }: { what: string }) {
  return (
    <noscript>
      <p className="mt-4 font-medium">{what} needs JavaScript.</p>
    </noscript>
  );
}
