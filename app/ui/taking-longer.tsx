/** Appears below a placeholder after 6 seconds (`late` in app.css). */
export function TakingLonger() {
  return (
    <p className="late mt-8 text-sm text-muted">
      This is taking longer than it should. It goes on trying.
    </p>
  );
}
