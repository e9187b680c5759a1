/** Said below a placeholder that stands for long (app.css shows it late). */
export function TakingLonger() {
  return (
    <p className="late mt-8 text-sm text-muted">
      This is taking longer than it should. It goes on trying.
    </p>
  );
}
